package guest

import (
	"runtime"
	"testing"

	"github.com/quern-project/quern/core/policy"
)

func TestValuesOfCollectedTablesAreSwept(t *testing.T) {
	var kept PerTable[int]
	stays := &policy.Batch{}
	kept.Put(stays, 7)
	for i := range 1000 {
		kept.Put(&policy.Batch{}, i)
		if i%100 == 0 {
			runtime.GC()
		}
	}
	runtime.GC()
	kept.sweep()
	if len(kept.values) != 1 || kept.Get(stays) != 7 {
		t.Errorf("expected the one that stays, found %d and %d", len(kept.values), kept.Get(stays))
	}
	kept.Drop(stays)
	if kept.Get(stays) != 0 {
		t.Error("what was dropped is still there")
	}
}
