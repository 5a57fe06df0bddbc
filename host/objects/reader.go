package objects

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"iter"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server"
)

// work is how much a reader does before it lets others at the view. As core.Page counts it takes less than a millisecond.
const work = 2_000

// Pages are the lengths of pages.
const (
	UsualItems = 100
	MostItems  = 1000
)

// ErrContinue says that a list cannot go on from where a client wants it to.
var ErrContinue = errors.New("expected the token from a page")

// Query asks for a page.
type Query struct {
	Limit    int    // at most so many; 0: the usual number
	Continue string // what the page before gave; empty: the first page
	Where    core.Where
}

// Page is a part of a list.
type Page[T any] struct {
	Items []T `json:"items"`
	// Continue asks for the next page; there is none where it is left out.
	Continue string `json:"continue,omitempty"`
	// Seq is the number of the last decision that every item knows of.
	Seq uint64 `json:"seq"`
}

// Reader reads what the view of a server shows.
type Reader struct{ view *server.View }

// NewReader makes a reader.
func NewReader(v *server.View) *Reader { return &Reader{v} }

// Queues returns a page of the queues: parents before children, by name. Where selects by State.
func (r *Reader) Queues(ctx context.Context, q Query) (Page[Queue], error) {
	return page(ctx, r.view, q, (*scheduler.Scheduler).Queues, queueOf)
}

// Queue returns the queue of a path.
func (r *Reader) Queue(path string) (Queue, bool) {
	return one(r.view, path, (*scheduler.Scheduler).Queue, queueOf)
}

// Nodes returns a page of the nodes, by ID. Where selects by Partition and State.
func (r *Reader) Nodes(ctx context.Context, q Query) (Page[Node], error) {
	return page(ctx, r.view, q, (*scheduler.Scheduler).Nodes, nodeOf)
}

// Node returns the node of an ID.
func (r *Reader) Node(id string) (Node, bool) {
	return one(r.view, id, (*scheduler.Scheduler).Node, nodeOf)
}

// Apps returns a page of the applications, by ID. Where selects by Queue, State, Node and User.
func (r *Reader) Apps(ctx context.Context, q Query) (Page[App], error) {
	return page(ctx, r.view, q, (*scheduler.Scheduler).Apps, appOf)
}

// App returns the application of an ID.
func (r *Reader) App(id string) (App, bool) {
	return one(r.view, id, (*scheduler.Scheduler).App, appOf)
}

// Asks returns a page of the asks: by application, those of one as they were submitted. Where selects by App, Gang, Queue, State, Node
// and User.
func (r *Reader) Asks(ctx context.Context, q Query) (Page[Ask], error) {
	return page(ctx, r.view, q, (*scheduler.Scheduler).Asks, askOf)
}

// Ask returns the ask of an ID.
func (r *Reader) Ask(id string) (Ask, bool) {
	return one(r.view, id, (*scheduler.Scheduler).Ask, askOf)
}

// Gangs returns a page of the atomic gangs: by application, those of one as they were submitted. Where selects by App, Queue, State and User.
func (r *Reader) Gangs(ctx context.Context, q Query) (Page[Gang], error) {
	return page(ctx, r.view, q, (*scheduler.Scheduler).AtomicGangs, gangOf)
}

// Gang returns the gang of an application with an ID.
func (r *Reader) Gang(app, id string) (Gang, bool) {
	return one(r.view, id, func(s *scheduler.Scheduler, id string) (core.GangItem, bool) { return s.AtomicGang(app, id) }, gangOf)
}

// Topology returns a page of the domains: by partition, level and values, with all levels. Where selects by Partition and Level.
func (r *Reader) Topology(ctx context.Context, q Query) (Topology, error) {
	p, err := page(ctx, r.view, q, (*scheduler.Scheduler).Domains, domainOf)
	t := Topology{Levels: []Level{}, Items: p.Items, Continue: p.Continue, Seq: p.Seq}
	r.view.Read(func(s *scheduler.Scheduler) {
		for _, l := range s.TopologyLevels() {
			t.Levels = append(t.Levels, Level(l))
		}
	})
	return t, err
}

// Each goes through a whole list of the core, such as (*core.Scheduler).Nodes, a little at a time.
func Each[T any](v *server.View, list func(*scheduler.Scheduler, *core.Page) core.Listed[T], where core.Where) iter.Seq[T] {
	return func(yield func(T) bool) {
		p := core.Page{Where: where, Limit: MostItems, Work: work}
		for more := true; more; {
			var part core.Listed[T]
			v.Read(func(s *scheduler.Scheduler) { part = list(s, &p) })
			for _, item := range part.Items {
				if !yield(item) {
					return
				}
			}
			p.After, more = part.Next, part.More
		}
	}
}

// page fills a page, slice by slice.
func page[D, T any](ctx context.Context, v *server.View, q Query, list func(*scheduler.Scheduler, *core.Page) core.Listed[D], object func(*D) T) (Page[T], error) {
	out := Page[T]{Items: []T{}, Seq: v.Version().Decision}
	after, err := readContinue(q.Continue)
	if err != nil {
		return out, err
	}
	if q.Limit == 0 {
		q.Limit = UsualItems
	}
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		p := core.Page{After: after, Where: q.Where, Limit: q.Limit - len(out.Items), Work: work}
		var part core.Listed[D]
		v.Read(func(s *scheduler.Scheduler) { part = list(s, &p) })
		for i := range part.Items {
			out.Items = append(out.Items, object(&part.Items[i]))
		}
		after, more = part.Next, part.More
		if more && len(out.Items) >= q.Limit {
			out.Continue = writeContinue(after)
			return out, nil
		}
	}
	return out, nil
}

func one[D, T any](v *server.View, name string, find func(*scheduler.Scheduler, string) (D, bool), object func(*D) T) (o T, ok bool) {
	var d D
	v.Read(func(s *scheduler.Scheduler) { d, ok = find(s, name) })
	if ok {
		o = object(&d)
	}
	return o, ok
}

// Where a list goes on is opaque to clients: it may become something else.
func writeContinue(k core.Key) string {
	text, _ := json.Marshal(k) // strings and a number
	return base64.RawURLEncoding.EncodeToString(text)
}

func readContinue(text string) (k core.Key, err error) {
	if text == "" {
		return k, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(data, &k)
	}
	if err != nil || k.Name == "" {
		return k, ErrContinue
	}
	return k, nil
}
