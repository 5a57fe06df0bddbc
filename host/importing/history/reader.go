package history

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/importing"
)

// Reader takes the parts of one history, in the order of their times. It keeps what is alive.
type Reader struct {
	sink *importing.Sink

	apps  map[string]*core.AddApp
	asks  map[string]*ask
	nodes map[string]bool // false: the part that is being read has not named it yet
	left  []string        // asks that ended in this instant, unless they come again in it

	file      string
	line      int
	now, last time.Duration // of the inputs, and of the latest ask
	waits     ledger.Waits  // of asks until the cluster placed them
	opening   bool          // this is the first instant of a part, which repeats what is there
}

// ask is an ask, or the allocation that it has become.
type ask struct {
	core.AddAsk        // without Placement, unless it ran before the history began
	placedOn    string // before the history began; empty: it was submitted since
	app         *core.AddApp
	at          time.Duration // of its submission
	node        string        // empty: it waits
	since       time.Duration // runs
	left        bool          // it ended in this instant
	unseen      bool          // the part that is being read has not named it yet
}

// NewReader makes a reader that gives to a sink.
func NewReader(sink *importing.Sink) *Reader {
	return &Reader{sink: sink, last: math.MinInt64, apps: map[string]*core.AddApp{}, asks: map[string]*ask{}, nodes: map[string]bool{}}
}

// Read reads a part. What is wrong in it is told to the sink: a line that cannot be read is the last one. The error says that reading
// failed.
func (r *Reader) Read(in io.Reader, file string) error {
	if err := r.read(in, file); err != nil && !errors.Is(err, importing.ErrGivenUp) {
		return err
	}
	return nil
}

func (r *Reader) read(in io.Reader, file string) error {
	r.opening, r.file = true, file
	for name := range r.nodes {
		r.nodes[name] = false
	}
	for _, a := range r.asks {
		a.unseen = true
	}
	d := journal.NewDecoder(in, file, nil)
	for first := true; ; first = false {
		e, err := d.Next()
		var bad *journal.Error
		switch {
		case errors.Is(err, io.EOF):
			return r.endInstant()
		case errors.As(err, &bad) && bad.Err != nil: // it cannot be read to its end
			return bad.Err
		case bad != nil:
			return errors.Join(r.sink.Bad(&importing.Error{File: bad.File, Line: bad.Line, Key: bad.Key, Expected: bad.Expected, Found: bad.Found}), r.endInstant())
		case err != nil:
			return err
		case first && e.Input.At < r.now:
			return r.sink.GiveUp(&importing.Error{File: file, Line: e.Line, Key: "at", Expected: "the parts of a history in the order of their times", Found: "a time before the end of the last part"})
		case e.HasRun || e.Numbered:
			return r.sink.GiveUp(&importing.Error{File: file, Line: e.Line, Expected: "a history, in which asks have neither run nor count", Found: "one"})
		}
		r.line = e.Line
		if err := r.take(&e.Input, first); err != nil {
			return err
		}
	}
}

// Give gives the asks that had not ended with the last part. It is called once, after the last part.
func (r *Reader) Give() error {
	if n := r.waits.Total(); n > 0 {
		r.sink.Tell(fmt.Sprintf("in the recorded cluster: %s asks placed; wait mean %s, p50 %s, p99 %s, max %s", format.Grouped(n), format.Duration(r.waits.Mean()),
			format.Duration(r.waits.Percentile(50)), format.Duration(r.waits.Percentile(99)), format.Duration(r.waits.Max())))
	}
	for _, id := range slices.Sorted(maps.Keys(r.asks)) {
		a := r.asks[id]
		if a.node != "" {
			r.sink.Changed(1, "ask", "still running at the end: it runs without end")
		}
		if err := r.give(a, journal.Entry{}); err != nil {
			return err
		}
	}
	return r.sink.Event(r.now, core.Input{Event: &core.Tick{}}) // a replay lasts as long as the history
}

func (r *Reader) take(in *core.Input, first bool) error {
	if in.At > r.now && !first {
		if err := r.endInstant(); err != nil {
			return err
		}
	}
	r.now = in.At
	switch e := in.Event.(type) {
	case *core.AddNode:
		return r.addNode(e)
	case *core.RemoveNode:
		return r.removeNode(e)
	case *core.UpdateNode, *core.DrainNode, *core.ResumeNode, *core.AddWindow, *core.RemoveWindow:
		return r.sink.Event(r.now, *in)
	case *core.AddApp:
		r.apps[e.ID] = e
	case *core.RemoveApp:
		delete(r.apps, e.ID)
	case *core.AddAsk:
		return r.submit(e)
	case *core.UpdateAsk:
		if a := r.asks[e.ID]; a != nil && e.Resources != nil {
			a.Resources = e.Resources
		}
	case *core.RestoreAllocation:
		return r.place(e)
	case *core.RemoveAsk, *core.ReleaseAllocation:
		if a := r.asks[in.ID()]; a != nil {
			a.left, r.left = true, append(r.left, in.ID())
		}
	case *core.SetConfig:
		r.config(e)
	case *core.Tick:
	case *core.MoveApp, *core.SetPolicy, *core.RemovePolicy, *core.RecordAnswers, *core.SetState:
		r.sink.LeftOut(1, "input", string(in.Type()))
	}
	return nil
}

func (r *Reader) config(in *core.SetConfig) {
	if r.sink.Queues.Recorded == "" {
		r.sink.Queues.Recorded = in.Config
	} else if r.sink.Queues.Recorded != in.Config {
		r.sink.LeftOut(1, "configuration", "another one than the first")
	}
}

// addNode passes a node on. A part begins with the nodes that are there, which the parts before may have named: those are updated.
func (r *Reader) addNode(in *core.AddNode) error {
	_, known := r.nodes[in.ID]
	r.nodes[in.ID] = true
	if !known {
		r.sink.Nodes++
		return r.event(in)
	}
	update := &core.UpdateNode{ID: in.ID, Capacity: in.Capacity, Occupied: in.Occupied, Attributes: in.Attributes}
	if update.Occupied == nil {
		update.Occupied = resource.Set{}
	}
	return r.event(update)
}

func (r *Reader) removeNode(in *core.RemoveNode) error {
	if err := r.endOn(in.ID); err != nil {
		return err
	}
	delete(r.nodes, in.ID)
	return r.event(in)
}

func (r *Reader) event(e core.Event) error { return r.sink.Event(r.now, core.Input{Event: e}) }

// endOn ends what ran on a node.
func (r *Reader) endOn(node string) error {
	for _, id := range slices.Sorted(maps.Keys(r.asks)) {
		if r.asks[id].node == node {
			if err := r.end(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// submit takes an ask, or a pending one with other demands, which was removed in the same instant.
func (r *Reader) submit(in *core.AddAsk) error {
	if delete(in.Ask.Constraints, Placement); len(in.Ask.Constraints) == 0 {
		in.Ask.Constraints = nil
	}
	if a := r.asks[in.ID]; a != nil {
		if a.node == "" && (a.left || a.unseen) {
			a.AddAsk, a.placedOn, a.left, a.unseen = *in, "", false, false
			return nil
		}
		if err := r.end(in.ID); err != nil {
			return err
		}
	}
	return r.add(&ask{AddAsk: *in})
}

// place takes an allocation: of an ask, as it was before with other resources, or one that is new to the history.
func (r *Reader) place(in *core.RestoreAllocation) error {
	a := r.asks[in.ID]
	switch {
	case a != nil && a.node == "" && (a.left || a.unseen):
		a.node, a.since = in.PlacedOn, r.now
		r.waits.Add((r.now - a.at).Round(time.Millisecond))
	case a != nil && a.node == in.PlacedOn && (a.left || a.unseen):
	default:
		if a != nil {
			if err := r.end(in.ID); err != nil {
				return err
			}
		}
		return r.add(&ask{AddAsk: in.AddAsk, placedOn: in.PlacedOn, node: in.PlacedOn, since: r.now})
	}
	a.left, a.unseen = false, false
	return nil
}

// add notes an ask or an allocation that is new. Asks of one instant are a nanosecond apart, so that they keep their order although those
// that end first are given first.
func (r *Reader) add(a *ask) error {
	app, ok := r.apps[a.App]
	if !ok {
		return r.sink.GiveUp(&importing.Error{File: r.file, Line: r.line, Key: "app", Expected: "an application that was added before", Found: importing.Quote(a.App)})
	}
	a.app, a.at = app, r.now
	if a.node == "" {
		r.last = max(r.now, instant.Add(r.last, 1))
		a.at = r.last
	}
	r.asks[a.ID] = a
	return nil
}

// endInstant ends the asks that did not come again in the instant in which they left, and after the first instant of a part what is gone.
func (r *Reader) endInstant() error {
	left := r.left
	r.left = nil
	if r.opening {
		r.opening = false
		for _, id := range slices.Sorted(maps.Keys(r.asks)) {
			if a := r.asks[id]; a.unseen && !a.left {
				a.left, left = true, append(left, id)
			}
		}
		if err := r.dropNodes(); err != nil {
			return err
		}
	}
	for _, id := range left {
		if a := r.asks[id]; a != nil && a.left {
			if err := r.end(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropNodes removes the nodes that went between two parts.
func (r *Reader) dropNodes() error {
	for _, name := range slices.Sorted(maps.Keys(r.nodes)) {
		if r.nodes[name] {
			continue
		}
		delete(r.nodes, name)
		if err := r.sink.Event(r.now, core.Input{Event: &core.RemoveNode{ID: name}}); err != nil {
			return err
		}
	}
	return nil
}

// end gives an ask that has ended now. One that was never placed is withdrawn now; where a replay has placed it by then, it lasts as long as
// it waited.
func (r *Reader) end(id string) error {
	a := r.asks[id]
	delete(r.asks, id)
	e := journal.Entry{HasRun: true, Run: r.now - a.since}
	if a.node != "" {
		return r.give(a, e)
	}
	e.Run = r.now - a.at
	r.sink.Changed(1, "ask", "withdrawn before it was placed")
	if err := r.give(a, e); err != nil {
		return err
	}
	return r.sink.Event(r.now, core.Input{Event: &core.RemoveAsk{ID: id}})
}

func (r *Reader) give(a *ask, e journal.Entry) error {
	app := a.app
	if a.placedOn != "" {
		e.Input.Event = &core.RestoreAllocation{AddAsk: a.AddAsk, PlacedOn: a.placedOn}
		return r.sink.Job(a.at, app, e)
	}
	e.Input.Event = &a.AddAsk
	submitted := *app // a replay may refuse it, unlike what ran already
	submitted.Tags = maps.Clone(app.Tags)
	delete(submitted.Tags, forceTag)
	return r.sink.Job(a.at, &submitted, e)
}

// forceTag has the scheduler take in an application whatever its queue says.
const forceTag = "application.create.force"
