package stream

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/files/safefile"
)

// Workload is what a replay runs: inputs in order of time, from one or several places.
type Workload struct {
	Source journal.Source
	Name   string          // for people
	Form   journal.Form    // how its times are written
	Start  time.Duration   // of the first input
	Config *core.SetConfig // the configuration that a trace brings; nil: none
	// Headers are what the first lines of journals say of how to replay them.
	Headers []journal.Header
	closer  []io.Closer // in this order
	waits   bool        // one of its readers does
	unread  func(applied map[string]int) (n int, known bool)
}

// Close closes the files.
func (w *Workload) Close() error {
	var all []error
	for _, c := range w.closer {
		all = append(all, c.Close())
	}
	return errors.Join(all...)
}

// Journals opens journals. Their inputs merge by time, ties in the order of the names.
func Journals(names []string, env Env) (*Workload, error) {
	w := &Workload{}
	sources := make([]journal.Source, 0, len(names))
	for _, name := range names {
		p, err := w.open(name, env)
		if err != nil {
			_ = w.Close()
			return nil, err
		}
		if p.err == nil && (w.Form == journal.UnknownForm || p.entry.Input.At < w.Start) {
			w.Form, w.Start = p.Form(), p.entry.Input.At
		}
		if h, ok := p.decoder.Header(); ok {
			w.Headers = append(w.Headers, h)
		}
		sources = append(sources, p)
	}
	w.Name = nameOf(names)
	w.Source = journal.Merge(sources...)
	w.readAhead()
	w.unread = func(applied map[string]int) (int, bool) { return w.linesAfter(names, applied, env) }
	return w, nil
}

// readAhead lets the source read ahead. One that may have to wait for a writer does not: its entries are to be applied as
// they come.
func (w *Workload) readAhead() {
	if w.waits {
		return
	}
	a := readAhead(w.Source)
	w.Source, w.closer = a, append([]io.Closer{a}, w.closer...)
}

// opens opens a file for the workload.
func (w *Workload) opens(name string, env Env) (io.Reader, error) {
	r, err := open(name, env)
	if err != nil {
		return nil, err
	}
	w.closer = append(w.closer, r)
	w.waits = w.waits || r.waits
	return r, nil
}

func (w *Workload) open(name string, env Env) (*peeked, error) {
	r, err := w.opens(name, env)
	if err != nil {
		return nil, err
	}
	p := &peeked{decoder: journal.NewDecoder(r, path(name), env.readSmall)}
	p.decoder.Reuse()
	p.decoder.SetDeviceTypes(env.DeviceTypes)
	p.entry, p.err = p.decoder.Next()
	p.held = true
	return p, nil
}

// path is what a journal's own files are relative to, and what messages call it.
func path(name string) string {
	if name == Stdin {
		return shown(name)
	}
	return name
}

func shown(name string) string {
	if name == Stdin {
		return "stdin"
	}
	return name
}

func nameOf(names []string) string {
	first := filepath.Base(shown(names[0]))
	if len(names) == 1 {
		return first
	}
	return fmt.Sprintf("%s and %d more", first, len(names)-1)
}

// readSmall reads a configuration that a journal names.
func (e Env) readSmall(name string) ([]byte, error) {
	if e.Opened != nil {
		info, err := os.Stat(name)
		if err != nil {
			return nil, safefile.WithPath(name, err)
		}
		if err := e.Opened(name, info); err != nil {
			return nil, err
		}
	}
	return safefile.Read(name, maxText)
}

// peeked is a decoder whose first entry was read ahead, to know the form and the start of its times.
type peeked struct {
	decoder *journal.Decoder
	entry   *journal.Entry
	err     error
	held    bool
}

// Next returns the entry that was read ahead, then the others.
func (p *peeked) Next() (*journal.Entry, error) {
	if p.held {
		p.held = false
		return p.entry, p.err
	}
	return p.decoder.Next()
}

// Form is how the times are written.
func (p *peeked) Form() journal.Form { return p.decoder.Form() }
