package scheduler_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
)

// recording runs inputs as a host does, and writes the journal that a replay needs: the inputs, and after the cycle of each instant the
// answers in it.
type recording struct {
	*cluster
	journal *journal.Encoder
	text    bytes.Buffer
}

func record(t *testing.T, o core.Options) *recording {
	r := &recording{cluster: &cluster{t: t, Scheduler: scheduler.New(o)}}
	r.journal = journal.NewEncoder(&r.text, journal.Relative)
	return r
}

func (r *recording) write(in core.Input) {
	if err := r.journal.Entry(&journal.Entry{Input: in, Count: 1}); err != nil {
		r.t.Fatal(err)
	}
}

// play runs the instants of a journal. If look is not nil, it is called after each input.
func (r *recording) play(text string, look func()) {
	entries := script(r.t, text)
	for len(entries) > 0 {
		at := entries[0].Input.At
		for next, ok := r.Deadline(); ok && next < at; next, ok = r.Deadline() {
			r.instant(next, nil, nil)
		}
		n := 0
		for n < len(entries) && entries[n].Input.At == at {
			n++
		}
		r.instant(at, entries[:n], look)
		entries = entries[n:]
	}
	if err := r.journal.Flush(); err != nil {
		r.t.Fatal(err)
	}
}

func (r *recording) instant(at time.Duration, entries []journal.Entry, look func()) {
	r.Advance(at)
	r.take()
	for _, e := range entries {
		r.write(e.Input)
		r.Apply(&e.Input)
		r.take()
		if look != nil {
			look()
		}
	}
	r.cycle()
	for _, a := range r.Answered() {
		r.write(core.Input{At: at, Event: &core.RecordAnswers{Answers: a}})
	}
}

// impureScript uses a policy at several points and a host predicate.
func impureScript() string {
	set := func(m string) string { return strings.ReplaceAll(m, `"`, `\"`) }
	module := fmt.Sprintf(`{"name":"p","impure":true,"points":{%s,%s}}`,
		declared(policy.AppOrder, 2, policy.OnRow, "", "submitted", "allocations"),
		declared(policy.NodeScore, 1, policy.OnRow, "", "free:vcore"))
	config := partition(`, queues: [{name: q, properties: {application.sort.policy: p}}]`, ", nodesortpolicy: {type: p}")
	return `{"at":"0s","type":"policy.set","name":"p","sha256":"1","manifest":"` + set(module) + `"}
{"at":"0s","type":"config.set","config":"` + set(config) + `"}
{"at":"0s","type":"app.add","id":"a","queue":"root.q"}
{"at":"0s","type":"app.add","id":"b","queue":"root.q"}
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":3}}
{"at":"0s","type":"node.add","id":"n2","capacity":{"vcore":3}}
{"at":"1s","type":"ask.add","id":"a1","app":"a","resources":{"vcore":1}}
{"at":"1s","type":"ask.add","id":"b1","app":"b","resources":{"vcore":1},"predicate":"ports"}
{"at":"1s","type":"ask.add","id":"b2","app":"b","resources":{"vcore":2},"predicate":"ports"}
{"at":"2s","type":"ask.add","id":"a2","app":"a","resources":{"vcore":1}}
{"at":"2s","type":"ask.add","id":"b3","app":"b","resources":{"vcore":2},"predicate":"ports"}
{"at":"5s","type":"allocation.release","id":"a1"}
{"at":"5s","type":"ask.add","id":"a3","app":"a","resources":{"vcore":1}}
{"at":"9s","type":"allocation.release","id":"b2"}
{"at":"400s","type":"tick"}
`
}

// moods returns judges whose answers depend on the number of the call.
func moods(fail map[int]error, answer func(call int, row int32) float64) (judges map[string]*judge) {
	judges = map[string]*judge{}
	for _, name := range []string{"p", "ports"} {
		j := &judge{}
		j.answer = func(_ *policy.Batch, row int32, keys []float64) {
			for k := range keys {
				keys[k] = answer(len(j.asked), row)
			}
			j.fault = fail[len(j.asked)+1]
		}
		judges[name] = j
	}
	return judges
}

func swinging(call int, row int32) float64 { return float64((call*7 + int(row)*5) % 3) }

func TestAnImpurePolicyIsReplayedFromItsRecordedAnswers(t *testing.T) {
	for name, fail := range map[string]map[int]error{
		"without faults": nil,
		"with a fault":   {3: errors.New("lost")},
	} {
		t.Run(name, func(t *testing.T) {
			r := record(t, panel(moods(fail, swinging)))
			r.play(impureScript(), nil)
			if !strings.Contains(r.text.String(), `"type":"policy.answers"`) {
				t.Fatal("nothing was recorded")
			}
			expected := lines(t, r.decisions)
			again := lines(t, replay(t, scheduler.New(core.Options{}), r.text.String()))
			if again != expected {
				t.Errorf("the journal\n%s\ngave\n%s\nand its replay\n%s", r.text.String(), expected, again)
			}
		})
	}
}

func TestAnImpurePolicysInfiniteAnswersAreReplayed(t *testing.T) {
	answer := func(call int, row int32) float64 {
		if (call+int(row))%3 == 0 {
			return math.Inf(1)
		}
		return swinging(call, row)
	}
	r := record(t, panel(moods(nil, answer)))
	r.play(impureScript(), nil)
	if again := lines(t, replay(t, scheduler.New(core.Options{}), r.text.String())); again != lines(t, r.decisions) {
		t.Errorf("the journal\n%s\ngave\n%s\nand its replay\n%s", r.text.String(), lines(t, r.decisions), again)
	}
}

func TestAnImpurePolicysNaNIsRecordedAsTheFaultThatItIs(t *testing.T) {
	answer := func(call int, row int32) float64 {
		if call == 3 {
			return math.NaN()
		}
		return swinging(call, row)
	}
	r := record(t, panel(moods(nil, answer)))
	r.play(impureScript(), nil)
	if !strings.Contains(lines(t, r.decisions), string(core.ReasonPolicyAnswer)) {
		t.Fatal("no fault")
	}
	if again := lines(t, replay(t, scheduler.New(core.Options{}), r.text.String())); again != lines(t, r.decisions) {
		t.Errorf("the journal\n%s\ngave\n%s\nand its replay\n%s", r.text.String(), lines(t, r.decisions), again)
	}
}

func TestAnswers_OnlyImpureModulesAreRecorded(t *testing.T) {
	for _, impure := range []bool{false, true} {
		c := newCluster(t, core.Options{
			Evaluator: func(core.Announcement) policy.Evaluator { return &judge{answer: lastFirst} },
			Impure:    func(string) bool { return impure },
		}, "")
		c.setPolicy("p", "1", manifest("p", policy.AppOrder, 1, policy.OnRow, "submitted"))
		c.configure(`, queues: [{name: q, properties: {application.sort.policy: p}}]`)
		c.app("app", "root.q")
		c.ask("x", "app", 1)
		c.cycle()
		answered := c.Answered()
		if impure != (len(answered) > 0) {
			t.Errorf("impure %v: %v", impure, answered)
		}
		if len(c.Answered()) > 0 {
			t.Error("answers are returned twice")
		}
		for i, a := range answered {
			if a.Call != uint64(i+1) || a.Policy != "p" || a.Point != string(policy.AppOrder) || a.Digest == "" || len(a.Keys) == 0 {
				t.Errorf("answer %d is %+v", i, a)
			}
		}
	}
}

func TestReadingBetweenInputsLeavesAReplayAsItIs(t *testing.T) {
	r := record(t, panel(moods(nil, swinging)))
	r.play(impureScript(), func() {
		r.Dump()
		r.ExplainAsk("a2")
		r.ExplainApp("b")
		r.ExplainQueue("root.q")
	})
	if again := lines(t, replay(t, scheduler.New(core.Options{}), r.text.String())); again != lines(t, r.decisions) {
		t.Errorf("the journal\n%s\ngave\n%s\nand its replay\n%s", r.text.String(), lines(t, r.decisions), again)
	}
}

func TestAnAnswerToAnotherQuestionDiverges(t *testing.T) {
	r := record(t, panel(moods(nil, swinging)))
	r.play(impureScript(), nil)
	at := strings.Index(r.text.String(), `"digest":"`) + len(`"digest":"`)
	text := r.text.String()[:at] + "x" + r.text.String()[at+1:]
	var found []core.Decision
	for _, d := range replay(t, scheduler.New(core.Options{}), text) {
		if d.Type == core.PolicyFault {
			found = append(found, d)
		}
	}
	if len(found) == 0 || found[0].Reason != core.ReasonPolicyDiverged || found[0].Message == "" {
		t.Errorf("found %+v", found)
	}
}

func TestExplanationsAskNoPolicyWhatItHasAnswered(t *testing.T) {
	j := &judge{answer: func(b *policy.Batch, row int32, keys []float64) {
		for k := range keys {
			keys[k] = -float64(row)
		}
		if b.Point == policy.NodeFilter {
			keys[0] = 1
		}
	}}
	c := newCluster(t, panel(map[string]*judge{"p": j, "ports": j}), "")
	c.setPolicy("p", "1", fmt.Sprintf(`{"name":"p","points":{%s,%s,%s,%s}}`,
		declared(policy.QueueOrder, 1, policy.OnSiblings, "", "fair_share"),
		declared(policy.AppOrder, 1, policy.OnRow, "", "submitted"),
		declared(policy.AskOrder, 1, policy.OnRow, "", "submitted"),
		declared(policy.NodeScore, 1, policy.OnAsk, "", "ask:vcore")))
	c.configureWith(`, properties: {queue.sort.policy: p, application.sort.policy: p, ask.sort.policy: p}, queues: [{name: q}, {name: r}]`,
		", nodesortpolicy: {type: p}")
	c.node("n1", 2)
	c.node("n2", 2)
	for _, app := range []string{"a", "b"} {
		c.app(app, map[string]string{"a": "root.q", "b": "root.r"}[app])
		c.ask(app+"1", app, 1)
		c.ask(app+"2", app, 9)
		c.askWith(app+"3", app, 1, core.Ask{Predicate: "ports"})
	}
	c.cycle()
	j.questions()
	for range 2 {
		c.Dump()
		for _, app := range []string{"a", "b"} {
			c.ExplainApp(app)
			for _, ask := range []string{"1", "2", "3"} {
				c.ExplainAsk(app + ask)
			}
		}
		c.ExplainQueue("root.q")
		c.ExplainQueue("root")
	}
	c.expect("asked by explanations", j.questions(), "")
	c.cycle()
	c.expect("asked by a cycle with nothing to do", j.questions(), "")
}
