package oracle_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

const userRule = "  placementrules: [{name: provided, create: true}]\n"

func TestACreatingRuleMakesEveryMissingLevelTopDown(t *testing.T) {
	c := newCluster(t, userRule+"  queues: [{name: default}]\n")
	c.app("x", "root.a.b.c", "u")
	c.expect("queue.state root.a stopped active created", "queue.state root.a.b stopped active created",
		"queue.state root.a.b.c stopped active created", "app.accepted x root.a.b.c")
}

func TestARejectedApplicationMakesNoQueue(t *testing.T) {
	c := newCluster(t, userRule+"  queues: [{name: default}]\n")
	c.app("x", "root.a", "u", "namespace.resourcequota", "four")
	c.app("y", "root.a.b", "u")
	c.expect("app.rejected x bad-tag", "queue.state root.a stopped active created", "queue.state root.a.b stopped active created",
		"app.accepted y root.a.b")
}

// queue returns the state of a queue.
func (c *cluster) queue(path string) core.QueueDump {
	for _, q := range c.m.Dump().Queues {
		if q.Path == path {
			return q
		}
	}
	return core.QueueDump{}
}

const templates = userRule + `
  queues:
  - name: root
    childtemplate: {maxapplications: 7}
    queues:
    - name: t
      parent: true
      properties: {preemption.delay: 5s}
      childtemplate: {resources: {max: {vcore: 2}}, properties: {application.sort.policy: fair}}
    - name: e
      parent: true
      childtemplate: {}
`

func TestADynamicLeafHasTheNearestTemplateAsAWhole(t *testing.T) {
	c := newCluster(t, templates)
	for _, name := range []string{"t.a", "t.p.a", "e.a", "a"} {
		c.app(name, "root."+name, "u")
	}
	for path, expected := range map[string]string{
		"root.t.a": "2 0 fair 5s", "root.t.p.a": "2 0 fair 5s", "root.e.a": "none 7 fifo ", "root.a": "none 7 fifo ", "root.t.p": "none 0  5s",
	} {
		q := c.queue(path)
		most := "none"
		if value, ok := q.Max.Value("vcore"); ok {
			most = fmt.Sprint(value / 1000)
		}
		sort := q.AppSort
		if !q.Leaf {
			sort = ""
		}
		found := fmt.Sprintf("%s %d %s %s", most, q.MaxRunning, sort, q.Properties["preemption.delay"])
		if found != expected || !q.Dynamic {
			t.Errorf("%s: expected %q, found %q, dynamic %v", path, expected, found, q.Dynamic)
		}
	}
}

func TestTheMaxOfATemplateHolds(t *testing.T) {
	c := newCluster(t, templates)
	c.node("n", 8)
	c.app("x", "root.t.a", "u")
	c.ask("a", "x", 2)
	c.ask("b", "x", 1)
	c.skip()
	if used, _ := c.queue("root.t.a").Used.Value("vcore"); used != 2000 {
		t.Errorf("used %d", used)
	}
}

func TestTagsSetTheQuotaOfADynamicLeaf(t *testing.T) {
	const maxTag, guaranteedTag, appsTag = "namespace.resourcequota", "namespace.resourceguaranteed", "namespace.resourcemaxapps"
	c := newCluster(t, templates)
	for i, step := range []struct {
		tags     []string
		max      string
		promised string
		apps     uint64
	}{
		{[]string{maxTag, `{"memory":"1Ki"}`}, "{{memory 1024}}", "{}", 0},
		{nil, "{{memory 1024}}", "{}", 0},
		{[]string{maxTag, ""}, "{{memory 1024}}", "{}", 0},
		{[]string{appsTag, "3", guaranteedTag, `{"vcore":"1"}`}, "{{memory 1024}}", "{{vcore 1000}}", 3},
		{[]string{"Namespace.ResourceQuota", `{"resources":{"vcore":{"value":4000}}}`}, "{{vcore 4000}}", "{{vcore 1000}}", 3},
		{[]string{maxTag, `{"vcore":0}`}, "{{vcore 0}}", "{{vcore 1000}}", 3},
	} {
		c.app(fmt.Sprint("x", i), "root.t.a", "u", step.tags...)
		q := c.queue("root.t.a")
		show := func(set any) string {
			return strings.NewReplacer("[", "{", "]", "}").Replace(fmt.Sprint(set))
		}
		if show(q.Max) != step.max || show(q.Guaranteed) != step.promised || q.MaxRunning != step.apps {
			t.Errorf("step %d: max %s, guaranteed %s, maxapplications %d", i, show(q.Max), show(q.Guaranteed), q.MaxRunning)
		}
	}
}

func TestTag_UnreadableRefusedOnlyInADynamicLeaf(t *testing.T) {
	c := newCluster(t, userRule+"  queues: [{name: default}]\n")
	for i, text := range []string{"4", `{"vcore":}`, `{"vcore":"x"}`, `{"vcore":-1}`, `{"vcore":"1","vcore":"1"}`, `{"":"1"}`, `{"vcore":"1"} x`,
		`{"resources":{"vcore":4}}`, `{"resources":{"vcore":{"value":"4"}}}`, `{"resources":{"vcore":{"value":-4}}}`,
		`{"resources":{"vcore":{"value":1.5}}}`, `{"vcore":["1"]}`, `{"vcore":null}`, `{"a":{"b":{"c":{"d":{"e":1}}}}}`} {
		id := fmt.Sprint("x", i)
		c.app(id, "root.a", "u", "namespace.resourcequota", text)
		c.expect("app.rejected " + id + " bad-tag")
		c.app(id, "root.default", "u", "namespace.resourcequota", text)
		c.expect("app.accepted " + id + " root.default")
	}
	c.app("y", "root.a", "u", "namespace.resourcemaxapps", "-1")
	c.expect("app.rejected y bad-tag")
}

// Corner 8.
func TestATagsMaxBelowUsageStopsNewAsksOnly(t *testing.T) {
	c := newCluster(t, userRule+"  queues: [{name: default}]\n")
	c.node("n", 8)
	c.app("x", "root.a", "u")
	c.ask("a", "x", 4)
	c.skip()
	c.app("y", "root.a", "u", "namespace.resourcequota", `{"vcore":2}`)
	c.ask("b", "y", 1)
	c.expect("app.accepted y root.a")
	c.release("a")
	c.expect("release a finished", "allocation b n")
}

func TestDynamicQueue_EndsTenSecondsAfterItsLastApp(t *testing.T) {
	c := newCluster(t, userRule+"  queues: [{name: default}, {name: m, parent: true}]\n")
	c.app("x", "root.m.p.a", "u")
	c.app("y", "root.m.p.b", "u")
	c.skip()
	c.remove("x")
	c.pass(9 * time.Second)
	c.expect()
	c.pass(time.Second)
	c.expect("queue.state root.m.p.a active stopped empty")
	c.remove("y")
	c.pass(10 * time.Second)
	c.expect("queue.state root.m.p.b active stopped empty", "queue.state root.m.p active stopped empty")
}

func TestACompletingApplicationIsStillInItsDynamicQueue(t *testing.T) {
	c := newCluster(t, userRule+"  queues: [{name: default}]\n")
	c.node("n", 1)
	c.app("x", "root.a", "u")
	c.ask("a", "x", 1)
	c.release("a")
	c.skip()
	c.pass(39 * time.Second)
	c.expect()
	c.pass(time.Second)
	c.expect("queue.state root.a active stopped empty")
}

func TestDynamicQueue_StaysIfAnAppComesInTime(t *testing.T) {
	c := newCluster(t, userRule+"  queues: [{name: default}]\n")
	c.app("x", "root.a", "u")
	c.remove("x")
	c.pass(9 * time.Second)
	c.app("y", "root.a", "u")
	c.pass(time.Minute)
	c.expect("queue.state root.a stopped active created", "app.accepted x root.a", "app.accepted y root.a")
}

// Corner 7.
func TestAtTheTenSecondsTheTimerIsFirst(t *testing.T) {
	c := newCluster(t, userRule+"  queues: [{name: default}]\n")
	c.app("x", "root.a", "u")
	c.remove("x")
	c.skip()
	c.pass(10 * time.Second)
	c.app("y", "root.a", "u")
	c.expect("queue.state root.a active stopped empty", "queue.state root.a stopped active created", "app.accepted y root.a")
}

func TestReload_ChangesTemplatesKeepsTags(t *testing.T) {
	text := func(apps, vcores int) string {
		return fmt.Sprintf(userRule+"  queues: [{name: t, parent: true, childtemplate: {maxapplications: %d, resources: {max: {vcore: %d}}}}]\n", apps, vcores)
	}
	c := newCluster(t, text(2, 3))
	c.app("x", "root.t.a", "u", "namespace.resourcemaxapps", "9")
	c.config(text(4, 5))
	q := c.queue("root.t.a")
	if most, _ := q.Max.Value("vcore"); q.MaxRunning != 9 || most != 5000 {
		t.Errorf("maxapplications %d, max %d", q.MaxRunning, most)
	}
}

func TestATemplateAboveAConfiguredParentCountsAtOnce(t *testing.T) {
	text := func(template string) string {
		return userRule + "  queues: [{name: root, " + template + "queues: [{name: t, parent: true}]}]\n"
	}
	c := newCluster(t, text(""))
	c.app("x", "root.t.a", "u")
	c.config(text("childtemplate: {maxapplications: 4}, "))
	if q := c.queue("root.t.a"); q.MaxRunning != 4 {
		t.Errorf("maxapplications %d", q.MaxRunning)
	}
}

func TestAConfiguredPathBecomesManagedAndForgetsTags(t *testing.T) {
	c := newCluster(t, userRule+"  queues: [{name: default}]\n")
	c.app("x", "root.p.a", "u", "namespace.resourcemaxapps", "9")
	c.app("y", "root.p.b", "u")
	c.config(userRule + "  queues: [{name: default}, {name: p, queues: [{name: a}]}]\n")
	if q := c.queue("root.p.a"); q.Dynamic || q.MaxRunning != 0 {
		t.Errorf("dynamic %v, maxapplications %d", q.Dynamic, q.MaxRunning)
	}
	if c.queue("root.p").Dynamic || !c.queue("root.p.b").Dynamic {
		t.Error("the parent is managed, the other leaf dynamic")
	}
	c.skip()
	c.remove("x")
	c.remove("y")
	c.pass(time.Minute)
	c.expect("queue.state root.p.b active stopped empty")
}

func TestReload_QueuesInUseKeepTheirKind(t *testing.T) {
	c := newCluster(t, userRule+"  queues: [{name: default}]\n")
	c.app("x", "root.a.b", "u")
	c.skip()
	c.config(userRule + "  queues: [{name: default}, {name: a}]\n")
	c.config(userRule + "  queues: [{name: default}, {name: a, queues: [{name: b, parent: true}]}]\n")
	c.expect("config.rejected root.a: in use, cannot change between leaf and parent",
		"config.rejected root.a.b: in use, cannot change between leaf and parent")
}

func TestBelowADrainingParentADynamicLeafDrains(t *testing.T) {
	const with = userRule + "  queues: [{name: default}, {name: p, parent: true}]\n"
	c := newCluster(t, with)
	c.app("x", "root.p.a", "u")
	c.skip()
	c.config(userRule + "  queues: [{name: default}]\n")
	c.config(with)
	c.config(userRule + "  queues: [{name: default}]\n")
	c.remove("x")
	c.expect("config.accepted", "queue.state root.p active draining removed", "queue.state root.p.a active draining removed",
		"config.accepted", "queue.state root.p draining active restored", "queue.state root.p.a draining active restored",
		"config.accepted", "queue.state root.p active draining removed", "queue.state root.p.a active draining removed",
		"queue.state root.p.a draining stopped empty", "queue.state root.p draining stopped empty")
}
