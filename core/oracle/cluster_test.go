package oracle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/linediff"
	"github.com/quern-project/quern/core/oracle"
	"github.com/quern-project/quern/core/resource"
)

// cluster drives a machine by hand. Each input is followed by a cycle. expect compares the decisions since its last call.
type cluster struct {
	t      *testing.T
	m      dumper
	states bool // expect also compares states of applications
}

// newCluster makes an oracle with the content of the partition `default`, or with whole partitions.
func newCluster(t *testing.T, config string) *cluster {
	t.Helper()
	return clusterOf(t, oracle.New(), config)
}

// clusterOf is newCluster for a machine.
func clusterOf(t *testing.T, m dumper, config string) *cluster {
	t.Helper()
	c := &cluster{t: t, m: m}
	c.m.Advance(0)
	c.config(config)
	c.expect("config.accepted")
	return c
}

// whole makes a configuration of partitions, or of the fields of a single one.
func whole(config string) string {
	if strings.HasPrefix(strings.TrimSpace(config), "partitions:") {
		return config
	}
	return "partitions:\n- name: default\n" + config
}

func (c *cluster) apply(in core.Input) {
	in.At = c.m.Now()
	c.m.Apply(&in)
	c.m.Cycle(-1)
}

func (c *cluster) config(text string) {
	c.apply(core.Input{Event: &core.SetConfig{Config: whole(text)}})
}

// node adds a node of so many vcores.
func (c *cluster) node(id string, vcores int64) {
	c.apply(core.Input{Event: &core.AddNode{ID: id, Capacity: cores(vcores)}})
}

func cores(vcores int64) resource.Set {
	return resource.NewSet(resource.Quantity{Type: "vcore", Value: vcores * 1000})
}

// app adds an application; the first of the user's words is the user, the others are groups.
func (c *cluster) app(id, queue, user string, tags ...string) {
	app := &core.AddApp{ID: id, Queue: queue}
	if words := strings.Split(user, " "); user != "" {
		app.User, app.Groups = words[0], words[1:]
	}
	for i := 0; i < len(tags); i += 2 {
		if app.Tags == nil {
			app.Tags = map[string]string{}
		}
		app.Tags[tags[i]] = tags[i+1]
	}
	c.apply(core.Input{Event: app})
}

// ask adds an ask for so many vcores.
func (c *cluster) ask(id, app string, vcores int64, details ...core.Ask) {
	in := core.Input{Event: &core.AddAsk{ID: id, App: app, Resources: cores(vcores)}}
	for _, ask := range details {
		in.Ask().Ask = ask
	}
	c.apply(in)
}

// restore restores an allocation.
func (c *cluster) restore(id, app, node string, vcores int64) {
	c.apply(core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: id, App: app, Resources: cores(vcores)}, PlacedOn: node}})
}

func (c *cluster) release(id string) { c.apply(core.Input{Event: &core.ReleaseAllocation{ID: id}}) }
func (c *cluster) remove(app string) { c.apply(core.Input{Event: &core.RemoveApp{ID: app}}) }
func (c *cluster) move(app, queue string) {
	c.apply(core.Input{Event: &core.MoveApp{ID: app, Queue: queue}})
}

// pass lets time pass, stopping at every deadline.
func (c *cluster) pass(d time.Duration) {
	to := c.m.Now() + d
	for {
		at, ok := c.m.Deadline()
		if !ok || at > to {
			break
		}
		c.m.Advance(at)
		c.m.Cycle(-1)
	}
	c.m.Advance(to)
	c.m.Cycle(-1)
}

// expect compares the decisions of the compared types since the last call.
func (c *cluster) expect(want ...string) {
	c.t.Helper()
	var got []string
	for _, d := range c.m.Take() {
		if d.Type != core.AppState || c.states {
			got = append(got, brief(&d))
		}
	}
	if !slices.Equal(got, want) {
		c.t.Fatalf("at %v: - expected, + found:\n%s", c.m.Now(), linediff.Diff(strings.Join(want, "\n")+"\n", strings.Join(got, "\n")+"\n"))
	}
}

// skip drops the decisions so far.
func (c *cluster) skip() { c.m.Take() }

// brief formats a decision in a few words.
func brief(d *core.Decision) string {
	words := []string{string(d.Type), d.ID, d.For}
	switch d.Type {
	case core.AppAccepted, core.QueueState:
		words = append(words, d.Queue)
	case core.AppState, core.AppMoved:
		words = append(words, d.From, d.To)
	case core.Allocation, core.Reservation, core.Unreservation, core.Preemption, core.Observed, core.Replaced, core.TimedOut, core.Lapsed:
		words = append(words, d.Node)
	}
	switch d.Type {
	case core.QueueState:
		words = append(words, d.From, d.To)
	case core.GangBroken, core.GangRepaired, core.GangEnded:
		words = append(words, d.App, d.Gang, fmt.Sprintf("%d/%d", d.Allocated, d.Min))
	}
	words = append(words, d.Quota, string(d.Reason), d.Partition)
	switch d.Type {
	case core.Preemption, core.Observed, core.Reservation, core.Unreservation:
		words = append(words, d.Gang)
	}
	if d.GangEnded {
		words = append(words, "ends")
	}
	words = append(words, d.Errors...)
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " ")
}
