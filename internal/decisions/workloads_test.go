package decisions

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
	"github.com/quern-project/quern/core/journal/openb"
	"github.com/quern-project/quern/host/workload"
	module "github.com/quern-project/quern/wasm/browser/journalgen"
)

// workloads are generated. Their sizes are small enough for all of them to run in some seconds.
func workloads() []run {
	var runs []run
	for seed := uint64(1); seed <= seeds(); seed++ {
		runs = append(runs, fills(seed)...)
		runs = append(runs, steadies(seed)...)
		runs = append(runs, preemptions(seed)...)
		runs = append(runs, traces(seed)...)
	}
	for seed := uint64(1); seed <= 5*seeds(); seed++ {
		runs = append(runs, everything(seed))
	}
	return runs
}

// seeds is the number of seeds of each workload.
func seeds() uint64 {
	if testing.Short() {
		return 1
	}
	return 3
}

// named adds the seed to a name.
func named(seed uint64, format string, args ...any) string {
	return fmt.Sprintf("workloads/"+format+"/seed-%d", append(args, seed)...)
}

// inputs makes a run of generated inputs.
func inputs(name string, generate func() []core.Input) run {
	return run{name, func(t *testing.T, made *decisions) {
		if err := replay(t, &list{inputs: generate()}, journal.Options{Grace: grace}, made); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(made.text(), []byte(`"config.rejected"`)) {
			t.Fatal("the configuration is not valid")
		}
	}}
}

// list is a source of inputs that are in memory.
type list struct {
	inputs []core.Input
	entry  journal.Entry
}

// Next implements journal.Source.
func (l *list) Next() (*journal.Entry, error) {
	if len(l.inputs) == 0 {
		return nil, io.EOF
	}
	l.entry = journal.Entry{Input: l.inputs[0], Count: 1}
	l.inputs = l.inputs[1:]
	return &l.entry, nil
}

// fills place all asks in one cycle, under different configurations.
func fills(seed uint64) []run {
	var runs []run
	for _, size := range [][3]int{{100, 2000, 25}, {1000, 10_000, 100}, {2000, 5000, 1}, {500, 5000, 2000}} {
		nodes, asks, queues := size[0], size[1], size[2]
		runs = append(runs,
			inputs(named(seed, "fill/%d-%d-%d", nodes, asks, queues), func() []core.Input {
				w := workload.Fill(nodes, asks, queues, seed)
				return w.All()
			}),
			inputs(named(seed, "fill-binpack/%d-%d-%d", nodes, asks, queues), func() []core.Input {
				w := workload.FillBinpack(nodes, asks, queues, seed)
				return w.All()
			}))
	}
	for _, change := range changes {
		runs = append(runs, inputs(named(seed, "fill-mixed/%s", change.name), func() []core.Input {
			w := workload.FillMixed(300, 5000, 40, seed)
			w.Config = strings.Replace(w.Config, change.before, change.after, -1)
			return w.All()
		}))
	}
	return runs
}

// changes are made to one line of a generated configuration, wherever it stands.
var changes = []struct{ name, before, after string }{
	{"unchanged", "", ""},
	{"binpacking", "- name: default\n", "- name: default\n  nodesortpolicy: {type: binpacking}\n"},
	{"resource-weights", "- name: default\n", "- name: default\n  nodesortpolicy: {type: fair, resourceweights: {vcore: 1, memory: 3}}\n"},
	{"fair-applications", "- name: root\n", "- name: root\n    properties: {application.sort.policy: fair}\n"},
	{"stateaware", "- name: root\n", "- name: root\n    properties: {application.sort.policy: stateaware}\n"},
	{"without-priorities", "- name: root\n", "- name: root\n    properties: {application.sort.priority: disabled}\n"},
	{"limits", "          guaranteed:", "          max: {vcore: 100}\n          guaranteed:"},
	{"few-applications", "        resources:\n", "        maxapplications: 2\n        resources:\n"},
}

// steadies change a cluster that is at work.
func steadies(seed uint64) []run {
	runs := []run{
		inputs(named(seed, "churn"), func() []core.Input {
			c := workload.NewChurn(100, 25, seed)
			all := c.All()
			for i, step := range c.Steps {
				all = append(all, at(time.Duration(i+1)*time.Millisecond, step.Release, step.Ask)...)
			}
			return all
		}),
		inputs(named(seed, "reload"), func() []core.Input {
			r := workload.NewReload(100, 1000, seed)
			fill := workload.Fill(20, 1000, 100, seed)
			all := append(r.All(), at(time.Second, workload.ConfigSet(r.Next))...)
			for _, in := range fill.Inputs {
				all = append(all, at(2*time.Second, renamed("more-", in))...)
			}
			return append(all, at(3*time.Second, workload.ConfigSet(r.Config))...)
		}),
		{named(seed, "demo"), func(t *testing.T, made *decisions) {
			var text bytes.Buffer
			if err := workload.Demo(&text, seed); err != nil {
				t.Fatal(err)
			}
			if err := replay(t, journal.NewDecoder(&text, "demo", nil), journal.Options{Grace: grace}, made); err != nil {
				t.Fatal(err)
			}
		}},
	}
	for _, shapes := range []int{16, 5000} {
		runs = append(runs, inputs(named(seed, "stuck/%d-shapes", shapes), func() []core.Input {
			s := workload.NewStuck(5000, shapes, seed)
			all := s.All()
			for i, release := range s.Releases {
				all = append(all, at(time.Duration(i+1)*time.Millisecond, release)...)
			}
			return all
		}))
	}
	return runs
}

// everything has inputs of every type, valid and not, in random order.
func everything(seed uint64) run {
	return run{named(seed, "everything"), func(t *testing.T, made *decisions) {
		text := module.Journal(seed, 2000)
		if err := replay(t, journal.NewDecoder(bytes.NewReader(text), "everything", nil), journal.Options{Grace: grace}, made); err != nil {
			t.Fatal(err)
		}
	}}
}

// at sets the time of inputs.
func at(instant time.Duration, list ...core.Input) []core.Input {
	for i := range list {
		list[i].At = instant
	}
	return list
}

// preemptions have a full cluster in which most queues use more than they are guaranteed.
func preemptions(seed uint64) []run {
	var runs []run
	for name, size := range map[string]workload.PreemptionSize{
		"equal":   {Nodes: 100, Queues: 20, PerNode: 10},
		"mixed":   {Nodes: 200, Queues: 30, PerNode: 20, Mixed: true},
		"guarded": {Nodes: 50, Queues: 20, PerNode: 10, Guarded: true},
	} {
		runs = append(runs, inputs(named(seed, "preempt/%s", name), func() []core.Input { return contested(size, seed) }))
	}
	return runs
}

// contested has different asks come one after another, of one to four victims each, and then many equal ones at once.
func contested(size workload.PreemptionSize, seed uint64) []core.Input {
	const asks = 100
	c := workload.NewPreemption(size, seed)
	all := c.All()
	for i := range asks {
		app, ask := c.Ask(i, i%4+1)
		all = append(all, at(time.Duration(i+1)*3*time.Second, app, ask)...)
	}
	for i, in := range c.Asks(asks) {
		all = append(all, at((asks+20+time.Duration(i/asks))*3*time.Second, renamed("team-", in))...)
	}
	return all
}

// renamed puts a prefix before the IDs of a node, an application or an ask that is added.
func renamed(prefix string, in core.Input) core.Input {
	switch e := in.Event.(type) {
	case *core.AddNode:
		e.ID = prefix + e.ID
	case *core.AddApp:
		e.ID = prefix + e.ID
	case *core.AddAsk:
		e.ID, e.App = prefix+e.ID, prefix+e.App
	default:
		panic("the IDs of " + string(in.Type()) + " stay as they are")
	}
	return in
}

// traces have one ask an application.
func traces(seed uint64) []run {
	var runs []run
	for name, fill := range map[string]bool{"fill": true, "timed": false} {
		runs = append(runs, run{named(seed, "openb/%s", name), func(t *testing.T, made *decisions) {
			nodes, pods := workload.Openb(150, 2000, seed)
			source, config, err := openb.Read(bytes.NewReader(nodes), bytes.NewReader(pods), openb.Options{NodesName: "nodes", PodsName: "pods", Fill: fill})
			if err != nil {
				t.Fatal(err)
			}
			if err := replay(t, source, journal.Options{Config: &core.SetConfig{Config: config}}, made); err != nil && !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
		}})
	}
	return runs
}
