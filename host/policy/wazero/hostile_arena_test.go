package wazero_test

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core/policy"
)

// TestReserve_GetsTheNumberOfBytes: a module that counts on the size that it is asked for answers about many rows.
func TestReserve_GetsTheNumberOfBytes(t *testing.T) {
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

// TestManyTexts_SentInPieces: a call has fuel for so many bytes, and a fresh instance has all texts to learn.
func TestManyTexts_SentInPieces(t *testing.T) {
	m := load(t, texts+`static u32 known, calls;
		u32 EXPORT(quern_dictionary)(const unsigned char *at, u32 bytes) {
			const u32 *head = (const u32 *)at;
			u32 sum = 0;
			for (u32 i = 0; i < bytes; i++) sum += at[i];
			if (head[0] != known + 1 || bytes > 70000 || sum == 1) return 3;
			known += head[1]; calls++;
			return 0;
		}
		POINT(node_score) { EACH(i) out[idx[i]] = known * 1000.0 + calls; return 0; }`)
	var all []string
	for i := range 20_000 {
		all = append(all, fmt.Sprintf("a text about something, number %d", i))
	}
	b := one()
	b.Columns, b.Texts = points(t, m)[policy.NodeScore].Columns, all
	if err := employ(t, m, "{}").Eval(b); err != nil {
		t.Fatal(err)
	}
	known, calls := int(b.Out[0])/1000, int(b.Out[0])%1000
	if known != len(all) || calls < 10 {
		t.Errorf("expected %d texts in 10 pieces or more, found %d in %d", len(all), known, calls)
	}
}
