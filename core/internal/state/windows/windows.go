package windows

import (
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core/config"
)

// Windows owns the windows of a partition. The zero value has none.
type Windows struct {
	list    []Spec    // in the order in which they were added
	on      [][]int32 // by slot of a node: the indices of its windows, in order; lists are never changed in place
	version uint64    // incremented by each change of the list
}

// Add adds a window. The nodes of all windows must then be listed again.
func (o *Windows) Add(w Spec) {
	w.Nodes = slices.Compact(slices.Sorted(slices.Values(w.Nodes)))
	o.list = append(slices.Clip(o.list), w)
	o.version++
}

// AddConfigured is Add for a window of the configuration. One that takes a number of nodes has some already.
func (o *Windows) AddConfigured(conf *config.Window, now time.Duration, chosen []string) {
	w := Spec{ID: conf.ID, Nodes: conf.Nodes, Queues: conf.Queues, Users: conf.Users, Groups: conf.Groups, conf: conf}
	if conf.Count > 0 {
		w.Nodes = chosen
	}
	w.From, w.Until = w.at(now)
	o.Add(w)
}

// Reconfigure has a configured window continue with an equal one of a new configuration.
func (o *Windows) Reconfigure(i int, conf *config.Window) { o.edit(i).conf = conf }

// Same reports whether two configured windows are equal.
func Same(a, b *config.Window) bool {
	return a.ID == b.ID && a.Schedule == b.Schedule && a.Duration == b.Duration && slices.Equal(a.Nodes, b.Nodes) && a.Count == b.Count &&
		(a.Nodes == nil) == (b.Nodes == nil) && maps.EqualFunc(a.Constraints, b.Constraints, slices.Equal) &&
		slices.Equal(a.Queues, b.Queues) && slices.Equal(a.Users, b.Users) && slices.Equal(a.Groups, b.Groups)
}

// Remove removes a window. The nodes of all windows must then be listed again.
func (o *Windows) Remove(i int) {
	o.list = slices.Delete(slices.Clone(o.list), i, i+1)
	o.version++
}

// edit returns a window, to change it.
func (o *Windows) edit(i int) *Spec {
	o.list = slices.Clone(o.list)
	o.version++
	return &o.list[i]
}

// Open records that the occurrence of a window has begun.
func (o *Windows) Open(i int) { o.edit(i).Opened = true }

// Close ends the occurrence of a window. The next is the first that ends after the present; there may be none.
func (o *Windows) Close(i int, now time.Duration) {
	w := o.edit(i)
	w.From, w.Until = w.at(now)
	w.Opened = false
}

// Join lists the windows of a node anew. Windows that take a number of nodes may take this one.
func (o *Windows) Join(slot int32, id string, attribute func(string) (string, bool)) {
	var on []int32
	for i := range o.list {
		member, joins := o.list[i].has(id, attribute)
		if joins {
			w := o.edit(i)
			at, _ := slices.BinarySearch(w.Nodes, id)
			w.Nodes = slices.Insert(slices.Clone(w.Nodes), at, id)
		}
		if member {
			on = append(on, int32(i))
		}
	}
	o.set(slot, on)
}

// Leave forgets the windows of a node that is removed. They belong to a later node of its ID again, if they are for this ID.
func (o *Windows) Leave(slot int32) { o.set(slot, nil) }

func (o *Windows) set(slot int32, on []int32) {
	if int(slot) >= len(o.on) {
		if on == nil {
			return
		}
		o.on = append(o.on, make([][]int32, int(slot)+1-len(o.on))...)
	}
	o.on[slot] = on
}

// View returns a reader.
func (o *Windows) View() View { return View{o} }

// Clone returns the windows of a fork.
func (o *Windows) Clone() Windows {
	return Windows{list: slices.Clip(o.list), on: slices.Clone(o.on), version: o.version}
}

// Specs lists copies of all windows, for a snapshot. Configured ones lack what the configuration says.
func (o *Windows) Specs() []Spec { return slices.Clone(o.list) }

// Restore replaces the present occurrence of a window, and the nodes that it has taken, by those of a snapshot.
func (o *Windows) Restore(i int, from, until time.Duration, opened bool, nodes []string) {
	w := o.edit(i)
	w.From, w.Until, w.Opened = from, until, opened
	if w.conf != nil && w.conf.Count > 0 {
		w.Nodes = nodes
	}
}
