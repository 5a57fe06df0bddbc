package openb

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/quern-project/quern/core/journal"
)

// maxLine is the maximum length of a line in bytes.
const maxLine = 1 << 20

// table reads a comma-separated list with a header, with one line in memory at a time. Fields may be quoted, but must not contain line
// ends.
type table struct {
	lines   *bufio.Scanner
	name    string
	line    int
	columns int
	places  map[string]int
	fields  [][]byte
}

// newTable reads the header, which must name the required columns. It may name any others.
func newTable(r io.Reader, name string, required ...string) (*table, error) {
	t := &table{lines: bufio.NewScanner(r), name: name, places: map[string]int{}}
	t.lines.Buffer(make([]byte, 64<<10), maxLine)
	if !t.scan() {
		if err := t.lines.Err(); err != nil {
			return nil, t.broken(err)
		}
		return nil, t.fail("", "a header with the names of the columns", "nothing")
	}
	if err := t.split(); err != nil {
		return nil, err
	}
	t.columns = len(t.fields)
	for i, field := range t.fields {
		column := string(bytes.TrimSpace(bytes.TrimPrefix(field, []byte("\ufeff"))))
		if _, ok := t.places[column]; ok {
			return nil, t.fail(column, "the column once", "it twice")
		}
		t.places[column] = i
	}
	for _, column := range required {
		if _, ok := t.places[column]; !ok {
			return nil, t.fail(column, "the column", "none")
		}
	}
	return t, nil
}

// next advances to the next row. It returns false at the end.
func (t *table) next() (bool, error) {
	for t.scan() {
		if len(bytes.TrimSpace(t.lines.Bytes())) == 0 {
			continue
		}
		if err := t.split(); err != nil {
			return false, err
		}
		if len(t.fields) != t.columns {
			return false, t.fail("", fmt.Sprintf("%d fields", t.columns), strconv.Itoa(len(t.fields)))
		}
		return true, nil
	}
	if err := t.lines.Err(); err != nil {
		return false, t.broken(err)
	}
	return false, nil
}

func (t *table) scan() bool {
	t.line++
	return t.lines.Scan()
}

// split splits the line into fields.
func (t *table) split() error {
	t.fields = t.fields[:0]
	rest := t.lines.Bytes()
	for more := true; more; {
		var field []byte
		if len(rest) > 0 && rest[0] == '"' {
			var ok bool
			if field, rest, more, ok = unquote(rest[1:]); !ok {
				return t.fail("", "a closing quote and then a comma", "none")
			}
		} else {
			field, rest, more = bytes.Cut(rest, []byte{','})
		}
		t.fields = append(t.fields, field)
	}
	return nil
}

// unquote reads a field after its opening quote. Two quotes in it stand for one.
func unquote(rest []byte) (field, after []byte, more, ok bool) {
	for {
		i := bytes.IndexByte(rest, '"')
		if i < 0 {
			return nil, nil, false, false
		}
		field, rest = append(field, rest[:i]...), rest[i+1:]
		switch {
		case len(rest) == 0:
			return field, nil, false, true
		case rest[0] == ',':
			return field, rest[1:], true, true
		case rest[0] != '"':
			return nil, nil, false, false
		}
		field, rest = append(field, '"'), rest[1:]
	}
}

// text returns a field of the row. It is empty if the list does not have the column.
func (t *table) text(column string) []byte {
	i, ok := t.places[column]
	if !ok {
		return nil
	}
	return bytes.TrimSpace(t.fields[i])
}

// number returns a field as an integer of at least 0. If the field is empty or the list does not have the column, it returns missing.
func (t *table) number(column string, missing int64) (int64, error) {
	field := t.text(column)
	if len(field) == 0 {
		return missing, nil
	}
	value, err := strconv.ParseInt(string(field), 10, 64)
	if err != nil || value < 0 {
		return 0, t.fail(column, "a whole number from 0", quote(field))
	}
	return value, nil
}

// product multiplies two amounts. It returns an error if the result overflows.
func (t *table) product(column string, a, b int64) (int64, error) {
	if b != 0 && a > math.MaxInt64/b {
		return 0, t.fail(column, "an amount below 2^63", fmt.Sprintf("%d x %d", a, b))
	}
	return a * b, nil
}

func (t *table) fail(column, expected, found string) error {
	return &journal.Error{File: t.name, Line: t.line, Key: column, Expected: expected, Found: found}
}

func (t *table) broken(err error) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return t.fail("", "at most 1 MiB", "a longer line")
	}
	return &journal.Error{File: t.name, Line: t.line, Expected: "a line", Found: err.Error(), Err: err}
}

func quote(text []byte) string {
	if len(text) > 40 {
		return fmt.Sprintf("%q…", text[:40])
	}
	return fmt.Sprintf("%q", text)
}
