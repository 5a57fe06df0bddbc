// Package class groups asks of the same shape into classes: asks of one class succeed and fail on the same nodes.
//
// A class is made for the first ask of its shape, and exists while any ask or allocation has it. While it has pending asks, a class has
// one of 64 bits, so that a set of classes fits into a word. If more than 64 classes have pending asks, some share a bit. A shared bit
// is only a hint, which has to be confirmed for the class.
package class

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/resource"
)

// Class reads a shape in use. Only its registry can change it, apart from Notes. The zero value is no class.
type Class struct{ *class }

// IsNone reports whether it is no class.
func (c Class) IsNone() bool { return c.class == nil }

type class struct {
	id          uint64 // from 1; never reused
	number      int32  // reused
	resources   resource.Set
	demand      resource.Amounts
	needs       readonly.List[index.Need]
	own         readonly.List[Constraint] // by attribute
	topology    Topology
	constraints readonly.List[Constraint] // own, then those of the topology
	node        string
	predicate   string
	walltime    time.Duration

	devices       []core.DeviceAsk
	roomNeeds     readonly.List[index.Need]
	plainNeeds    readonly.List[index.Need]
	checksDevices bool

	notes Notes

	bit     uint64
	pending int
	refs    int
	key     string
	slot    int // index of bit
}

// Notes are results of searches that the walk remembers with a class. They are no part of the state: a class without notes is searched for
// again.
type Notes struct {
	// Failed is the shrink epoch (state.State.ShrinkEpoch) in which no open node had room for the class; 0: unknown. It is valid until the room of a
	// node grows. It is cleared then for Exclusive classes; for others it must be compared with the shrink epoch of the last growth.
	Failed uint64
	// Unreservable is the shrink epoch in which no node could be reserved for the class; 0: unknown.
	Unreservable uint64
}

// View reads the classes of a partition. It cannot change which there are.
type View struct{ *registry }

// Registry keeps the classes of a partition. Only their owner has it; others have its View.
type Registry struct{ view }

// view is the name of View for embedding, which would be exported otherwise. A Registry of a *registry could be converted from a View
// anywhere.
type view = View

// View returns the reader.
func (r Registry) View() View { return r.view }

type registry struct {
	types   *resource.Types
	classes []*class // by number
	free    []int32  // numbers
	dropped []int32  // numbers to be freed by Reclaim
	byKey   map[string]*class
	idle    int
	nextID  uint64
	buf     []byte
	owners  [64]*class // by bit: the only pending class
	counts  [64]int    // by bit: the number of pending classes
	shared  uint64     // bits of several classes
	bound   uint64     // bits of which some class has a required node, or had
	largest resource.Vec
	recent  [recentClasses]*class // recently used classes, by hash of the shape
}

// recentClasses is the size of the cache that finds classes without building the key of a shape. It is a power of two.
const recentClasses = 256

// idleLimit is the number of unused classes that are kept in case their shape is used again.
const idleLimit = 4096

// NewRegistry makes an empty registry over a table of types.
func NewRegistry(types *resource.Types) Registry {
	return Registry{View{&registry{types: types, byKey: map[string]*class{}, largest: make(resource.Vec, types.Width())}}}
}

// Recent is Of for recently used shapes, and returns none for others. Unlike Of, it does not require that the types are known.
func (r Registry) Recent(s *Shape) Class {
	c := r.recent[s.hash()%recentClasses]
	if c == nil || !c.is(s) {
		return Class{}
	}
	r.count(c)
	return Class{c}
}

// Of returns the class of a shape, and counts one more ask of it. The types of its resources must be known.
func (r Registry) Of(s *Shape) Class {
	c := r.find(s)
	r.recent[s.hash()%recentClasses] = c
	r.count(c)
	return Class{c}
}

// count counts one more ask of a class.
func (r *registry) count(c *class) {
	if c.refs == 0 {
		r.idle--
	}
	c.refs++
}

const hashFactor = 0x9e3779b97f4a7c15

// find returns the class of a shape by its key, and makes it if there is none.
func (r *registry) find(s *Shape) *class {
	r.buf = r.appendKey(r.buf[:0], s)
	c, ok := r.byKey[string(r.buf)]
	if !ok {
		c = r.make(s, string(r.buf))
	}
	return c
}

// Release counts one ask of a class less.
func (r Registry) Release(c Class) {
	c.refs--
	if c.refs > 0 {
		return
	}
	r.idle++
	if r.idle > idleLimit {
		r.dropIdle()
	}
}

func (r *registry) dropIdle() {
	for k, c := range r.byKey {
		if c.refs == 0 {
			delete(r.byKey, k)
			r.dropped = append(r.dropped, c.number)
		}
	}
	r.idle = 0
	clear(r.recent[:])
}

// At returns the class with a number.
func (r *registry) At(number int32) Class { return Class{r.classes[number]} }

// Reclaim lets the numbers of classes that were dropped be used again. No row of an ask may contain them any more.
func (r Registry) Reclaim() {
	for _, number := range r.dropped {
		r.classes[number] = nil
	}
	r.free = append(r.free, r.dropped...)
	r.dropped = r.dropped[:0]
}

// Only returns a view from which only At may be called, with a class that has the number 0.
func Only(c Class) View { return View{&registry{classes: []*class{c.class}}} }

// take gives a class a number.
func (r *registry) take(c *class) {
	if last := len(r.free) - 1; last >= 0 {
		c.number = r.free[last]
		r.free = r.free[:last]
		r.classes[c.number] = c
		return
	}
	c.number = int32(len(r.classes))
	r.classes = append(r.classes, c)
}

func (r *registry) make(s *Shape, key string) *class {
	r.nextID++
	r.idle++
	c := &class{id: r.nextID, resources: withoutZeros(s.Resources), node: s.Node, predicate: s.Predicate, walltime: s.Walltime, topology: s.Topology, key: key, devices: s.Devices}
	c.own = readonly.Of(sortedConstraints(s.Constraints))
	c.join()
	r.measure(c)
	r.take(c)
	r.byKey[key] = c
	return c
}

func (r *registry) measure(c *class) {
	c.demand = r.types.Vec(c.resources, 0).Amounts()
	c.findNeeds()
	r.findRoomNeeds(c)
	for t, amount := range c.demand.All {
		r.largest[t] = max(r.largest[t], amount)
	}
}

// Together makes a class with a demand that represents several asks. It is not in a registry.
func Together(demand resource.Vec) Class {
	c := &class{demand: demand.Amounts()}
	c.findNeeds()
	return Class{c}
}

// findNeeds derives needs from demand.
func (c *class) findNeeds() {
	var needs []index.Need
	for t, amount := range c.demand.All {
		if amount > 0 {
			needs = append(needs, index.Need{Lane: t, Min: amount})
		}
	}
	c.needs = readonly.Of(needs)
	c.roomNeeds, c.plainNeeds = c.needs, c.needs
}

// Widen adapts all vectors to a new width of the table of types.
func (r Registry) Widen() {
	r.largest = r.largest.Widen(r.types.Width(), 0)
	for _, c := range r.byKey {
		r.measure(c)
	}
}

// Raise raises Largest to the sum of a type over asks that are allocated together.
func (r Registry) Raise(lane int, amount int64) { r.largest[lane] = max(r.largest[lane], amount) }

// Largest returns an upper bound, by type, of what any ask needs, or asks that are allocated together.
func (r *registry) Largest() resource.Amounts { return r.largest.Amounts() }

// Enqueue counts a pending ask of a class. The first one gives the class its bit.
func (r Registry) Enqueue(c Class) {
	c.pending++
	if c.pending > 1 {
		return
	}
	best := 0
	for i, n := range r.counts {
		if n < r.counts[best] {
			best = i
		}
		if n == 0 {
			best = i
			break
		}
	}
	c.slot, c.bit = best, 1<<best
	c.notes = Notes{}
	if c.node != "" {
		r.bound |= c.bit
	}
	r.counts[best]++
	if r.counts[best] == 1 {
		r.owners[best] = c.class
		return
	}
	r.owners[best] = nil
	r.shared |= c.bit
}

// Dequeue counts a pending ask of a class less. The last one frees the bit. A bit of several classes stays shared until all of them have
// freed it, since results that were recorded for a shared bit are not exact.
func (r Registry) Dequeue(c Class) {
	c.pending--
	if c.pending > 0 {
		return
	}
	r.counts[c.slot]--
	if r.counts[c.slot] == 0 {
		r.owners[c.slot] = nil
		r.shared &^= c.bit
		r.bound &^= c.bit
	}
}

// Bound returns the bits that may be of a class with a required node.
func (r *registry) Bound() uint64 { return r.bound }

// Shared returns the bits of several classes.
func (r *registry) Shared() uint64 { return r.shared }

// Waits reports whether asks of the class are pending.
func (c *class) Waits() bool { return c.pending > 0 }

// InUse lists the classes of asks and allocations, by ID. few is false, and the list empty, if there are more than limit or too many
// classes to check.
func (r *registry) InUse(limit int) (list []Class, few bool) {
	if len(r.byKey) > 4*limit {
		return nil, false
	}
	for _, c := range r.byKey {
		if c.refs > 0 {
			list = append(list, Class{c})
		}
	}
	if len(list) > limit {
		return nil, false
	}
	slices.SortFunc(list, func(a, b Class) int { return cmp.Compare(a.id, b.id) })
	return list, true
}

// Named calls yield with each class of asks and allocations, in no particular order.
func (r *registry) Named(yield func(Class) bool) {
	for _, c := range r.byKey {
		if c.refs > 0 && !yield(Class{c}) {
			return
		}
	}
}

// Exclusive reports whether no other class shares the class's bit.
func (r *registry) Exclusive(c Class) bool { return r.shared&c.bit == 0 }

// Owners calls yield with each class that does not share its bit.
func (r *registry) Owners(yield func(Class)) {
	for _, c := range r.owners {
		if c != nil {
			yield(Class{c})
		}
	}
}

// Within returns the bits of the given classes that fit into room, and all shared bits among them.
func (r *registry) Within(classes uint64, room resource.Vec) uint64 {
	out := classes
	for left := classes &^ r.shared; left != 0; left &= left - 1 {
		if c := r.owners[bits.TrailingZeros64(left)]; c != nil && !c.Fits(room) {
			out &^= c.bit
		}
	}
	return out
}

// Fits reports whether the class fits into room.
func (c *class) Fits(room resource.Vec) bool {
	for i := range c.needs.Len() {
		n := c.needs.At(i)
		if room[n.Lane] < n.Min {
			return false
		}
	}
	return true
}

// appendKey encodes a shape. Shapes have equal keys if and only if they are equal, apart from amounts of zero.
func (r *registry) appendKey(buf []byte, s *Shape) []byte {
	for _, q := range s.Resources {
		if q.Value == 0 {
			continue
		}
		t := r.types.Intern(q.Type)
		buf = binary.AppendUvarint(buf, uint64(t)+1)
		buf = binary.LittleEndian.AppendUint64(buf, uint64(q.Value))
	}
	buf = append(buf, 0)
	buf = appendText(buf, s.Node)
	buf = appendText(buf, s.Predicate)
	if s.Walltime != 0 {
		buf = binary.AppendUvarint(buf, math.MaxUint64-1) // no length of a text, as which constraints start
		buf = binary.AppendUvarint(buf, uint64(s.Walltime))
	}
	if len(s.Devices) > 0 {
		buf = binary.AppendUvarint(buf, math.MaxUint64-2) // as above
		buf = appendDevices(buf, s.Devices)
	}
	if !s.Topology.IsNone() {
		buf = appendTopology(buf, s.Topology.topology)
	}
	if len(s.Constraints) > 0 {
		buf = appendConstraints(buf, sortedConstraints(s.Constraints))
	}
	return buf
}

func appendConstraints(buf []byte, list []Constraint) []byte {
	for _, c := range list {
		buf = appendText(buf, c.Attribute)
		buf = binary.AppendUvarint(buf, uint64(c.Values.Len()))
		for v := range c.Values.All {
			buf = appendText(buf, v)
		}
	}
	return buf
}

func appendText(buf []byte, s string) []byte {
	buf = binary.AppendUvarint(buf, uint64(len(s)))
	return append(buf, s...)
}

// NoBits and AllBits are the empty set of classes, and the set of all.
const (
	NoBits  uint64 = 0
	AllBits uint64 = math.MaxUint64
)
