package table

import "testing"

func TestVectors_GroupEqualsAt(t *testing.T) {
	v := NewVectors(2)
	if lanes, width := v.Group(128, 4); len(lanes) != 0 || width != 0 {
		t.Error("vectors that were never set have lanes")
	}
	copy(v.Edit(5), []int64{1, 2})
	copy(v.Edit(7), []int64{3, 4})
	v.Widen(5)
	for round := range 2 {
		lanes, width := v.Group(4, 4)
		for id := range 4 {
			for lane := range 8 {
				found := int64(0)
				if lane < width {
					found = lanes[id*width+lane]
				}
				if at := v.At(ID(4+id), lane); found != at {
					t.Errorf("round %d, vector %d, lane %d: expected %d, found %d", round, 4+id, lane, at, found)
				}
			}
		}
		v.Edit(5)[4] = 9 // the page is wider now
	}
}
