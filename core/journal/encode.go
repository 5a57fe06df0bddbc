package journal

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/quern-project/quern/core/resource"
)

// flushAt is the number of bytes that an Encoder buffers before it writes.
const flushAt = 64 << 10

// Encoder writes inputs and decisions in canonical form: keys in a fixed order without spaces, sets and maps sorted bytewise, and texts
// as UTF-8 in which only quotes, backslashes and control characters are escaped. After an error, all calls return it. Encoding a line
// allocates no memory.
type Encoder struct {
	w    io.Writer
	form Form
	buf  []byte
	err  error
}

// firstBuffer has room for a few lines, since many encoders write only those.
const firstBuffer = 1024

// NewEncoder writes to w, with times in a form. Call Flush at the end.
func NewEncoder(w io.Writer, form Form) *Encoder {
	return &Encoder{w: w, form: form, buf: make([]byte, 0, firstBuffer)}
}

// Flush writes the buffer.
func (e *Encoder) Flush() error {
	if e.err == nil && len(e.buf) > 0 {
		if _, err := e.w.Write(e.buf); err != nil {
			e.err = fmt.Errorf("writing the journal: %w", err)
		}
	}
	e.buf = e.buf[:0]
	return e.err
}

// finish ends a line.
func (e *Encoder) finish() error {
	e.buf = append(e.buf, '\n')
	if len(e.buf) >= flushAt {
		return e.Flush()
	}
	return e.err
}

// key begins a member other than the first.
func (e *Encoder) key(name string) {
	e.buf = append(e.buf, ',', '"')
	e.buf = append(e.buf, name...)
	e.buf = append(e.buf, '"', ':')
}

func (e *Encoder) at(at time.Duration) {
	e.buf = append(e.buf, '"')
	e.buf = appendAt(e.buf, at, e.form)
	e.buf = append(e.buf, '"')
}

func (e *Encoder) text(name, value string) {
	e.key(name)
	e.buf = appendText(e.buf, value)
}

// given writes a text unless it is empty.
func (e *Encoder) given(name, value string) {
	if value != "" {
		e.text(name, value)
	}
}

func (e *Encoder) integer(name string, value int64) {
	e.key(name)
	e.buf = strconv.AppendInt(e.buf, value, 10)
}

// flag writes a Boolean unless it has its default value.
func (e *Encoder) flag(name string, value, usual bool) {
	if value != usual {
		e.key(name)
		e.buf = strconv.AppendBool(e.buf, value)
	}
}

// resources writes a set. Inputs include zeros; decisions do not.
func (e *Encoder) resources(name string, set resource.Set, zeros bool) {
	e.key(name)
	e.buf = append(e.buf, '{')
	first := true
	for _, q := range set {
		if q.Value == 0 && !zeros {
			continue
		}
		e.separate(&first)
		e.buf = append(appendText(e.buf, q.Type), ':')
		if q.InThousandths() {
			e.buf = append(strconv.AppendInt(append(e.buf, '"'), q.Value, 10), `m"`...)
			continue
		}
		e.buf = strconv.AppendInt(e.buf, q.Value, 10)
	}
	e.buf = append(e.buf, '}')
}

func (e *Encoder) separate(first *bool) {
	if !*first {
		e.buf = append(e.buf, ',')
	}
	*first = false
}

func (e *Encoder) texts(name string, values []string) {
	e.key(name)
	e.list(values)
}

func (e *Encoder) list(values []string) {
	e.buf = append(e.buf, '[')
	first := true
	for _, value := range values {
		e.separate(&first)
		e.buf = appendText(e.buf, value)
	}
	e.buf = append(e.buf, ']')
}

// mapOf writes an object with sorted keys, unless the map is nil.
func mapOf[V any](e *Encoder, name string, m map[string]V, value func(V)) {
	if m == nil {
		return
	}
	e.key(name)
	e.buf = append(e.buf, '{')
	first := true
	for _, k := range slices.Sorted(maps.Keys(m)) {
		e.separate(&first)
		e.buf = append(appendText(e.buf, k), ':')
		value(m[k])
	}
	e.buf = append(e.buf, '}')
}

func (e *Encoder) textMap(name string, m map[string]string) {
	mapOf(e, name, m, func(value string) { e.buf = appendText(e.buf, value) })
}

// float writes a 64-bit number. Infinities, which JSON does not have, become the strings "+Inf" and "-Inf".
func (e *Encoder) float(value float64) error {
	switch {
	case math.IsNaN(value):
		return fmt.Errorf("writing the journal: %v is no answer of a policy", value)
	case math.IsInf(value, 1):
		e.buf = append(e.buf, `"+Inf"`...)
	case math.IsInf(value, -1):
		e.buf = append(e.buf, `"-Inf"`...)
	default:
		e.buf = strconv.AppendFloat(e.buf, value, 'g', -1, 64)
	}
	return nil
}

// unknown returns an error for a type that is not in the format.
func (e *Encoder) unknown(typ string) error {
	if e.err == nil {
		e.err = fmt.Errorf("writing the journal: unknown type %q", typ)
	}
	return e.err
}
