package predicates

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/internal/await"
)

// modules answers for no policy modules.
type modules struct{ served bool }

func (m *modules) Options() core.Options {
	return core.Options{Evaluator: func(a core.Announcement) policy.Evaluator { return named(a.Name) }}
}
func (m *modules) Serve()              { m.served = true }
func (*modules) SetTime(time.Duration) {}
func (*modules) Missing() error        { return nil }
func (*modules) Close()                {}

// named is what answers for a module.
type named string

func (named) Eval(*policy.Batch) error { return nil }

// nodes are the items of a batch.
type nodes []string

func (n nodes) Name(row int32) string { return n[row] }

// answers has a client answer questions until it is gone.
func answers(c *Client, answer func(*Question) *Answer) {
	go func() {
		for {
			select {
			case q := <-c.Questions():
				if a := answer(q); a != nil {
					c.Answer(a)
				}
			case <-c.Gone():
				return
			}
		}
	}()
}

// evaluator is what answers for a predicate of a scheduler that decides and has recovered.
func evaluator(h *Hub, name string) policy.Evaluator {
	p := h.Policies(func(bool) server.Policies { return &modules{} })(true)
	p.Serve()
	return p.Options().Evaluator(core.Announcement{PolicyModule: core.PolicyModule{Name: name}})
}

// judged asks about all nodes but the first.
func judged(e policy.Evaluator, names ...string) ([]float64, error) {
	b := &policy.Batch{Point: policy.NodeFilter, Keys: 1, Items: nodes(names), Out: make([]float64, len(names))}
	for row := 1; row < len(names); row++ {
		b.Rows = append(b.Rows, int32(row))
	}
	err := e.Eval(b)
	return b.Out, err
}

// length answers with the lengths of names.
func length(q *Question) *Answer {
	a := &Answer{Number: q.Number}
	for _, n := range q.Nodes {
		a.Codes = append(a.Codes, uint32(len(n)))
	}
	return a
}

const patient = 10 * time.Second

func TestClient_JudgesTheNodesAsked(t *testing.T) {
	h := New(patient)
	c := h.Attach("rm/1")
	defer c.Detach()
	answers(c, func(q *Question) *Answer {
		if q.Name() != "fits" || q.Timeout != patient {
			t.Errorf("found %+v", q)
		}
		return length(q)
	})
	found, err := judged(evaluator(h, Name("rm/1", "fits")), "ignored", "n", "", "node")
	if err != nil || fmt.Sprint(found) != "[0 1 0 4]" {
		t.Errorf("found %v (%v)", found, err)
	}
}

func TestFollower_AsksNoClient(t *testing.T) {
	h := New(patient)
	c := h.Attach("rm")
	defer c.Detach()
	answers(c, func(*Question) *Answer { t.Error("the client was asked"); return nil })
	inner := &modules{}
	each := h.Policies(func(bool) server.Policies { return inner })
	if found := each(false); found != server.Policies(inner) {
		t.Errorf("a follower has %v", found)
	}
	recovering := each(true)
	find := recovering.Options().Evaluator
	if _, err := judged(find(core.Announcement{PolicyModule: core.PolicyModule{Name: "rm/p"}}), "", "n"); !errors.Is(err, errRecorded) {
		t.Errorf("found %v", err)
	}
	if found := find(core.Announcement{PolicyModule: core.PolicyModule{Name: "rm/p", SHA256: "00"}}); found != named("rm/p") {
		t.Errorf("a module has %v", found)
	}
	if recovering.Serve(); !inner.served {
		t.Error("the modules are not told that recovery is over")
	}
}

func TestAnAnswerThatCannotBeUsedIsAFault(t *testing.T) {
	for want, answer := range map[string]func(*Question) *Answer{
		"1 codes for 2 nodes": func(q *Question) *Answer { return &Answer{Number: q.Number, Codes: []uint32{0}} },
		"0 codes for 2 nodes": func(q *Question) *Answer { return &Answer{Number: q.Number} },
		"3 codes for 2 nodes": func(q *Question) *Answer { return &Answer{Number: q.Number, Codes: make([]uint32, 3)} },
		"the client cannot answer: no memory": func(q *Question) *Answer {
			return &Answer{Number: q.Number, Codes: make([]uint32, 2), Fault: "no memory"}
		},
	} {
		h := New(patient)
		c := h.Attach("rm")
		answers(c, answer)
		if _, err := judged(evaluator(h, "rm/p"), "", "n1", "n2"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected %q, found %v", want, err)
		}
		c.Detach()
	}
}

func TestWhoseClientIsNotThereIsNotAsked(t *testing.T) {
	h := New(patient)
	c := h.Attach("rm")
	answers(c, length)
	for _, name := range []string{"p", "other/p", "rm/x/p", "/p", ""} {
		if _, err := judged(evaluator(h, name), "", "n"); err == nil || !strings.Contains(err.Error(), "no client answers") {
			t.Errorf("%q: found %v", name, err)
		}
	}
	e := evaluator(h, "rm/p")
	h.Drop("other")
	if _, err := judged(e, "", "n"); err != nil {
		t.Error(err)
	}
	h.Drop("rm")
	c.Detach() // once more does nothing
	if _, err := judged(e, "", "n"); err == nil {
		t.Error("a client that is gone has answered")
	}
}

func TestClient_LeavingReleasesWaiters(t *testing.T) {
	h := New(time.Hour)
	c := h.Attach("rm")
	go func() {
		<-c.Questions()
		h.Attach("rm") // in its place
		c.Detach()
	}()
	if _, err := judged(evaluator(h, "rm/p"), "", "n"); !errors.Is(err, errGone) {
		t.Errorf("found %v", err)
	}
}

func TestAClientThatIsLateIsNotAskedForLongerAndLonger(t *testing.T) {
	synctest.Test(t, clientThatIsLate)
}

func clientThatIsLate(t *testing.T) {
	h := New(time.Millisecond)
	c := h.Attach("rm")
	defer c.Detach()
	var asked atomic.Int64
	var good atomic.Bool
	var last atomic.Pointer[Question]
	answers(c, func(q *Question) *Answer {
		asked.Add(1)
		if last.Store(q); good.Load() {
			return length(q)
		}
		return nil
	})
	e := evaluator(h, "rm/p")
	for i, pause := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		if _, err := judged(e, "", "n"); !errors.Is(err, errLate) || asked.Load() != int64(i+1) {
			t.Fatalf("attempt %d: found %v after %d questions", i, err, asked.Load())
		}
		c.Answer(length(last.Load())) // nobody waits for it any more
		await.Virtual(pause*time.Second - time.Nanosecond)
		if _, err := judged(e, "", "n"); err == nil || !strings.Contains(err.Error(), "is not called for") || asked.Load() != int64(i+1) {
			t.Fatalf("within %v s: found %v after %d questions", int64(pause), err, asked.Load())
		}
		await.Virtual(time.Nanosecond)
	}
	good.Store(true)
	if _, err := judged(e, "", "n"); err != nil || c.pause != 0 {
		t.Fatalf("found %v, and a pause of %v", err, c.pause)
	}
}

func TestManyNodesMayTakeLonger(t *testing.T) {
	h := New(patient)
	c := h.Attach("rm")
	defer c.Detach()
	found := make(chan time.Duration, 3)
	answers(c, func(q *Question) *Answer { found <- q.Timeout; return length(q) })
	for n, want := range map[int]time.Duration{1_000: 1, 1_001: 2, 5_001: 6} { // of which the first is not asked about
		if _, err := judged(evaluator(h, "rm/p"), make([]string, n)...); err != nil {
			t.Fatal(err)
		}
		if d := <-found; d != want*patient {
			t.Errorf("%d nodes: found %v", n, d)
		}
	}
}
