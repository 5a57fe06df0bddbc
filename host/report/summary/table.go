package summary

import "github.com/quern-project/quern/host/format"

// table begins a table of a summary.
func table(style Style) *format.Table { return &format.Table{Indent: "  ", Heading: style.dim} }

func allRight(int) bool { return true }

// terminal is how many columns every terminal has.
const terminal = 80

// folded begins a table whose columns follow below where a terminal has no room for them.
func folded(style Style) *format.Table {
	t := table(style)
	t.Width = terminal
	return t
}
