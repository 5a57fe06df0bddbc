package format

import (
	"bytes"
	"io"
	"regexp"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// mostWritten bounds a line of a Writer, in bytes: more than any line of ours has.
const mostWritten = 16 << 10

// Writer passes text on with every character escaped that a terminal would act on; line breaks and tabs pass. Several
// goroutines may write.
type Writer struct {
	mu      sync.Mutex
	w       io.Writer
	colours bool   // the sequences that colour text pass
	json    bool   // it is JSON: escapes are those of its strings, and lines have any length
	held    []byte // the beginning of a character or of a sequence
	line    int    // bytes of the line so far
	cut     int    // bytes of the line that were left out
	columns int    // that tables are folded to; 0: any number
}

// NewWriter makes a writer of text. With colours, the sequences that set colours pass.
func NewWriter(w io.Writer, colours bool) *Writer { return &Writer{w: w, colours: colours} }

// Fold has tables folded to a number of columns, and returns the writer.
func (w *Writer) Fold(columns int) *Writer {
	w.columns = columns
	return w
}

// Columns is the number of columns that tables are folded to; 0: they are not folded.
func (w *Writer) Columns() int { return w.columns }

// NewJSONWriter makes a writer of JSON. What it writes means the same: characters outside of strings are all visible.
func NewJSONWriter(w io.Writer) *Writer { return &Writer{w: w, json: true} }

// Unwrap returns the underlying writer.
func (w *Writer) Unwrap() io.Writer { return w.w }

// Write writes text, of which the last character may be incomplete.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := append(w.held, p...)
	w.held = nil
	var out bytes.Buffer
	for len(text) > 0 {
		size := w.next(&out, text)
		if size == 0 {
			w.held = bytes.Clone(text)
			break
		}
		text = text[size:]
	}
	if out.Len() == 0 {
		return len(p), nil
	}
	if _, err := w.w.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what was held back, since it looked incomplete.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out bytes.Buffer
	for _, b := range w.held {
		w.add(&out, escape(utf8.RuneError, 1, b))
	}
	w.held = nil
	w.end(&out)
	if out.Len() == 0 {
		return nil
	}
	_, err := w.w.Write(out.Bytes())
	return err
}

// colour is a sequence that sets colours: black to white, bold or dim, and back.
var (
	colour      = regexp.MustCompile(`^\x1b\[(?:(?:0|1|2|22|3[0-79]|9[0-7])(?:;|m))*`)
	beginning   = regexp.MustCompile(`^\x1b(?:\[[0-9;]{0,12})?$`)
	endOfColour = byte('m')
)

// next writes the first character of a text, and returns its size; 0: more of it has to come.
func (w *Writer) next(out *bytes.Buffer, text []byte) int {
	if w.colours && text[0] == '\x1b' {
		if found := colour.Find(text); len(found) > 2 && found[len(found)-1] == endOfColour {
			out.Write(found)
			return len(found)
		}
		if beginning.Match(text) {
			return 0
		}
	}
	if !utf8.FullRune(text) {
		return 0
	}
	r, size := utf8.DecodeRune(text)
	switch {
	case r == '\n':
		w.end(out)
		out.WriteByte('\n')
	case r == '\t' || visible(r, size):
		w.add(out, string(text[:size]))
	case w.json:
		w.add(out, jsonEscape(r, size))
	default:
		w.add(out, escape(r, size, text[0]))
	}
	return size
}

// add adds to the line, as long as it is not too long.
func (w *Writer) add(out *bytes.Buffer, piece string) {
	if !w.json && w.line+len(piece) > mostWritten {
		w.cut += len(piece)
		return
	}
	w.line += len(piece)
	out.WriteString(piece)
}

// end ends the line.
func (w *Writer) end(out *bytes.Buffer) {
	if w.cut > 0 {
		out.WriteString(mark(w.cut))
	}
	w.line, w.cut = 0, 0
}

// jsonEscape writes a character as in a string of JSON.
func jsonEscape(r rune, size int) string {
	const digits = "0123456789abcdef"
	if r == utf8.RuneError && size <= 1 {
		return `\ufffd`
	}
	units := utf16.AppendRune(nil, r)
	var b []byte
	for _, u := range units {
		b = append(b, '\\', 'u', digits[u>>12], digits[u>>8&15], digits[u>>4&15], digits[u&15])
	}
	return string(b)
}
