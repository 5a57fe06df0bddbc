package tool

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/quern-project/quern/host/format"
)

// JSON writes the report as one object.
func (r *Measurement) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Text writes the report as a table.
func (r *Measurement) Text(w io.Writer) error {
	b := bufio.NewWriter(w)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "point\trows\tchanged\tns an item\tnative\tratio\t")
	for _, c := range r.Calls {
		c.text(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(b)
	for _, s := range r.Starts {
		fmt.Fprintf(b, "%-26s %s us\n", s.Step, format.Grouped(int(s.US+0.5)))
	}
	for _, c := range r.Calls {
		if c.Failed != "" {
			fmt.Fprintf(b, "\n%s, %s rows: %s\n", c.Point, format.Grouped(c.Rows), format.Line(c.Failed))
		}
	}
	return b.Flush()
}

func (c *CallTime) text(w io.Writer) {
	changed := "all"
	if c.Changed != c.Rows {
		changed = format.Grouped(c.Changed)
	}
	if c.Failed != "" {
		fmt.Fprintf(w, "%s\t%s\t%s\tfailed\t–\t–\t\n", c.Point, format.Grouped(c.Rows), changed)
		return
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%.1f\t%s %.1f\t%.1f\t\n", c.Point, format.Grouped(c.Rows), changed, c.NS, c.Builtin, c.Native, c.Ratio)
}
