package recording

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// parts writes the inputs of a history to one file after the other.
type parts struct {
	create func(began time.Time) (io.WriteCloser, error)
	clock  func() time.Time

	file   io.WriteCloser // nil: none is open
	count  counter
	encode *journal.Encoder
	began  time.Time
	now    time.Time // of what is written: all that one event causes has one time
	err    error     // the first one; nothing is written after it
}

// counter counts what goes through to a writer.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// open begins a part with a configuration.
func (p *parts) open(config string) {
	file, err := p.create(p.now)
	if err != nil {
		p.err = errors.Join(p.err, fmt.Errorf("a part of the history cannot be created: %w", err))
		return
	}
	p.file, p.began, p.count = file, p.now, counter{w: file}
	p.encode = journal.NewEncoder(&p.count, journal.Absolute)
	p.fail(p.encode.Header(journal.Header{}))
	p.input(core.Input{Event: &core.SetConfig{Config: config, Format: "yaml"}})
}

// close ends a part, with the time until which it is complete.
func (p *parts) close() {
	if p.file == nil {
		return
	}
	p.input(core.Input{Event: &core.Tick{}})
	p.flush()
	if err := p.file.Close(); err != nil {
		p.fail(fmt.Errorf("closing a part of the history: %w", err))
	}
	p.file = nil
}

// input writes an input as of now. After an error, and once the last part is closed, it does nothing.
func (p *parts) input(in core.Input) {
	if p.err != nil || p.file == nil {
		return
	}
	in.At = time.Duration(p.now.UnixNano())
	p.fail(p.encode.Entry(&journal.Entry{Input: in, Count: 1}))
}

func (p *parts) flush() {
	if p.err == nil && p.file != nil {
		p.fail(p.encode.Flush())
	}
}

func (p *parts) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// advance takes the time of the clock, unless that has gone back.
func (p *parts) advance() {
	if t := p.clock(); t.After(p.now) {
		p.now = t
	}
}
