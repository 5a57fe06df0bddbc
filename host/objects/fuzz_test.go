package objects

import (
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// FuzzContinue has lists go on from whatever a client sends.
func FuzzContinue(f *testing.F) {
	f.Add(writeContinue(core.Key{Name: "app", Seq: 7}))
	f.Add(writeContinue(core.Key{Name: "root.a.b", Partition: "gpu"}))
	f.Add("e30")
	s := scheduler.New(core.Options{})
	f.Fuzz(func(t *testing.T, text string) {
		k, err := readContinue(text)
		if err != nil {
			return
		}
		p := &core.Page{After: k, Limit: 10, Work: 100}
		found := len(s.Queues(p).Items) + len(s.Nodes(p).Items) + len(s.Apps(p).Items) + len(s.Asks(p).Items)
		if found > 2 {
			t.Errorf("%s: found %d of two queues", text, found)
		}
		if again, err := readContinue(writeContinue(k)); text != "" && (err != nil || again != k) {
			t.Errorf("%s: found %+v for %+v, %v", text, again, k, err)
		}
	})
}
