package claims

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// Claim reserves a node for a pending ask that preempted there. No other ask may be allocated on the node until that ask is.
type Claim struct {
	Seq        uint64 // number of the claim; orders claims by when they were made
	Made       time.Duration
	WaitsUntil time.Duration // from then on the ask may be allocated elsewhere
	Ask        app.Slot
	Node       int32
	Gang       GangID // None if the ask is allocated by itself
	Leaving    int32  // number of its victims that have not left; unused if Gang is set

	nextOnNode, nextOfGang ID
}

// GangID identifies the claims of a gang. It is reused after they have ended.
type GangID table.ID

// gang groups the claims of one gang. Its members are allocated together, and its claims lapse together.
type gang struct {
	first, last ID
	members     int32 // number of claims that have not ended
	leaving     int32 // number of victims of all claims that have not left
}

// Claims owns the claims of a partition. An ask has at most one; a node has at most one, or several of one gang. Make it with NewClaims.
type Claims struct {
	rows      *table.Table[Claim]
	gangs     *table.Table[gang]
	onNode    *table.Column[ID] // the first claim on each node
	inOrder   []ID              // by Seq
	impatient []ID              // claims whose victims have not left in time, so that their asks may be allocated elsewhere; by Seq
}

// NewClaims makes an owner without claims.
func NewClaims() *Claims {
	return &Claims{rows: table.New[Claim](), gangs: table.New[gang](), onNode: table.NewColumn[ID]()}
}

// NewGang makes a group for the claims of a gang, which must be added next.
// victims is the number of their victims. The group ends with its last claim.
func (o *Claims) NewGang(victims int) GangID {
	return GangID(o.gangs.Add(gang{leaving: int32(victims)}))
}

// Add makes a claim and returns its ID. Among the claims of a gang, earlier ones come first.
func (o *Claims) Add(c Claim) ID {
	id := o.rows.Add(c)
	o.appendToNode(c.Node, id)
	if c.Gang != 0 {
		g := o.gangs.Edit(ID(c.Gang))
		last := g.last
		g.last = id
		g.members++
		if last == None {
			g.first = id
		} else {
			o.rows.Edit(last).nextOfGang = id
		}
	}
	at, _ := slices.BinarySearchFunc(o.inOrder, c.Seq, o.compare)
	o.inOrder = slices.Insert(o.inOrder, at, id)
	return id
}

func (o *Claims) appendToNode(node int32, id ID) {
	last := o.onNode.At(uint32(node))
	if last == None {
		*o.onNode.Edit(uint32(node)) = id
		return
	}
	for next := o.rows.At(last).nextOnNode; next != None; next = o.rows.At(last).nextOnNode {
		last = next
	}
	o.rows.Edit(last).nextOnNode = id
}

// End ends a claim.
func (o *Claims) End(id ID) {
	c := o.rows.At(id)
	o.takeFromNode(id, &c)
	if c.Gang != 0 {
		if g := o.gangs.Edit(ID(c.Gang)); g.members > 1 {
			o.takeFromGang(g, id, &c)
		} else {
			o.gangs.Free(ID(c.Gang))
		}
	}
	o.inOrder, o.impatient = o.without(o.inOrder, c.Seq), o.without(o.impatient, c.Seq)
	o.rows.Free(id)
}

func (o *Claims) takeFromNode(id ID, c *Claim) {
	first := o.onNode.At(uint32(c.Node))
	if first == id {
		*o.onNode.Edit(uint32(c.Node)) = c.nextOnNode
		return
	}
	before := first
	for next := o.rows.At(before).nextOnNode; next != id; next = o.rows.At(before).nextOnNode {
		before = next
	}
	o.rows.Edit(before).nextOnNode = c.nextOnNode
}

func (o *Claims) takeFromGang(g *gang, id ID, c *Claim) {
	g.members--
	if g.first == id {
		g.first = c.nextOfGang
		return
	}
	before := g.first
	for next := o.rows.At(before).nextOfGang; next != id; next = o.rows.At(before).nextOfGang {
		before = next
	}
	if g.last == id {
		g.last = before
	}
	o.rows.Edit(before).nextOfGang = c.nextOfGang
}

// without removes a claim from a list that is sorted by Seq, if it is there.
func (o *Claims) without(list []ID, seq uint64) []ID {
	if at, in := slices.BinarySearchFunc(list, seq, o.compare); in {
		return slices.Delete(list, at, at+1)
	}
	return list
}

func (o *Claims) compare(id ID, seq uint64) int { return cmp.Compare(o.rows.At(id).Seq, seq) }

// AddVictim increments the number of leaving victims of a claim, or of its gang.
func (o *Claims) AddVictim(id ID) { o.countVictim(id, 1) }

// VictimLeft decrements the number of leaving victims. A claim without any is patient again.
func (o *Claims) VictimLeft(id ID) {
	o.countVictim(id, -1)
	if c := o.rows.At(id); c.Gang == 0 && c.Leaving == 0 {
		o.impatient = o.without(o.impatient, c.Seq)
	}
}

func (o *Claims) countVictim(id ID, change int32) {
	if g := o.rows.At(id).Gang; g != 0 {
		o.gangs.Edit(ID(g)).leaving += change
	} else {
		o.rows.Edit(id).Leaving += change
	}
}

// WaitUntil sets the time from which the ask of a claim may be allocated elsewhere.
func (o *Claims) WaitUntil(id ID, at time.Duration) { o.rows.Edit(id).WaitsUntil = at }

// AllowElsewhere lets the ask of a claim be allocated elsewhere.
func (o *Claims) AllowElsewhere(id ID) {
	seq := o.rows.At(id).Seq
	if at, in := slices.BinarySearchFunc(o.impatient, seq, o.compare); !in {
		o.impatient = slices.Insert(o.impatient, at, id)
	}
}

// ForbidElsewhere has all asks wait for their victims again.
func (o *Claims) ForbidElsewhere() { o.impatient = o.impatient[:0] }

// Ref returns the reference to a claim.
func (o *Claims) Ref(id ID) Ref { return o.rows.Ref(id) }

// Resolve returns the ID of a referenced claim, or None if it has ended.
func (o *Claims) Resolve(ref Ref) ID { return o.rows.Resolve(ref) }

// WithSeq returns the claim with a Seq, or None.
func (o *Claims) WithSeq(seq uint64) ID {
	if at, in := slices.BinarySearchFunc(o.inOrder, seq, o.compare); in {
		return o.inOrder[at]
	}
	return None
}

// At returns a claim.
func (o *Claims) At(id ID) Claim { return o.rows.At(id) }

// IDs returns the claims in the order in which they were made. The caller owns the slice.
func (o *Claims) IDs() []ID { return slices.Clone(o.inOrder) }

// Of returns the ID of the claim that an ask has on a node, or None.
func (o *Claims) Of(ask app.Slot, node int32) ID {
	id := o.onNode.At(uint32(node))
	for id != None && o.rows.At(id).Ask != ask {
		id = o.rows.At(id).nextOnNode
	}
	return id
}

// View returns a read-only view.
func (o *Claims) View() ClaimView { return ClaimView{o} }
