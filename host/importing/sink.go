package importing

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// Farthest bounds times: that many years before and after 1970.
const Farthest = 290 * 365 * 24 * time.Hour

// Options say how an import is made.
type Options struct {
	TempFolder string // for what does not fit in memory; empty: that of the system
	SkipBad    int    // how many rows or objects that cannot be read are left out

	chunk int // for tests; 0: the usual size
}

// Sink takes what a reader finds. Close removes its temporary files.
type Sink struct {
	Tally
	faults
	Queues Queues

	nodes, jobs spool
}

// NewSink makes a sink.
func NewSink(o Options) *Sink {
	if o.chunk == 0 {
		o.chunk = chunk
	}
	s := &Sink{faults: faults{allowed: o.SkipBad}}
	s.nodes = spool{folder: o.TempFolder, most: o.chunk}
	s.jobs = spool{folder: o.TempFolder, most: o.chunk}
	return s
}

// Close removes temporary files.
func (s *Sink) Close() {
	s.nodes.close()
	s.jobs.close()
}

// Node takes a node, which is there from the beginning.
func (s *Sink) Node(node *core.AddNode) error {
	s.Nodes++
	return s.nodes.add(0, &journal.Entry{Input: core.Input{Event: node}, Count: 1})
}

// Job takes an application and asks or allocations of it, all at one time. An application may come more than once, with
// other asks: Write adds it to the journal where it may be over by then. The queue has to be in Queues.
func (s *Sink) Job(at time.Duration, app *core.AddApp, asks ...journal.Entry) error {
	entries := make([]*journal.Entry, 1, len(asks)+1)
	entries[0] = &journal.Entry{Input: core.Input{Event: app}, Count: 1}
	for i := range asks {
		asks[i].Count = max(1, asks[i].Count)
		entries = append(entries, &asks[i])
	}
	return s.jobs.add(at, entries...)
}

// Remove takes the end of an application, with all that it has. An application of a time comes before its end at the same time
// if it was given before.
func (s *Sink) Remove(at time.Duration, app string) error {
	return s.jobs.add(at, &journal.Entry{Input: core.Input{Event: &core.RemoveApp{ID: app}}, Count: 1})
}

// Event takes an input that is neither a job nor its end, such as a change of a node.
func (s *Sink) Event(at time.Duration, in core.Input) error {
	return s.jobs.add(at, &journal.Entry{Input: in, Count: 1})
}
