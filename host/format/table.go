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
	Width   int                      // columns that go beyond it follow below, beside the first one again; 0: none do, unless the writer folds
	rows    [][]string
}

// Add adds a row; names in its cells may have any characters.
func (t *Table) Add(cells ...string) {
	for i := range cells {
		cells[i] = Cell(cells[i])
	}
	t.rows = append(t.rows, cells)
}

// Write writes the rows, with the columns that right names aligned to the right. A writer that folds (Writer.Fold) says for itself
// how wide a table may be.
func (t *Table) Write(w io.Writer, right func(column int) bool) {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	width := t.Width
	if folding, ok := w.(interface{ Columns() int }); ok && folding.Columns() > 0 {
		width = folding.Columns()
	}
	for from := 1; ; {
		to := t.fitting(widths, from, width)
		for n, row := range t.rows {
			line := cells(row, widths, 0, min(1, len(row)), right) + cells(row, widths, min(from, len(row)), min(to, len(row)), right)
			line = strings.TrimRight(line, " ")
			if n == 0 && t.Heading != nil {
				line = t.Heading(line)
			}
			_, _ = fmt.Fprintf(w, "%s%s\n", t.Indent, line) // whoever looks at the writer sees its error
		}
		if from = to; from >= len(widths) {
			return
		}
		_, _ = fmt.Fprintln(w)
	}
}

// fitting is the column after the last that stands beside the first one and the one at from, which is always there.
func (t *Table) fitting(widths []int, from, width int) int {
	if width == 0 {
		return len(widths)
	}
	used := len(t.Indent) + widths[0]
	for i := from; i < len(widths); i++ {
		if used += 2 + widths[i]; used > width && i > from {
			return i
		}
	}
	return len(widths)
}

// cells lines some cells of a row up.
func cells(row []string, widths []int, from, to int, right func(column int) bool) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		if i > 0 {
			b.WriteString("  ")
		}
		pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(row[i]))
		if right(i) {
			b.WriteString(pad + row[i])
		} else {
			b.WriteString(row[i] + pad)
		}
	}
	return b.String()
}
