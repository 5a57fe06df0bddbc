package rpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// latest bounds every time that a caller names, so that no timer behind it leaves the range of a Duration.
const latest = 291 * 365 * 24 * time.Hour

// maxInputs bounds the inputs of a journal, the asks of a count one by one: a short line may stand for billions.
const maxInputs = 1 << 20

// lines writes entries and decisions as lines of a journal, again and again into the same memory.
type lines struct {
	form    journal.Form
	encoder *journal.Encoder
	out     bytes.Buffer
}

// in has times written in a form from now on.
func (l *lines) in(form journal.Form) *lines {
	if l.encoder == nil || l.form != form {
		l.form, l.encoder = form, journal.NewEncoder(&l.out, form)
	}
	return l
}

// settled returns what was written, valid until the next call. An encoder keeps its error for good, so it goes.
func (l *lines) settled(err error) ([]byte, error) {
	err = errors.Join(err, l.encoder.Flush())
	if err != nil {
		l.encoder = nil
	}
	return l.out.Bytes(), err
}

func (l *lines) entry(e *journal.Entry) ([]byte, error) {
	l.out.Reset()
	return l.settled(l.encoder.Entry(e))
}

func (l *lines) decisions(list []core.Decision) ([]byte, error) {
	l.out.Reset()
	for i := range list {
		if err := l.encoder.Decision(&list[i]); err != nil {
			return l.settled(err)
		}
	}
	return l.settled(nil)
}

func (l *lines) header(h journal.Header) ([]byte, error) {
	l.out.Reset()
	return l.settled(l.encoder.Header(h))
}

// text is what journal lines say.
type text struct {
	entries []journal.Entry
	inputs  int // asks of a count one by one
	form    journal.Form
	header  journal.Header
}

// decoded reads journal lines, all or none. deviceTypes are those of the configurations before the first of them, in order.
func decoded(body []byte, deviceTypes ...[]string) (*text, error) {
	d := journal.NewDecoder(bytes.NewReader(body), "", nil)
	for _, types := range deviceTypes {
		d.SetDeviceTypes(types)
	}
	t := &text{entries: make([]journal.Entry, 0, min(bytes.Count(body, []byte(`"type"`)), maxInputs))} // entries are large: growing would copy them
	for {
		e, err := d.Next()
		if errors.Is(err, io.EOF) {
			t.form = d.Form()
			t.header, _ = d.Header()
			return t, nil
		}
		if err != nil {
			return nil, err
		}
		t.inputs += e.Count
		if t.inputs > maxInputs {
			return nil, &Error{Code: TooLarge, Line: e.Line, Message: fmt.Sprintf("line %d: expected at most %d inputs, asks of a count one by one", e.Line, maxInputs)}
		}
		t.entries = append(t.entries, *e)
	}
}

// timeOf reads a time as journals write it.
func timeOf(text string) (time.Duration, journal.Form, error) {
	if text == "" {
		return 0, journal.Relative, nil
	}
	tick, err := decoded(append(append([]byte(`{"at":`), appendText(nil, text)...), `,"type":"tick"}`...))
	if err != nil {
		return 0, 0, badKey("at", "a time as the journal writes it", text)
	}
	return tick.entries[0].Input.At, tick.form, nil
}
