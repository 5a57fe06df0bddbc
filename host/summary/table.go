package summary

import "github.com/quern-project/quern/host/format"

// table begins a table of a summary.
func table(style Style) *format.Table { return &format.Table{Indent: "  ", Heading: style.dim} }

func allRight(int) bool { return true }
