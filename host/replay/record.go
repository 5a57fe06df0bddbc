package replay

import (
	"io"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// Recorder writes the journal of a run as a host keeps it: the inputs of the source, before them the modules and the
// configuration that were given aside, and after each instant what policies answered that are not pure. Replayed, it
// decides the same without those policies.
type Recorder struct {
	encoder *journal.Encoder
	begun   bool
	err     error // the first
}

// NewRecorder writes to w, with times in a form.
func NewRecorder(w io.Writer, form journal.Form) *Recorder {
	return &Recorder{encoder: journal.NewEncoder(w, form)}
}

// Flush writes what is still held back. It returns the first error there was.
func (r *Recorder) Flush() error {
	if err := r.encoder.Flush(); r.err == nil {
		r.err = err
	}
	return r.err
}

// begin writes what comes before the first input of the source.
func (r *Recorder) begin(at time.Duration, o *Options) {
	if r.begun {
		return
	}
	r.begun = true
	r.keep(r.encoder.Header(o.Times.Header()))
	for _, in := range o.Policies {
		r.input(at, in)
	}
	if o.Config != nil {
		r.input(at, core.Input{Event: o.Config})
	}
}

func (r *Recorder) input(at time.Duration, in core.Input) {
	in.At = at
	r.entry(&journal.Entry{Input: in, Count: 1})
}

func (r *Recorder) entry(e *journal.Entry) { r.keep(r.encoder.Entry(e)) }

func (r *Recorder) answers(at time.Duration, list []core.Answers) {
	for i := range list {
		r.input(at, core.Input{Event: &core.RecordAnswers{Answers: list[i]}})
	}
}

func (r *Recorder) keep(err error) {
	if r.err == nil {
		r.err = err
	}
}
