package format

import (
	"bufio"
	"io"
)

// Buffered is a buffered writer that keeps the columns of the writer below it.
type Buffered struct {
	*bufio.Writer
	columns int
}

// Buffer makes a buffered writer.
func Buffer(w io.Writer) Buffered {
	b := Buffered{Writer: bufio.NewWriter(w)}
	if folding, ok := w.(interface{ Columns() int }); ok {
		b.columns = folding.Columns()
	}
	return b
}

// Columns is the number of columns that tables are folded to; 0: they are not folded.
func (b Buffered) Columns() int { return b.columns }
