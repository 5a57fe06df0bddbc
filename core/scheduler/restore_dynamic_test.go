package scheduler_test

import (
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// snapshotOfDynamicQueues returns a snapshot with a dynamic leaf in use, an empty one below a dynamic parent, and one below a draining
// parent.
func snapshotOfDynamicQueues(t testing.TB) []byte {
	c := newCluster(t, core.Options{}, "")
	const rules = ", placementrules: [{name: provided, create: true}]"
	c.configureWith(", queues: [{name: p, parent: true, childtemplate: {maxapplications: 3}}, {name: default}]", rules)
	c.place("a", "root.x", "ann", "namespace.resourcequota", `{"vcore":2}`)
	c.place("b", "root.d.y", "ann")
	c.place("c", "root.p.z", "ann", "namespace.resourcemaxapps", "2")
	c.say(core.Input{Event: &core.RemoveApp{ID: "b"}})
	c.configureWith(", queues: [{name: default}]", rules)
	c.wait(3 * time.Second)
	return c.Snapshot()
}

func TestSnapshot_ContradictoryDynamicQueuesRefused(t *testing.T) {
	snapshot := snapshotOfDynamicQueues(t)
	if _, err := scheduler.Restore(snapshot, core.Options{}); err != nil {
		t.Fatal(err)
	}
	for want, edited := range map[string][]byte{
		`dynamic queue "root.nowhere.x": expected a parent above, and no other queue of its name`:                    edit(t, snapshot, "root.nowhere.x", "Dynamic", 2, "Path"),
		`dynamic queue "root.X": expected the full name of a queue`:                                                  edit(t, snapshot, "root.X", "Dynamic", 2, "Path"),
		`dynamic queue "root.default": expected a parent above, and no other queue of its name`:                      edit(t, snapshot, "root.default", "Dynamic", 2, "Path"),
		`dynamic queue "root.d": expected a queue below it`:                                                          edit(t, snapshot, "root.e", "Dynamic", 1, "Path"),
		`dynamic queue "root.x": expected applications, or a time since when it has none`:                            edit(t, snapshot, 1, "Dynamic", 2, "Empty"),
		`dynamic queue "root.d.y": expected it empty for less than 10s, found since -7s`:                             edit(t, snapshot, -7*int64(time.Second), "Dynamic", 1, "Empty"),
		`dynamic queue "root.d.y": expected it empty for less than 10s, found since 3.000000001s`:                    edit(t, snapshot, 3*int64(time.Second)+1, "Dynamic", 1, "Empty"),
		`dynamic queue "root.d": expected no tags of a parent`:                                                       edit(t, snapshot, map[string]any{"MaxApplications": 1}, "Dynamic", 0, "Quota"),
		`dynamic queue "root.x": resources: expected amounts of at least 0, sorted by type, found vcore -1`:          edit(t, snapshot, -1, "Dynamic", 2, "Quota", "Max", 0, "Value"),
		`draining queue "root.p.z": expected a dynamic one below a draining one, and a configured one without tags`:  edit(t, snapshot, false, "Draining", 1, "Dynamic"),
		`application "c": expected an ID of its own, a leaf queue and a live state, found "root.d" and "New"`:        edit(t, snapshot, "root.d", "Apps", 1, "Queue"),
		`draining queue "root.p.z": expected an application in it`:                                                   edit(t, snapshot, "root.x", "Apps", 1, "Queue"),
		`draining queue "root.q.z": expected a name below "root.p"`:                                                  edit(t, snapshot, "root.q.z", "Draining", 1, "Conf", "Path"),
		`draining queue "ann": expected a name below "root.p"`:                                                       edit(t, snapshot, "ann", "Draining", 1, "Conf", "Path"),
		`draining queue "root.p": expected a dynamic one below a draining one, and a configured one without tags`:    edit(t, snapshot, true, "Draining", 0, "Dynamic"),
		`dynamic queue "root.@recovery@": expected tags and a time of the last application of ordinary leaves alone`: edit(t, snapshot, "root.@recovery@", "Dynamic", 2, "Path"),
	} {
		_, err := scheduler.Restore(edited, core.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected %q, found %v", want, err)
		}
	}
}

func TestARestoredDynamicQueueEndsWhenItWouldHave(t *testing.T) {
	again, err := scheduler.Restore(snapshotOfDynamicQueues(t), core.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if at, ok := again.IdleDeadline(); !ok || at != 10*time.Second {
		t.Fatalf("the next deadline is %s, %v", at, ok)
	}
	again.Advance(10 * time.Second)
	var ended []string
	for _, d := range again.Take() {
		ended = append(ended, string(d.Type)+" "+d.Queue+" "+d.To)
	}
	if found := strings.Join(ended, ", "); found != "queue.state root.d.y stopped, queue.state root.d stopped" {
		t.Errorf("found %s", found)
	}
}
