// Package explanation answers why something waits, which allocations an ask would preempt, where an application would go, and what users
// may do and use: it asks a scheduler, and writes the answer for people or programs.
package explanation

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/nearest"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/replay"
)

// Scheduler answers questions.
type Scheduler interface {
	Now() time.Duration
	ExplainAsk(id string) (explain.AskExplanation, bool)
	ExplainApp(id string) (explain.AppExplanation, bool)
	ExplainQueue(path string) (explain.QueueExplanation, bool)
	ExplainWindow(id string) (explain.WindowExplanation, bool)
	ExplainPreemption(id string) (explain.PreemptionExplanation, bool)
	Consolidate(id string) (explain.Consolidation, bool)
	GangMember(app, gang string) string
	ExplainMax(path string, limit resource.Set) (explain.MaxExplanation, bool)
	ExplainPlacement(in *core.AddApp) explain.PlacementExplanation
	Access(queue, user string, groups []string) (explain.AccessExplanation, bool)
	SuggestNames(kind core.ObjectKind, name string) []string
	LimitUsage() []core.LimitUsage
}

// Kind says what a question is about.
type Kind string

// The kinds.
const (
	Ask   Kind = "ask"
	App   Kind = "app"
	Queue Kind = "queue"
	// Window is about when a window opens, and who is on its nodes.
	Window Kind = "window"
	// Preemption is about what an ask would preempt.
	Preemption Kind = "preemption"
	// Forecast is about when an ask will start. Its answers come from Told.
	Forecast Kind = "forecast"
	// Consolidation is about the moves that would make room for an ask, or for a gang of an application.
	Consolidation Kind = "consolidation"
	// Max is about what a queue would release if it had another max.
	Max Kind = "max"
	// Access is about what a user may do in a queue.
	Access Kind = "access"
	// Limits is about what users and groups use where limits hold for them.
	Limits Kind = "limits"
	// Place is about where an application would go.
	Place Kind = "place"
)

// UnknownError says that there is no such thing at that moment.
type UnknownError struct {
	Kind Kind
	Name string
	At   string
	// Meant are names that are like it.
	Meant []string
}

func (e *UnknownError) Error() string {
	thing := map[Kind]string{Ask: "ask", Preemption: "ask", Forecast: "ask", Consolidation: "ask", App: "application", Queue: "queue", Max: "queue", Access: "queue", Window: "window"}[e.Kind]
	return fmt.Sprintf("there is no %s %q at %s", thing, e.Name, e.At) + nearest.Hint(e.Meant)
}

// Answer is what is to be written: sentences, or an object.
type Answer struct {
	paragraphs []string
	object     any
}

// says is an answer of one paragraph.
func says(text string, object any) Answer { return Answer{[]string{text}, object} }

// Question asks about a thing.
type Question struct {
	Kind Kind
	Name string       // of the ask, the application or the queue
	Gang string       // of Consolidation, instead of an ask: the gang of the application Name
	Max  resource.Set // of Max: the other max
	User *string      // of Access and Place and, where it is asked about one, of Limits
	// Groups are those of the user or, of Limits, those that are asked about.
	Groups   []string
	App      Application // of Place
	Absolute bool        // times are dates
	// Endings are those of asks and applications that are not there any more; nil: they are not known.
	Endings Endings
	// Replayed is how the ask came to be allocated in a replay, and Story as a host tells it; nil: it is not known.
	Replayed *replay.Story
	Story    *Story
	// Untold says in a sentence why a host cannot tell it; empty: not asked for.
	Untold string
}

// Put puts a question to a scheduler.
func (q Question) Put(s Scheduler) (Answer, error) {
	w := writer{at: s.Now(), absolute: q.Absolute}
	switch q.Kind {
	case Ask:
		if e, ok := s.ExplainAsk(q.Name); ok {
			return q.withStory(w, e.Text, w.ask(e)), nil
		}
	case Preemption:
		if e, ok := s.ExplainPreemption(q.Name); ok {
			return says(e.Text, w.preemption(e)), nil
		}
		if e, ok := s.ExplainAsk(q.Name); ok {
			hint := ", since only pending asks preempt"
			if e.Node == "" {
				hint = "; explain it without --preempt"
			}
			return Answer{}, &NotPendingError{q.Name, e.Node, w.time(s.Now()), hint}
		}
	case Consolidation:
		return q.consolidation(w, s)
	case App:
		if e, ok := s.ExplainApp(q.Name); ok {
			return says(e.Text, w.app(e)), nil
		}
	case Max:
		if e, ok := s.ExplainMax(q.Name, q.Max); ok {
			return says(e.Text, w.max(e)), nil
		}
	case Queue:
		if e, ok := s.ExplainQueue(q.Name); ok {
			return says(e.Text, w.queue(e)), nil
		}
	case Window:
		if e, ok := s.ExplainWindow(q.Name); ok {
			return says(e.Text, w.window(e)), nil
		}
	case Access:
		if e, ok := s.Access(q.Name, *q.User, q.Groups); ok {
			return says(e.Text, w.access(*q.User, q.Groups, e)), nil
		}
	case Limits:
		return w.limits(q, s.LimitUsage()), nil
	case Place:
		in := q.submission()
		e := s.ExplainPlacement(in)
		return says(e.Text, w.place(in, e)), nil
	}
	return q.absent(w, s)
}

// Write writes the answer.
func (a Answer) Write(w io.Writer, asJSON bool) error {
	if !asJSON {
		for _, p := range a.paragraphs {
			if err := format.Paragraph(w, p); err != nil {
				return err
			}
		}
		return nil
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(a.object)
}
