package journal

import "time"

// Header is the content of a journal's first line about the recorded run, apart from the version of the format. The zero value
// specifies nothing.
type Header struct {
	Grace    time.Duration // how long a victim takes to leave, if HasGrace
	HasGrace bool

	// Where a replay ends: at Until if HasUntil, or, if Idle, when there are no more deadlines.
	Until    time.Duration
	HasUntil bool
	Idle     bool

	// End is when the recording stopped, if HasEnd. Decisions between the last input and End belong to it.
	End    time.Duration
	HasEnd bool

	File string // position of the line, for messages
	Line int
	form Form
}

// headed is a Source that knows the headers of its journals once its first entry was read.
type headed interface{ headers() []Header }

// Header returns the header after a call of Next, or false if the journal has none.
func (d *Decoder) Header() (Header, bool) { return d.header, d.header.Line > 0 }

func (d *Decoder) headers() []Header {
	if h, ok := d.Header(); ok {
		return []Header{h}
	}
	return nil
}

// headerValue reads the value of a key that only the first line has.
func (d *Decoder) headerValue(k key) {
	h := &d.header
	switch k {
	case keyVersion:
		d.version()
	case keyGrace:
		h.Grace, h.HasGrace = d.duration(), true
	case keyEnd:
		h.End, _ = d.moment(d.scan.text("a time in quotes"), false)
		h.HasEnd = true
	}
}

// headerUntil parses the until of the first line. It is a key of other lines as well, which have other values of it.
func (d *Decoder) headerUntil() {
	h := &d.header
	h.Until, h.Idle = d.moment([]byte(d.values.window.until), true)
	h.HasUntil = !h.Idle
	if d.scan.fault != nil {
		d.scan.fault.Key = keyUntil.String()
	}
}

// version refuses unknown versions. It does so at once, since later versions may have other keys.
func (d *Decoder) version() {
	literal := d.scan.number("a number")
	if version, ok := parseInteger(literal); d.scan.fault == nil && (!ok || version < 1 || version > formatVersion) {
		d.scan.refuse("version 1 of the format", excerpt(literal))
	}
}

// idleWord is the value of until that ends a replay when there are no more deadlines.
const idleWord = "idle"

// moment reads a time that need not be the time of an input. It sets the form of the journal's times.
func (d *Decoder) moment(text []byte, mayIdle bool) (at time.Duration, idle bool) {
	switch {
	case d.scan.fault != nil:
		return 0, false
	case mayIdle && string(text) == idleWord:
		return 0, true
	}
	at, form, expected := parseAt(text)
	switch {
	case expected != "" && mayIdle:
		d.scan.refuse(expected+", or idle", excerpt(text))
	case expected != "":
		d.scan.refuse(expected, excerpt(text))
	case d.form != UnknownForm && form != d.form:
		d.scan.refuse(d.form.String()+" as before", excerpt(text))
	default:
		d.form = form
	}
	return at, false
}

// named checks the first line, which names the format.
func (d *Decoder) named() {
	if d.begun {
		d.scan.fault = &Error{Key: keyType.String(), Expected: "the journal's version on the first line only", Found: "it later"}
		return
	}
	d.header.File, d.header.Line, d.header.form = d.file, d.lines.number, d.form
}

// Header writes the first line: the format, its version and the content of h.
func (e *Encoder) Header(h Header) error {
	e.buf = append(e.buf, `{"type":"journal","version":1`...)
	if h.HasGrace {
		e.key(keyGrace.String())
		e.buf = append(appendDuration(append(e.buf, '"'), h.Grace), '"')
	}
	switch {
	case h.Idle:
		e.text(keyUntil.String(), idleWord)
	case h.HasUntil:
		e.key(keyUntil.String())
		e.at(h.Until)
	}
	if h.HasEnd {
		e.key(keyEnd.String())
		e.at(h.End)
	}
	e.buf = append(e.buf, '}')
	return e.finish()
}
