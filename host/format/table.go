package format

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Table lines cells up. Its first row is the heading.
type Table struct {
	Indent  string
	Heading func(line string) string // colours the first row; nil: it is as the others
	rows    [][]string
}

// Add adds a row; names in its cells may be anybody's.
func (t *Table) Add(cells ...string) {
	for i := range cells {
		cells[i] = Cell(cells[i])
	}
	t.rows = append(t.rows, cells)
}

// Write writes the rows, with the columns that right names aligned to the right.
func (t *Table) Write(w io.Writer, right func(column int) bool) {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for n, row := range t.rows {
		var b strings.Builder
		for i, cell := range row {
			if i > 0 {
				b.WriteString("  ")
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if right(i) {
				cell, pad = pad+cell, ""
			}
			b.WriteString(cell + pad)
		}
		line := strings.TrimRight(b.String(), " ")
		if n == 0 && t.Heading != nil {
			line = t.Heading(line)
		}
		_, _ = fmt.Fprintf(w, "%s%s\n", t.Indent, line) // whoever looks at the writer sees its error
	}
}
