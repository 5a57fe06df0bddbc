package format

import (
	"strings"
	"testing"
)

func TestATableFoldsWhereItIsTooWide(t *testing.T) {
	write := func(width int) string {
		table := &Table{Indent: "  ", Width: width}
		table.Add("queue", "first", "second", "third")
		table.Add("root", "1", "2", "3")
		var b strings.Builder
		table.Write(&b, func(column int) bool { return column > 0 })
		return b.String()
	}
	for width, want := range map[int]string{
		0:  "  queue  first  second  third\n  root       1       2      3\n",
		29: "  queue  first  second  third\n  root       1       2      3\n",
		28: "  queue  first  second\n  root       1       2\n\n  queue  third\n  root       3\n",
		1:  "  queue  first\n  root       1\n\n  queue  second\n  root        2\n\n  queue  third\n  root       3\n",
	} {
		if got := write(width); got != want {
			t.Errorf("in %d columns found\n%swant\n%s", width, got, want)
		}
	}
}
