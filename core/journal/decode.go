package journal

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
)

// Decoder reads a journal line by line. It holds one line in memory.
type Decoder struct {
	lines    lineReader
	scan     scanner
	file     string
	readFile func(path string) ([]byte, error)
	live     bool // lines have no times; see NewInputDecoder
	pool     pool

	entry   Entry
	values  values
	release core.ReleaseAllocation // the last release, if events are reused
	reuse   bool
	milli   milli
	shape   shape
	keys    []key // of the last line, in order
	header  Header
	begun   bool  // an object has been read
	err     error // result of all further calls of Next

	form     Form
	at       time.Duration // the last time
	lastText []byte        // text of the last time, since most lines repeat it
}

// NewDecoder reads a journal from r. The file is its name in errors. readFile reads the `file` of an input, whose path is relative to
// the journal's. If readFile is nil, lines with such inputs are errors.
func NewDecoder(r io.Reader, file string, readFile func(path string) ([]byte, error)) *Decoder {
	return &Decoder{lines: newLineReader(r), file: file, readFile: readFile, pool: newPool()}
}

// Reset makes the decoder read another journal of the same kind. It costs less than a new decoder.
func (d *Decoder) Reset(r io.Reader, file string) {
	d.lines.reset(r)
	*d = Decoder{lines: d.lines, file: file, readFile: d.readFile, live: d.live, reuse: d.reuse, milli: d.milli, pool: d.pool}
}

// Reuse makes each event overwrite the previous one, so that it costs no memory. Like its entry, an event is then valid until the next
// call. A Slot keeps it for longer.
func (d *Decoder) Reuse() { d.reuse = true }

// NewInputDecoder reads inputs to which a host gives its own time, such as the body of a request. They must not have at, nor run or
// count, which only a replay uses. The first line of a journal, policy answers and parts of snapshots are errors.
func NewInputDecoder(r io.Reader, file string) *Decoder {
	d := NewDecoder(r, file, nil)
	d.live = true
	return d
}

// Form returns the form of the journal's times, or UnknownForm before the first time.
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

// broken records an error of the reader.
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

// decode reads an object into d.entry, d.values and d.shape, or sets a fault.
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
			seen.add(k)
			d.value(k)
		}
	}
	s.end()
	d.complete(seen)
}

// key reads the next key of the object, which is the n-th from 0. Most lines have the same keys as the previous line, without spaces.
// Then one comparison reads the key and its punctuation.
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

// keyText returns a key for an error, without quotes if it is short and printable.
func keyText(name string) string {
	quoted := excerpt([]byte(name))
	if plain := strings.Trim(quoted, `"`); plain == name {
		return plain
	}
	return quoted
}

// complete checks the keys of a line against its type.
func (d *Decoder) complete(seen keySet) {
	if d.scan.fault != nil {
		return
	}
	if !seen.has(keyType) {
		d.lacks(keyType, "a type")
		return
	}
	typ := string(d.shape.typ)
	if extra := seen.without(d.shape.required).without(d.shape.optional); !extra.empty() {
		d.scan.fault = &Error{Key: extra.first().String(), Expected: "a key of " + typ, Found: "one that it does not have"}
		return
	}
	required := d.shape.required
	if d.live {
		if d.foreign(seen) {
			return
		}
		required = required.without(setOf(keyAt))
		if d.longName() || d.longInput() {
			return
		}
	}
	if missing := required.without(seen); !missing.empty() {
		d.lacks(missing.first(), "the key, which "+typ+" needs")
		return
	}
	switch d.shape.typ {
	case core.AskAdd, core.AllocationRestore:
		d.gang(seen)
		d.topology(seen)
		d.made(seen)
		if d.scan.fault == nil {
			d.askDevices(seen)
		}
	case core.AskUpdate:
		d.askDevices(seen)
	case core.NodeAdd, core.NodeUpdate:
		d.nodeDevices()
	case core.AppAdd:
		d.unit(seen)
	case core.WindowAdd:
		d.window(seen)
		if d.entry.Numbered { // it is the number of nodes, not of asks
			d.values.count, d.entry.Count, d.entry.Numbered = d.entry.Count, 1, false
		}
	case core.ConfigSet:
		d.configText(seen)
		d.learnDeviceTypes()
	case core.PolicyAnswers:
		d.oneOf(seen, keyKeys, keyFault)
	case journalType:
		if seen.has(keyUntil) {
			d.headerUntil()
		}
		d.named()
		return
	}
	if d.scan.fault != nil {
		return
	}
	d.values.seen = seen
	d.entry.Input.Event = d.event()
}

// whyForeign returns why a key must not be in an input to which a host gives the time.
func whyForeign(k key) string {
	switch k {
	case keyRun:
		return "on a host a client releases its allocations by allocation.release"
	case keyCount:
		return "on a host each ask is an input of its own"
	}
	return "the host sets the time of inputs"
}

// foreign sets a fault if an input to which a host gives the time has a key or type that it must not have. It reports whether there is
// a fault.
func (d *Decoder) foreign(seen keySet) bool {
	foreign := setOf(keyAt, keyRun, keyCount)
	if d.shape.typ == core.WindowAdd {
		foreign = setOf(keyAt) // its count is of nodes
	}
	switch given := seen.and(foreign); {
	case !given.empty():
		d.scan.fault = &Error{Key: given.first().String(), Expected: "no such key, since " + whyForeign(given.first()), Found: "one"}
	case d.shape.typ == journalType || d.shape.typ == core.PolicyAnswers || d.shape.typ == core.StateSet:
		d.scan.fault = &Error{Key: keyType.String(), Expected: "the type of an input that a client sends", Found: string(d.shape.typ)}
	}
	return d.scan.fault != nil
}

// longName sets a fault if a live input has an ID that is too long, since decisions would have to repeat it. It reports whether it
// does. The scheduler refuses other texts that are too long, and in files also IDs, by a decision.
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

// mostInput is the maximum size of a live input in bytes, except for configurations. It is several times the total of the limits of
// texts, and keeps inputs that the scheduler would refuse out of the record.
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

// oneOf checks that a line has exactly one of two keys. It reports whether it does.
func (d *Decoder) oneOf(seen keySet, a, b key) bool {
	switch {
	case seen.has(a) && seen.has(b):
		d.scan.fault = &Error{Key: b.String(), Expected: fmt.Sprintf("either %v or %v", a, b), Found: "both"}
	case !seen.has(a) && !seen.has(b):
		d.lacks(a, fmt.Sprintf("either %v or %v", a, b))
	}
	return d.scan.fault == nil
}

// gang checks that the keys of a gang are complete, and applies its disruption.
func (d *Decoder) gang(seen keySet) {
	given := seen.and(setOf(keyGang, keyGangMin, keyGangTimeout, keyGangFallback, keyGangDisruption, keyGangRepair, keyGangMax, keyGangSet, keyGangSetMin, keyTopologySlice))
	if missing := setOf(keyGang, keyGangMin).without(seen); !given.empty() && !missing.empty() {
		d.lacks(missing.first(), "the key, which "+given.first().String()+" needs")
		return
	}
	if g := d.values.ask.Ask.Gang; seen.has(keyGangMax) && g.Max < g.Min {
		d.scan.fault = &Error{Key: keyGangMax.String(), Expected: fmt.Sprintf("at least gang_min, which is %d", g.Min), Found: strconv.Quote(strconv.Itoa(g.Max))}
		return
	}
	if seen.has(keyGangSet) != seen.has(keyGangSetMin) {
		d.gangSetLacks(seen)
		return
	}
	if !seen.has(keyGangDisruption) {
		return
	}
	switch of := core.Disruption(d.values.disruption); of {
	case core.DisruptWhole, core.DisruptMember:
		d.values.ask.Ask.Gang.Disruption = of
	case disruptionUnit:
	default:
		d.scan.fault = &Error{Key: keyGangDisruption.String(), Expected: "unit, whole or member", Found: excerpt([]byte(d.values.disruption))}
	}
}

// unit applies the disruption of an application's placeholders.
func (d *Decoder) unit(seen keySet) {
	if !seen.has(keyGangDisruption) {
		return
	}
	switch of := d.values.disruption; of {
	case disruptionUnit:
		d.placeholders().Unit = true
	case string(core.DisruptMember):
	default:
		d.scan.fault = &Error{Key: keyGangDisruption.String(), Expected: "unit or member", Found: excerpt([]byte(of))}
	}
}

// gangSetLacks sets a fault, since one of the keys of a set of gangs is given without the other.
func (d *Decoder) gangSetLacks(seen keySet) {
	given, missing := keyGangSet, keyGangSetMin
	if seen.has(keyGangSetMin) {
		given, missing = missing, given
	}
	d.lacks(missing, "the key, which "+given.String()+" needs")
}

// topology checks that an ask gives at most one level.
func (d *Decoder) topology(seen keySet) {
	if d.scan.fault == nil && seen.has(keyTopologyRequired) && seen.has(keyTopologyPreferred) {
		d.scan.fault = &Error{Key: keyTopologyPreferred.String(), Expected: fmt.Sprintf("either %v or %v", keyTopologyRequired, keyTopologyPreferred), Found: "both"}
	}
}

// configText reads the configuration file that the line names, if any.
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
