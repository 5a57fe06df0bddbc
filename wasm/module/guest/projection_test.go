package guest

import (
	"testing"

	"github.com/quern-project/quern/core/policy"
)

var (
	vcore  = policy.Column{Kind: policy.Free, Arg: "vcore"}
	memory = policy.Column{Kind: policy.Free, Arg: "memory"}
)

func scoring(columns ...policy.Column) map[policy.Point]*policy.PointSpec {
	return map[policy.Point]*policy.PointSpec{policy.NodeScore: {Keys: 1, Depends: policy.OnRow, Columns: columns}}
}

func TestAProjectionSelectsTheColumnsOfAModule(t *testing.T) {
	every := policy.Column{Kind: policy.Capacity, Arg: "*"}
	announced := []policy.Column{vcore, every, memory, {Kind: policy.Free, Arg: "*"}}
	types := 3
	for _, c := range []struct {
		own      []policy.Column
		expected []int
	}{
		{[]policy.Column{vcore}, []int{0}},
		{[]policy.Column{memory, vcore}, []int{4, 0}},
		{[]policy.Column{every, memory}, []int{1, 2, 3, 4}},
		{announced, []int{0, 1, 2, 3, 4, 5, 6, 7}},
	} {
		l := newProjection(announced, c.own)
		found := l.chosen(2 + 2*types)
		if len(found) != len(c.expected) {
			t.Fatalf("%v: expected %v, found %v", c.own, c.expected, found)
		}
		for i := range found {
			if found[i] != c.expected[i] {
				t.Errorf("%v: expected %v, found %v", c.own, c.expected, found)
			}
		}
		if l.whole() != (len(c.own) == len(announced)) {
			t.Errorf("%v: whole is %v", c.own, l.whole())
		}
	}
	if _, err := NewProjections(&policy.Manifest{Points: scoring(vcore)}, scoring(memory)); err == nil {
		t.Error("a column that is not announced is not missed")
	}
}
