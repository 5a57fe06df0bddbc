package readonly_test

import (
	"slices"
	"testing"

	"github.com/quern-project/quern/core/internal/readonly"
)

func TestList_ReadsItsSlice(t *testing.T) {
	items := []string{"a", "b", "c"}
	l := readonly.Of(items)
	items[1] = "x"
	if l.Len() != 3 || l.At(1) != "x" || !slices.Equal(slices.Collect(l.All), items) {
		t.Errorf("found %v", l)
	}
	for item := range l.All {
		if item == "x" {
			break
		}
		if item != "a" {
			t.Errorf("%s comes before x", item)
		}
	}
	if rest := l.From(2); rest.Len() != 1 || rest.At(0) != "c" || l.From(3).Len() != 0 {
		t.Errorf("the third element is %v", rest)
	}
	c := l.Clone()
	c[0] = "y"
	if items[0] != "a" || !slices.Equal(c, []string{"y", "x", "c"}) {
		t.Errorf("changing the copy %v gave %v", c, items)
	}
	if none := (readonly.List[int]{}); none.Len() != 0 || none.Clone() != nil {
		t.Error("an empty list has elements")
	}
}
