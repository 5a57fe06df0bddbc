package summary

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/quern-project/quern/host/format"
)

// table lines cells up. Its first row is the heading.
type table struct {
	style  Style
	indent string
	rows   [][]string
}

// add adds a row; names in its cells may be anybody's.
func (t *table) add(cells ...string) {
	for i := range cells {
		cells[i] = format.Cell(cells[i])
	}
	t.rows = append(t.rows, cells)
}

func allRight(int) bool { return true }

// write writes the rows, with the columns that right names aligned to the right.
func (t *table) write(w io.Writer, right func(column int) bool) {
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
		if n == 0 {
			line = t.style.dim(line)
		}
		fmt.Fprintf(w, "%s%s\n", t.indent, line)
	}
}
