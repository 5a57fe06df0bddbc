// Package explain answers why something waits, and whom an ask would preempt: it asks a scheduler, and writes the answer for people or programs.
package explain

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
)

// Scheduler is whom to ask.
type Scheduler interface {
	Now() time.Duration
	ExplainAsk(id string) (core.AskExplanation, bool)
	ExplainApp(id string) (core.AppExplanation, bool)
	ExplainQueue(path string) (core.QueueExplanation, bool)
	ExplainPreemption(id string) (core.PreemptionExplanation, bool)
	ExplainMax(path string, limit resource.Set) (core.MaxExplanation, bool)
}

// Kind says what a question is about.
type Kind string

// The kinds.
const (
	Ask   Kind = "ask"
	App   Kind = "app"
	Queue Kind = "queue"
	// Preemption is about whom an ask would preempt.
	Preemption Kind = "preemption"
	// Max is about what a queue would give back if it had another max.
	Max Kind = "max"
)

// UnknownError says that there is no such thing at that moment.
type UnknownError struct {
	Kind Kind
	Name string
	At   string
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no %s %q at %s", map[Kind]string{Ask: "ask", Preemption: "ask", App: "application", Queue: "queue", Max: "queue"}[e.Kind], e.Name, e.At)
}

// Answer is what is to be written: sentences, or an object.
type Answer struct {
	Text   string
	object any
}

// Question asks about a thing.
type Question struct {
	Kind     Kind
	Name     string
	Max      resource.Set // of Max: the other max
	Absolute bool         // times are dates
}

// Put puts a question to a scheduler.
func (q Question) Put(s Scheduler) (Answer, error) {
	w := writer{at: s.Now(), absolute: q.Absolute}
	switch q.Kind {
	case Ask:
		if e, ok := s.ExplainAsk(q.Name); ok {
			return Answer{e.Text, w.ask(e)}, nil
		}
	case Preemption:
		if e, ok := s.ExplainPreemption(q.Name); ok {
			return Answer{e.Text, w.preemption(e)}, nil
		}
		if e, ok := s.ExplainAsk(q.Name); ok {
			return Answer{}, &NoPreemptionError{q.Name, e.Node, w.time(s.Now())}
		}
	case App:
		if e, ok := s.ExplainApp(q.Name); ok {
			return Answer{e.Text, w.app(e)}, nil
		}
	case Max:
		if e, ok := s.ExplainMax(q.Name, q.Max); ok {
			return Answer{e.Text, w.max(e)}, nil
		}
	case Queue:
		if e, ok := s.ExplainQueue(q.Name); ok {
			return Answer{e.Text, w.queue(e)}, nil
		}
	}
	return Answer{}, &UnknownError{q.Kind, q.Name, w.time(s.Now())}
}

// mostText bounds the sentences of an answer, in characters: names in them may be of any length.
const mostText = 8000

// Write writes the answer.
func (a Answer) Write(w io.Writer, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprintln(w, format.Within(a.Text, mostText))
		return err
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(a.object)
}
