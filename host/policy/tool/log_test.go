package tool

import (
	"fmt"
	"slices"
	"testing"
)

func TestALogKeepsTheLastLinesAndCountsRepeatedOnes(t *testing.T) {
	var l Log
	if found := l.Last(); len(found) != 0 {
		t.Errorf("found %v", found)
	}
	if found := (*Log)(nil).Last(); found != nil {
		t.Errorf("found %v", found)
	}
	for i := range 12 {
		l.Add("info", fmt.Sprint(i))
	}
	for range 1200 {
		l.Add("error", "again")
	}
	l.Add("info", "again")
	want := []string{"info: 4", "info: 5", "info: 6", "info: 7", "info: 8", "info: 9", "info: 10", "info: 11", "error: again (1,200 times)", "info: again"}
	if found := l.Last(); !slices.Equal(found, want) {
		t.Errorf("expected %v, found %v", want, found)
	}
}
