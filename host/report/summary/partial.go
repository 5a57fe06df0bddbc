package summary

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/quern-project/quern/host/format"
)

// Cause is why a run ended before its workload. The values are part of the interface.
type Cause string

// The causes.
const (
	Until       Cause = "until"       // --until, or the first line of a journal
	BadLine     Cause = "bad-line"    // an input that cannot be used
	Failed      Cause = "failed"      // any other error
	Interrupted Cause = "interrupted" // Ctrl-C
)

// Partial says where a run ended before its workload, and why.
type Partial struct {
	Cause   Cause
	Message string        // of the error, or what set the end
	At      time.Duration // since the start
	Time    string        // likewise, as the journal writes its times; empty: no input was replayed
	Unread  int           // lines of journals, or inputs of a trace, that were not replayed, if Counted
	Counted bool
	AtLeast bool // Unread is where counting stopped
}

// String says it in a sentence or two.
func (p *Partial) String() string {
	where := "before the first input"
	if p.Time != "" {
		where = "at " + p.Time
	}
	switch p.Cause {
	case Interrupted:
		return "Interrupted: these are the results until then."
	case Until:
		return fmt.Sprintf("Partial: the run ended %s, as set by %s, and %s.", where, format.Line(p.Message), p.rest())
	case BadLine:
		return fmt.Sprintf("Partial: the run ended %s, and %s, since one is unusable: %s", where, p.rest(), format.Line(p.Message))
	}
	return fmt.Sprintf("Partial: the run ended %s, and %s, because of an error: %s", where, p.rest(), format.Line(p.Message))
}

// rest says how much was not replayed.
func (p *Partial) rest() string {
	switch {
	case !p.Counted:
		return "later inputs were not replayed"
	case p.AtLeast:
		return "at least " + format.Grouped(p.Unread) + " inputs were not replayed"
	case p.Unread == 1:
		return "one input was not replayed"
	}
	return format.Grouped(p.Unread) + " inputs were not replayed"
}

// MarshalJSON writes an object for programs.
func (p *Partial) MarshalJSON() ([]byte, error) {
	o := struct {
		Cause     Cause   `json:"cause"`
		Message   string  `json:"message,omitempty"`
		StoppedAt float64 `json:"stopped_at_seconds"`
		Unread    *int    `json:"inputs_not_replayed,omitempty"`
		AtLeast   bool    `json:"at_least,omitempty"`
	}{p.Cause, p.Message, p.At.Seconds(), nil, p.AtLeast}
	if p.Counted {
		o.Unread = &p.Unread
	}
	return json.Marshal(o)
}

// writePartial writes the sentences about runs that were partial, each once, before their figures.
func writePartial(w io.Writer, runs []Named, style Style) {
	var said []string
	for _, r := range runs {
		if r.Summary == nil || r.Partial == nil || r.Partial.Cause == Interrupted {
			continue
		}
		if text := r.Partial.String(); !slices.Contains(said, text) {
			said = append(said, text)
			fmt.Fprintf(w, "%s\n\n", style.bold(format.Wrap(text, terminal)))
		}
	}
}
