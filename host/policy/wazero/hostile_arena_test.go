package wazero_test

import (
	"testing"

	"github.com/quern-project/quern/core/policy"
)

// TestReserveIsToldHowManyBytes: a module that counts on the size that it is asked for answers about many rows.
func TestReserveIsToldHowManyBytes(t *testing.T) {
	m := load(t, scoreByFree+`static u32 asked; u32 EXPORT(quern_configure)(const char *json, u32 bytes) { return 0; }
		u32 EXPORT(quern_reserve)(u32 bytes) {
			asked = bytes;
			u32 was = __builtin_wasm_memory_grow(0, (bytes + 0xffff) >> 16);
			return was == ~0u ? 0 : was << 16;
		}
		POINT(node_score) { EACH(i) out[idx[i]] = asked; return 0; }`, "-DRESERVE", "-DCONFIGURE")
	tab := table(employ(t, m, "{}"), policy.NodeScore, points(t, m)[policy.NodeScore], func(err error) { t.Error(err) })
	for row := range int32(3000) {
		tab.Touch(row)
	}
	tab.Flush(source(func(row int32, _ policy.Column) float64 { return free(row) }), func(row int32, keys []float64) {
		if least := 2048 * (8 + 8 + 4.0); keys[0] < least { // a column, answers and the index of a chunk
			t.Fatalf("expected to be asked for %v bytes or more, found %v", least, keys[0])
		}
	})
}
