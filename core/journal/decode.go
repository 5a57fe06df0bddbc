package journal

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
)

// Decoder reads a journal line by line. It holds no more than one line.
type Decoder struct {
	lines    lineReader
	scan     scanner
	file     string
	readFile func(path string) ([]byte, error)
	live     bool // lines have no times: see NewInputDecoder
	pool     pool

	entry   Entry
	values  values
	release core.ReleaseAllocation // the last, where events are reused
	reuse   bool
	shape   shape
	keys    []key // of the last line, in its order
	header  Header
	begun   bool  // an object was read
	err     error // what Next returns from now on

	form     Form
	at       time.Duration // the last
	lastText []byte        // as it was written: most lines repeat it
}

// NewDecoder reads a journal from r. The file is its name in errors; readFile reads what an input's `file` names,
// whose path is taken relative to the journal's own. A nil readFile makes such inputs bad lines.
func NewDecoder(r io.Reader, file string, readFile func(path string) ([]byte, error)) *Decoder {
	return &Decoder{lines: newLineReader(r), file: file, readFile: readFile, pool: newPool()}
}

// Reset has the decoder read another journal as one that is new would, of the same kind. It costs less than making one.
func (d *Decoder) Reset(r io.Reader, file string) {
	d.lines.reset(r)
	*d = Decoder{lines: d.lines, file: file, readFile: d.readFile, live: d.live, reuse: d.reuse, pool: d.pool}
}

// Reuse has an event take the place of the one before: it is then valid until the next call, as its entry is, and costs no memory. A Slot
// keeps it for longer.
func (d *Decoder) Reuse() { d.reuse = true }

// NewInputDecoder reads inputs that a host stamps with its own time, such as the body of a request. They have no at, and neither run nor
// count, which are a replayer's. A first line that names the format and what policies answered have no place among them.
func NewInputDecoder(r io.Reader, file string) *Decoder {
	d := NewDecoder(r, file, nil)
	d.live = true
	return d
}

// Form returns how the journal writes its times, UnknownForm before the first.
func (d *Decoder) Form() Form { return d.form }

// Next implements Source.
func (d *Decoder) Next() (*Entry, error) {
	for d.err == nil {
		line, err := d.lines.next()
		if err != nil {
			return nil, d.broken(err)
		}
		line = bytes.TrimLeft(line, " \t\r")
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		d.decode(line)
		if fault := d.scan.fault; fault != nil {
			fault.File, fault.Line = d.file, d.lines.number
			d.err = fault
			break
		}
		d.begun = true
		if d.shape.typ != journalType {
			return &d.entry, nil
		}
	}
	return nil, d.err
}

// broken keeps what the reader answered.
func (d *Decoder) broken(err error) error {
	switch {
	case err == io.EOF:
		d.err = err
	case err == errLongLine:
		d.err = &Error{File: d.file, Line: d.lines.number, Expected: "at most 16 MiB", Found: "a longer line"}
	default:
		d.err = &Error{File: d.file, Line: d.lines.number, Expected: "a line", Found: err.Error(), Err: err}
	}
	return d.err
}

// decode reads one object into d.entry and d.shape, or leaves a fault.
func (d *Decoder) decode(line []byte) {
	s := &d.scan
	s.reset(line)
	s.validUTF8()
	s.expect('{', "an object")
	d.entry = Entry{Count: 1, File: d.file, Line: d.lines.number}
	d.values = values{}
	d.shape = shape{}
	var seen keySet
	for n := 0; ; n++ {
		k, more := d.key(n)
		if !more {
			break
		}
		switch {
		case s.fault != nil:
		case seen.has(k):
			s.fault = &Error{Key: k.String(), Expected: "the key once", Found: "it twice"}
		default:
			seen |= 1 << k
			d.value(k)
		}
	}
	s.end()
	d.complete(seen)
}

// key moves to the next member of the object, the n-th from 0, and returns its key. Most lines have the keys of the line
// before, without spaces: then one comparison reads the key and what stands around it.
func (d *Decoder) key(n int) (key, bool) {
	s := &d.scan
	if n < len(d.keys) && s.fault == nil {
		text := keyTokens[d.keys[n]]
		if n == 0 {
			text = text[1:] // no comma
		}
		if rest := s.line[s.pos:]; len(rest) >= len(text) && string(rest[:len(text)]) == text {
			s.pos += len(text)
			return d.keys[n], true
		}
	}
	name, more := s.member(n == 0)
	if !more {
		return noKey, false
	}
	k := keyOf(name)
	switch {
	case s.fault != nil:
	case k == noKey:
		s.fault = &Error{Key: keyText(string(name)), Expected: "a key of the format", Found: "an unknown key" + d.meantKey(string(name))}
	default:
		d.keys = append(d.keys[:n], k)
	}
	return k, true
}

// keyText names a key in an error, as it is where that is short and printable.
func keyText(name string) string {
	quoted := excerpt([]byte(name))
	if plain := strings.Trim(quoted, `"`); plain == name {
		return plain
	}
	return quoted
}

// complete checks the keys that a line had against its type.
func (d *Decoder) complete(seen keySet) {
	if d.scan.fault != nil {
		return
	}
	if !seen.has(keyType) {
		d.lacks(keyType, "a type")
		return
	}
	typ := string(d.shape.typ)
	if extra := seen &^ (d.shape.required | d.shape.optional); extra != 0 {
		d.scan.fault = &Error{Key: extra.first().String(), Expected: "a key of " + typ, Found: "one that it does not have"}
		return
	}
	required := d.shape.required
	if d.live {
		if d.foreign(seen) {
			return
		}
		required &^= setOf(keyAt)
		if d.longName() || d.longInput() {
			return
		}
	}
	if missing := required &^ seen; missing != 0 {
		d.lacks(missing.first(), "the key, which "+typ+" needs")
		return
	}
	switch d.shape.typ {
	case core.AskAdd, core.AllocationRestore:
		d.gang(seen)
	case core.ConfigSet:
		d.configText(seen)
	case core.PolicyAnswers:
		d.oneOf(seen, keyKeys, keyFault)
	case journalType:
		d.named()
		return
	}
	d.values.seen = seen
	d.entry.Input.Event = d.event()
}

// whyForeign says why a key has no place in a line that a host stamps.
func whyForeign(k key) string {
	switch k {
	case keyRun:
		return "on a host a client releases its allocations by allocation.release"
	case keyCount:
		return "on a host each ask is an input of its own"
	}
	return "the host sets the time of inputs"
}

// foreign refuses what has no place in a line that a host stamps, and reports whether it did.
func (d *Decoder) foreign(seen keySet) bool {
	switch given := seen & setOf(keyAt, keyRun, keyCount); {
	case given != 0:
		d.scan.fault = &Error{Key: given.first().String(), Expected: "no such key, since " + whyForeign(given.first()), Found: "one"}
	case d.shape.typ == journalType || d.shape.typ == core.PolicyAnswers || d.shape.typ == core.StateSet:
		d.scan.fault = &Error{Key: keyType.String(), Expected: "the type of an input that a client sends", Found: string(d.shape.typ)}
	}
	return d.scan.fault != nil
}

// longName refuses a live input whose IDs are too long, and reports whether it did: a decision would have to repeat them. By decision, the
// scheduler refuses other texts that are too long, and IDs in a file.
func (d *Decoder) longName() bool {
	ask := &d.values.ask
	for _, name := range []struct {
		key  key
		text string
	}{{keyID, ask.ID}, {keyApp, ask.App}, {keyBy, d.entry.Input.By}} {
		if len(name.text) > core.MostName {
			d.scan.fault = &Error{Key: name.key.String(), Expected: fmt.Sprintf("at most %d bytes", core.MostName), Found: fmt.Sprintf("%d", len(name.text))}
			return true
		}
	}
	return false
}

// mostInput bounds a live input that is no configuration, in bytes. It is several times what the bounds of texts allow, and keeps what the
// scheduler refuses out of the record.
const mostInput = 1 << 20

func (d *Decoder) longInput() bool {
	if n := len(d.scan.line); n > mostInput && d.shape.typ != core.ConfigSet {
		d.scan.fault = &Error{Expected: fmt.Sprintf("at most %d bytes for %s", mostInput, d.shape.typ), Found: fmt.Sprintf("%d", n)}
		return true
	}
	return false
}

func (d *Decoder) lacks(k key, expected string) {
	d.scan.fault = &Error{Key: k.String(), Expected: expected, Found: "none"}
}

// oneOf checks that a line has exactly one of two keys, and reports whether it does.
func (d *Decoder) oneOf(seen keySet, a, b key) bool {
	switch {
	case seen.has(a) && seen.has(b):
		d.scan.fault = &Error{Key: b.String(), Expected: fmt.Sprintf("either %v or %v", a, b), Found: "both"}
	case !seen.has(a) && !seen.has(b):
		d.lacks(a, fmt.Sprintf("either %v or %v", a, b))
	}
	return d.scan.fault == nil
}

// gang checks that the keys of a gang are complete.
func (d *Decoder) gang(seen keySet) {
	given := seen & setOf(keyGang, keyGangMin, keyGangTimeout, keyGangFallback)
	if missing := setOf(keyGang, keyGangMin) &^ seen; given != 0 && missing != 0 {
		d.lacks(missing.first(), "the key, which "+given.first().String()+" needs")
	}
}

// configText fetches a configuration that the line names by file.
func (d *Decoder) configText(seen keySet) {
	in := &d.values.config
	if !d.oneOf(seen, keyConfig, keyFile) || !seen.has(keyFile) {
		return
	}
	if d.readFile == nil {
		d.scan.fault = &Error{Key: keyFile.String(), Expected: "the text under config", Found: "a file, which cannot be read here"}
		return
	}
	if !path.IsAbs(in.File) {
		in.File = path.Join(path.Dir(d.file), in.File)
	}
	text, err := d.readFile(in.File)
	if err != nil {
		d.scan.fault = &Error{Key: keyFile.String(), Expected: "a file that can be read", Found: err.Error(), Err: err}
		return
	}
	in.Config = string(text)
	if in.Format == "" && strings.HasSuffix(strings.ToLower(in.File), ".toml") {
		in.Format = formatTOML
	}
}
