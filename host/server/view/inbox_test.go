package view

import (
	"testing"

	"github.com/quern-project/quern/host/store"
)

func handover(n uint64, bytes int) *Handover {
	return &Handover{At: store.Position{Batch: n}, Payload: make([]byte, bytes), Quiet: Quiet{Batch: n}}
}

func TestInbox_KeepsSoManyAndSoMuch(t *testing.T) {
	for name, c := range map[string]struct{ most, bytes, kept int }{
		"handovers": {3, 10, 3},
		"bytes":     {100, MostBytes / 4, 4},
		"large":     {100, 2 * MostBytes, 1}, // the first is always kept
	} {
		i := Inbox{Most: c.most}
		for n := range uint64(9) {
			i.Put(handover(n+1, c.bytes))
		}
		i.Put(&Handover{Quiet: Quiet{Batch: 9, Until: 5}})
		list, rest := i.Take()
		if len(list) != c.kept || list[c.kept-1].At.Batch != uint64(c.kept) {
			t.Errorf("%s: kept %d", name, len(list))
		}
		if rest == nil || *rest != (Remainder{Last: 9, Quiet: Quiet{Batch: 9, Until: 5}}) {
			t.Errorf("%s: the rest is %+v", name, rest)
		}
		i.Put(handover(10, c.bytes))
		if list, rest := i.Take(); len(list) != 1 || rest != nil {
			t.Errorf("%s: afterwards it has %d, and the rest %+v", name, len(list), rest)
		}
	}
}
