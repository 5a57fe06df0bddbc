package scheduler_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// cluster drives a scheduler in a test. Inputs are applied at the present instant, and waiting stops at all deadlines on the way, as a
// host does.
type cluster struct {
	t testing.TB
	*scheduler.Scheduler
	decisions []core.Decision
}

// newCluster starts a scheduler at 0. root has the YAML keys of the root queue in flow style.
func newCluster(t testing.TB, o core.Options, root string) *cluster {
	t.Helper()
	c := &cluster{t: t, Scheduler: scheduler.New(o)}
	c.Advance(0)
	c.configure(root)
	return c
}

// partition returns a configuration with one partition. more has further keys of the partition.
func partition(root, more string) string {
	return "{partitions: [{name: default" + more + ", queues: [{name: root" + root + "}]}]}"
}

func (c *cluster) configure(root string) { c.configureWith(root, "") }

func (c *cluster) configureWith(root, more string) {
	c.t.Helper()
	before := len(c.decisions)
	c.say(core.Input{Event: &core.SetConfig{Config: partition(root, more)}})
	for _, d := range c.decisions[before:] {
		if d.Type == core.ConfigRejected {
			c.t.Fatal("the configuration is refused: ", d.Errors)
		}
	}
}

func (c *cluster) say(in core.Input) {
	in.At = c.Now()
	c.Apply(&in)
	c.take()
}

func (c *cluster) take() { c.decisions = append(c.decisions, c.Take()...) }

func (c *cluster) cycle() {
	c.Cycle(-1)
	c.take()
}

// wait lets time pass, with a cycle at every deadline and at the end.
func (c *cluster) wait(d time.Duration) {
	c.t.Helper()
	to := c.Now() + d
	for {
		at, ok := c.Deadline()
		if !ok || at > to {
			break
		}
		if at <= c.Now() {
			c.t.Fatalf("the deadline %s is not after %s", at, c.Now())
		}
		c.Advance(at)
		c.cycle()
	}
	c.Advance(to)
	c.cycle()
}

// vcores returns an amount in whole cores.
func vcores(n int64) resource.Set {
	return resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000 * n})
}

func (c *cluster) node(id string, n int64) {
	c.say(core.Input{Event: &core.AddNode{ID: id, Capacity: vcores(n)}})
}

func (c *cluster) nodeWith(id string, n int64, attributes map[string]string) {
	c.say(core.Input{Event: &core.AddNode{ID: id, Capacity: vcores(n), Attributes: attributes}})
}

func (c *cluster) app(id, queue string) { c.say(core.Input{Event: &core.AddApp{ID: id, Queue: queue}}) }

func (c *cluster) ask(id, app string, n int64) { c.askWith(id, app, n, core.Ask{}) }

func (c *cluster) askWith(id, app string, n int64, more core.Ask) {
	c.say(core.Input{Event: &core.AddAsk{ID: id, App: app, Resources: vcores(n), Ask: more}})
}

func (c *cluster) release(id string) { c.say(core.Input{Event: &core.ReleaseAllocation{ID: id}}) }

func (c *cluster) setPolicy(name, sha256, manifest string) {
	c.say(core.Input{Event: &core.SetPolicy{PolicyModule: core.PolicyModule{Name: name, SHA256: sha256, Manifest: manifest}}})
}

func (c *cluster) removePolicy(name string) {
	c.say(core.Input{Event: &core.RemovePolicy{Name: name}})
}

// placed lists the allocations made since the last call as ask@node, and discards all decisions so far.
func (c *cluster) placed() string {
	var out []string
	for _, d := range c.decisions {
		if d.Type == core.Allocation {
			out = append(out, d.ID+"@"+d.Node)
		}
	}
	c.decisions = nil
	return strings.Join(out, " ")
}

// faults lists the policy faults since the last call of placed or faults, and discards all decisions so far.
func (c *cluster) faults() string {
	var out []string
	for _, d := range c.decisions {
		if d.Type == core.PolicyFault {
			out = append(out, fmt.Sprintf("%s %s->%s", d.Policy, d.Reason, d.Fallback))
		}
	}
	c.decisions = nil
	return strings.Join(out, " ")
}

func (c *cluster) expect(what, found, expected string) {
	c.t.Helper()
	if found != expected {
		c.t.Fatalf("at %s %s: expected %q, found %q", c.Now(), what, expected, found)
	}
}

// fataler ends a test: *testing.T or *rapid.T.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

// lines encodes decisions as the journal does.
func lines(t fataler, decisions []core.Decision) string {
	t.Helper()
	var out bytes.Buffer
	e := journal.NewEncoder(&out, journal.Relative)
	for i := range decisions {
		if err := e.Decision(&decisions[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// script decodes the entries of a journal.
func script(t testing.TB, text string) []journal.Entry {
	t.Helper()
	var out []journal.Entry
	d := journal.NewDecoder(strings.NewReader(text), "script", nil)
	for {
		e, err := d.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, *e)
	}
}

// replay runs a journal on a machine up to its last input, and returns the decisions.
func replay(t testing.TB, m core.Machine, text string) []core.Decision {
	t.Helper()
	var out []core.Decision
	_, err := journal.Replay(m, journal.NewDecoder(strings.NewReader(text), "script", nil), journal.Options{
		Decisions: func(d []core.Decision) { out = append(out, d...) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
