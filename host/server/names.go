package server

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/scheduler"
)

// NameLimits bound the names that a scheduler keeps because inputs name them. It never forgets a resource type, and each makes every
// amount that it computes with longer. What the record has already is not bounded, nor is a configuration. 0: the default.
type NameLimits struct {
	// Types is how many resource types are known at most. Applications and asks may bring them to half as many, so that there is always
	// room for those of nodes.
	Types      int
	Predicates int
}

// The limits of options that set none.
const (
	DefaultTypes      = 200
	DefaultPredicates = 1_000
)

// ErrTooManyNames is wrapped by each NameError.
var ErrTooManyNames = errors.New("too many names")

// A NameError refuses an input that has a name which is one too many.
type NameError struct {
	Input  int    // of the request, from 1
	Key    string // of the input
	Detail string
}

func (e *NameError) Error() string { return fmt.Sprintf("input %d: %s: %s", e.Input, e.Key, e.Detail) }

// Unwrap returns ErrTooManyNames.
func (e *NameError) Unwrap() error { return ErrTooManyNames }

// names are those that a scheduler knows, and those that inputs brought since it was asked.
type names struct {
	limits            NameLimits
	scheduler         *scheduler.Scheduler
	types, predicates map[string]struct{}
	asked             time.Duration // when the scheduler was

	now   time.Duration
	fresh []fresh // came now: the scheduler does not know them yet
}

// fresh is a name that was added.
type fresh struct {
	known map[string]struct{}
	name  string
}

// askAgain is how long names stay that the scheduler has refused or forgotten, once there is no more room.
const askAgain = time.Second

// mostName is how long a new name may be, in bytes, as that of a user.
const mostName = 1024

func newNames(l NameLimits, s *scheduler.Scheduler) *names {
	n := &names{scheduler: s, types: map[string]struct{}{}, predicates: map[string]struct{}{}}
	n.bound(l)
	n.ask()
	return n
}

func (n *names) bound(l NameLimits) {
	n.limits = NameLimits{cmp.Or(l.Types, DefaultTypes), cmp.Or(l.Predicates, DefaultPredicates)}
}

// ask asks the scheduler which names it knows.
func (n *names) ask() {
	clear(n.types)
	clear(n.predicates)
	n.asked = n.now
	types, predicates := n.scheduler.Names()
	for _, name := range types {
		n.types[name] = struct{}{}
	}
	for _, name := range predicates {
		n.predicates[name] = struct{}{}
	}
	for _, f := range n.fresh {
		f.known[f.name] = struct{}{}
	}
}

// begin begins a time. Inputs that were admitted before have been applied.
func (n *names) begin(now time.Duration) { n.now, n.fresh = now, n.fresh[:0] }

// admit takes in the names of the input at a place, or refuses it.
func (n *names) admit(at int, in *core.Input) (refused *NameError) {
	most, who, key := n.limits.Types/2, "applications and asks", "resources"
	predicate := ""
	switch e := in.Event.(type) {
	case *core.AddNode, *core.UpdateNode:
		most, who, key = n.limits.Types, "nodes", "capacity"
	case *core.AddApp:
		if key = "tags"; e.Placeholders != nil {
			key = "placeholder_ask"
		}
	case *core.AddAsk:
		predicate = e.Ask.Predicate
	case *core.RestoreAllocation:
		predicate = e.Ask.Predicate
	case *core.UpdateAsk:
		predicate = e.Predicate
	default:
	}
	scheduler.TypesOf(in.Event, func(name string) bool {
		if !n.add(n.types, name, most) {
			refused = refusal(at, key, name, fmt.Sprintf("the resource type %q is new, and %d are known: %s may add more only while fewer than %d are (--max-resource-types %d)",
				name, len(n.types), who, most, n.limits.Types))
		}
		return refused == nil
	})
	if name := predicate; refused == nil && name != "" && !n.add(n.predicates, name, n.limits.Predicates) {
		refused = refusal(at, "predicate", name, fmt.Sprintf("the predicate %q is new, and %d are known, which is the limit (--max-predicates %d)", name, len(n.predicates), n.limits.Predicates))
	}
	return refused
}

// refusal refuses a name: it is too long, or as the text says.
func refusal(at int, key, name, text string) *NameError {
	if len(name) > mostName {
		text = fmt.Sprintf("expected a name of at most %d bytes, found %d", mostName, len(name))
	}
	return &NameError{at + 1, key, text}
}

// add adds a name, unless it is too long or there are as many as there may be.
func (n *names) add(known map[string]struct{}, name string, most int) bool {
	if _, ok := known[name]; ok {
		return true
	}
	if len(name) > mostName {
		return false
	}
	if len(known) >= most && n.now >= instant.Add(n.asked, askAgain) {
		n.ask()
	}
	if _, ok := known[name]; !ok && len(known) >= most {
		return false
	}
	known[name] = struct{}{}
	n.fresh = append(n.fresh, fresh{known, name})
	return true
}

// revoke takes back what was added after so many names of now.
func (n *names) revoke(after int) {
	for _, f := range n.fresh[after:] {
		delete(f.known, f.name)
	}
	n.fresh = n.fresh[:after]
}

// admitNames leaves out the inputs of a request that have too many names, or refuses the request; then it has been answered.
func (l *loop) admitNames(w *waiting) (admitted bool) {
	rest, before := w.Inputs, len(l.names.fresh)
	for i := range w.Inputs {
		n := len(l.names.fresh)
		e := l.names.admit(i, &w.Inputs[i])
		switch {
		case e != nil && !w.Omits:
			l.names.revoke(before)
			l.keys.forget([]*waiting{w}, e)
			w.finish(e)
			return false
		case e != nil:
			l.names.revoke(n)
			if len(w.answer.Omitted) == 0 {
				rest = append([]core.Input(nil), w.Inputs[:i]...)
			}
			w.answer.Omitted = append(w.answer.Omitted, e)
		case len(w.answer.Omitted) > 0:
			rest = append(rest, w.Inputs[i])
		}
	}
	if len(w.answer.Omitted) == 0 {
		return true
	}
	return l.omit(w, rest)
}

// omit continues a request with the rest of its inputs, if any.
func (l *loop) omit(w *waiting, rest []core.Input) bool {
	w.refused, w.answer.At = true, l.names.now
	if len(rest) == 0 {
		w.answer.First, w.answer.Last = l.numbers+1, l.numbers
		w.finish(nil)
		return false
	}
	own := *w.Request
	own.Inputs = rest
	w.Request = &own
	if err := w.prepare(); err != nil {
		w.finish(err)
		return false
	}
	return true
}
