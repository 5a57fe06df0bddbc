package victim

import (
	"math"
	"slices"
	"testing"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/resource"
)

func TestLoadsOfNodesStayExactWhereSumsCannotBeCounted(t *testing.T) {
	s := &GangSearch{width: 1, q: &GangQuestion{}, load: make([]int64, 2), count: make([]int32, 2)}
	demands := []int64{math.MaxInt64 - 1, 5, 7, 3}
	for _, d := range demands {
		s.q.Members = append(s.q.Members, app.Together(app.App{}, class.Together(resource.Vec{d}), 0))
	}
	for _, on := range []int32{1, 1, 0, 1} {
		s.assign(on)
	}
	for _, want := range []struct {
		load []int64
		on   []int32
	}{
		{[]int64{7, math.MaxInt64}, []int32{0, 1}},
		{[]int64{7, math.MaxInt64}, []int32{0, 1}},
		{[]int64{0, math.MaxInt64}, []int32{1}},
		{[]int64{0, math.MaxInt64 - 1}, []int32{1}},
		{[]int64{0, 0}, nil},
	} {
		if !slices.Equal(s.load, want.load) || !slices.Equal(s.on, want.on) {
			t.Fatalf("%d members: expected %v on %v, found %v on %v", len(s.nodeOf), want.load, want.on, s.load, s.on)
		}
		if len(s.nodeOf) > 0 {
			s.unassign()
		}
	}
}
