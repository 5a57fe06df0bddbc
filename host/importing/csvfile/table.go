package csvfile

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/quern-project/quern/host/importing"
)

// longestRow bounds a row in bytes.
const longestRow = 1 << 20

// table reads a list row by row.
type table struct {
	m     *Mapping
	sink  *importing.Sink
	file  string
	rows  *csv.Reader
	limit *rowLimit
	names []string // of the columns
	cells []string
	line  int // of the row
	only  []only
}

// only is the texts of a column that a row must have one of.
type only struct {
	at     int
	texts  map[string]bool
	reason string
}

// rowLimit ends a row that is too long, such as one with a quote that nothing closes.
type rowLimit struct {
	r    io.Reader
	left int
}

var errLongRow = errors.New("a longer row")

func (l *rowLimit) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errLongRow
	}
	n, err := l.r.Read(p)
	l.left -= n
	return n, err
}

// newTable reads the header, where the mapping does not name the columns. It returns nil where that is not possible, and has
// told the sink.
func (m *Mapping) newTable(r io.Reader, file string, columns []string, key string, sink *importing.Sink) (*table, error) {
	t := &table{m: m, sink: sink, file: file, names: columns, limit: &rowLimit{r, 2 * longestRow}}
	t.rows = csv.NewReader(t.limit)
	t.rows.Comma, _ = utf8.DecodeRuneInString(m.CSV.Separator)
	if m.CSV.Comment != "" {
		t.rows.Comment, _ = utf8.DecodeRuneInString(m.CSV.Comment)
	}
	t.rows.ReuseRecord = true
	t.rows.FieldsPerRecord = len(columns)
	if len(columns) > 0 {
		return t, nil
	}
	header, err := t.rows.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, sink.GiveUp(&importing.Error{File: file, Line: 1, Expected: "a header with the names of the columns, or " + key + ".columns in the mapping", Found: "nothing"})
	case err != nil:
		if err := t.broken(header, err); err != nil {
			return nil, err
		}
		return nil, sink.GiveUp()
	}
	t.line = 1
	t.names = make([]string, len(header))
	for i, name := range header {
		t.names[i] = strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))
	}
	return t, nil
}

// next moves to the next row that is wanted; it is false at the end.
func (t *table) next() (bool, error) {
	for {
		t.limit.left = longestRow
		cells, err := t.rows.Read()
		switch {
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil:
			if err := t.broken(cells, err); err != nil {
				return false, err
			}
			continue
		}
		t.cells = cells
		t.line, _ = t.rows.FieldPos(0)
		if !t.left() {
			return true, nil
		}
	}
}

// left reports whether a row is left out, and counts it.
func (t *table) left() bool {
	for _, o := range t.only {
		if !o.texts[strings.TrimSpace(t.cells[o.at])] {
			t.sink.LeftOut(1, "row", o.reason)
			return true
		}
	}
	return false
}

// broken tells the sink of a row that is no CSV. What cannot be read at all is returned.
func (t *table) broken(cells []string, err error) error {
	e := &importing.Error{File: t.file}
	var bad *csv.ParseError
	switch {
	case errors.Is(err, errLongRow):
		e.Line, e.Expected, e.Found = t.line+1, "at most 1 MiB, and a quote that closes each that opens", "a longer row"
		return t.sink.GiveUp(e)
	case !errors.As(err, &bad):
		return err
	case errors.Is(err, csv.ErrFieldCount):
		e.Line, e.Expected, e.Found = bad.Line, fmt.Sprintf("%d fields", t.rows.FieldsPerRecord), fmt.Sprint(len(cells))
	case errors.Is(err, csv.ErrBareQuote):
		e.Line, e.Column, e.Expected, e.Found = bad.Line, bad.Column, "quotes around a whole field, and two quotes in the place of each inside", "a quote"
	default:
		e.Line, e.Column, e.Expected, e.Found = bad.Line, bad.Column, "a quote that closes the field, and then a separator", "none"
	}
	return t.sink.Bad(e)
}
