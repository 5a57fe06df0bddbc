package oracle

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// setConfig swaps the configuration or, when it is not valid or not possible now, leaves all as it was.
func (o *Oracle) setConfig(in *core.Input) {
	read, err := config.DecodeSupported([]byte(in.Config), config.Options{File: in.File, Format: config.Format(in.Format)})
	if err != nil {
		o.refuseConfig([]string{err.Error()})
		return
	}
	settings := read.Partitions[0]
	if refusals := o.refusals(o.root, settings.Root); len(refusals) > 0 {
		o.refuseConfig(refusals)
		return
	}
	warnings := []string{}
	for _, w := range read.Warnings {
		warnings = append(warnings, w.String())
	}
	o.decide(core.Decision{Type: core.ConfigAccepted, Warnings: warnings})
	before := o.states()
	o.settings = settings
	o.root = o.adopt(o.root, settings.Root, nil)
	o.announce(before)
}

// refusals names each queue in use that would change between leaf and parent.
func (o *Oracle) refusals(q *queue, settings *config.Queue) []string {
	var all []string
	if q.isLeaf() != settings.Leaf && o.inUse(q) {
		all = append(all, fmt.Sprintf("%s: in use, cannot change between leaf and parent", q.path()))
	}
	for _, named := range settings.Children {
		if child := q.child(named.Name); child != nil {
			all = append(all, o.refusals(child, named)...)
		}
	}
	return all
}

// adopt gives a queue its new settings. The old one, nil where there was none, goes on if it stays leaf or parent;
// queues that are not named any more drain while they are in use, and vanish otherwise.
func (o *Oracle) adopt(old *queue, settings *config.Queue, parent *queue) *queue {
	if old == nil || old.isLeaf() != settings.Leaf {
		return newTree(settings, parent)
	}
	children := o.drained(old, settings)
	for _, named := range settings.Children {
		children = append(children, o.adopt(old.child(named.Name), named, old))
	}
	old.settings, old.parent, old.children, old.draining = settings, parent, children, false
	return old
}

// drained lists the children in use that the settings do not name, draining with all in use below them.
func (o *Oracle) drained(q *queue, settings *config.Queue) []*queue {
	var children []*queue
	for _, child := range q.children {
		named := slices.ContainsFunc(settings.Children, func(s *config.Queue) bool { return s.Name == child.settings.Name })
		if named || !o.inUse(child) {
			continue
		}
		child.draining = true
		child.children = o.drained(child, &config.Queue{})
		children = append(children, child)
	}
	return children
}

func (q *queue) state() string {
	if q.draining {
		return core.QueueDraining
	}
	return core.QueueActive
}

// states remembers which queues there are and how they stand.
func (o *Oracle) states() map[*queue]string {
	states := map[*queue]string{}
	for _, q := range o.root.subtree() {
		states[q] = q.state()
	}
	return states
}

// announce says, in path order, which queues changed their state; those that came or went do so in silence.
func (o *Oracle) announce(before map[*queue]string) {
	queues := o.root.subtree()
	slices.SortFunc(queues, func(a, b *queue) int { return cmp.Compare(a.path(), b.path()) })
	for _, q := range queues {
		from, known := before[q]
		if !known || from == q.state() {
			continue
		}
		why := core.ReasonQueueRemoved
		if !q.draining {
			why = core.ReasonQueueRestored
		}
		o.decide(core.Decision{Type: core.QueueState, Queue: q.path(), From: from, To: q.state(), Reason: why})
	}
}
