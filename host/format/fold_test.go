package format

import (
	"strings"
	"testing"
)

func TestATableIsFoldedToTheColumnsOfItsWriter(t *testing.T) {
	table := Table{Indent: "  "}
	table.Add("name", "one", "two", "three")
	table.Add("a", "1", "22", "333")
	table.Add("longer", "1", "2", "3")
	for columns, want := range map[int]string{
		0:  "  name    one  two  three\n  a         1   22    333\n  longer    1    2      3\n",
		25: "  name    one  two  three\n  a         1   22    333\n  longer    1    2      3\n",
		24: "  name    one  two\n  a         1   22\n  longer    1    2\n\n  name    three\n  a         333\n  longer      3\n",
		5:  "  name    one\n  a         1\n  longer    1\n\n  name    two\n  a        22\n  longer    2\n\n  name    three\n  a         333\n  longer      3\n",
	} {
		var b strings.Builder
		w := NewWriter(&b, false).Fold(columns)
		table.Write(w, func(i int) bool { return i > 0 })
		if err := w.Flush(); err != nil || b.String() != want {
			t.Errorf("%d columns: expected\n%s\nfound\n%s, %v", columns, want, b.String(), err)
		}
	}
}
