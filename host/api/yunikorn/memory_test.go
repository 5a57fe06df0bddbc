package yunikorn

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

func TestAfterARestartTheMemoryBeginsWithTheSnapshot(t *testing.T) {
	l := rich(t)
	const p = "/ws/v1/partition/default/"
	gang, brief := get[application](l, p+"application/gang"), get[application](l, p+"application/brief")
	queues, nodes, users := l.do("GET", p+"queues", ""), l.do("GET", p+"nodes", ""), l.do("GET", p+"usage/users", "")
	l.restart()
	for path, before := range map[string]reply{"queues": queues, "usage/users": users} {
		same(t, path, before.body, l.do("GET", p+path, "").body)
	}
	same(t, "the nodes, but for whose place an allocation took", strings.ReplaceAll(nodes.body, `"placeholderUsed":true`, `"placeholderUsed":false`), l.do("GET", p+"nodes", "").body)
	again := get[application](l, p+"application/gang")
	same(t, "gang", line(gang.User, gang.UsedResource, gang.State, gang.SubmissionTime, len(gang.Allocations)), line(again.User, again.UsedResource, again.State, again.SubmissionTime, len(again.Allocations)))
	same(t, "the states that are known", gang.StateLog[len(gang.StateLog)-1:], again.StateLog)
	over := get[application](l, p+"application/brief")
	same(t, "what is over", line(brief.State, brief.QueueName, *brief.FinishedTime), line(over.State, over.QueueName, *over.FinishedTime))
	same(t, "events", 0, len(get[batch](l, "/ws/v1/events/batch").EventRecords))
	l.submit(`{"type":"allocation.release","id":"p2"}`)
	l.after(time.Second)
	again = get[application](l, p+"application/gang")
	same(t, "it goes on", `{"m5":{"vcore":155000}}`, asJSON(again.ResourceHistory.PlaceholderResource))
	same(t, "containers", state(l, func(s *scheduler.Scheduler) int { return s.Read(core.OfQueues).Queues[0].Allocations + 1 }), l.memory.samples.containers)
}

func TestEvents_OfDecisions(t *testing.T) {
	l := begin(t)
	l.submit(`
{"type":"node.add","id":"n1","capacity":{"vcore":2}}
{"type":"app.add","id":"a","queue":"root.default"}
{"type":"app.add","id":"b","queue":"root.none"}
{"type":"ask.add","id":"k1","app":"a","resources":{"vcore":1}}
{"type":"ask.add","id":"k2","app":"a","resources":{"vcore":9}}`)
	l.after(time.Second)
	l.submit(`
{"type":"ask.remove","id":"k2"}
{"type":"ask.remove","id":"k2"}
{"type":"node.drain","id":"n1"}
{"type":"node.drain","id":"none"}
{"type":"node.update","id":"n1","capacity":{"vcore":4},"occupied":{"vcore":1}}
{"type":"node.resume","id":"n1"}
{"type":"node.remove","id":"n1"}
{"type":"app.remove","id":"a"}`)
	var found []string
	events := get[batch](l, "/ws/v1/events/batch").EventRecords
	for _, e := range events {
		found = append(found, strings.TrimSpace(line(e.Type, e.EventChangeType, e.EventChangeDetail, e.ObjectID, e.ReferenceID)))
	}
	expected := []string{
		"3 2 0 n1", "2 2 203 a", "4 2 405 root.default a", "2 3 202 b", "2 2 201 a k1", "2 1 204 a", "2 2 201 a k2",
		"2 3 101 a k1", "2 2 200 a k1", "3 2 303 n1 k1", "4 2 406 root.default k1", "2 1 206 a",
		"2 3 100 a k2", "3 1 302 n1", "3 1 304 n1", "3 1 305 n1", "3 1 302 n1", "3 3 300 n1", "2 3 504 a k1", "3 3 303 n1 k1", "4 3 406 root.default k1",
		"2 1 207 a", "2 1 208 a", "4 3 405 root.default a",
	}
	if !slices.Equal(found, expected) {
		t.Errorf("expected\n%s\nfound\n%s", strings.Join(expected, "\n"), strings.Join(found, "\n"))
	}
	same(t, "when", line(int64(start), int64(start+time.Second)), line(events[0].TimestampNano, events[len(events)-1].TimestampNano))
	same(t, "why b was rejected", `there is no queue "root.none"`, events[3].Message)
	same(t, "of what", `{"resources":{"vcore":{"value":1000}}}`, asJSON(events[4].Resource))
	some := get[batch](l, "/ws/v1/events/batch?start=3&count=2")
	same(t, "some", line(asJSON(events[3:5]), 0, len(events)-1), line(asJSON(some.EventRecords), some.LowestID, some.HighestID))
	none := get[batch](l, "/ws/v1/events/batch?start=4000")
	same(t, "none", line(0, some.InstanceUUID), line(len(none.EventRecords), none.InstanceUUID))
}

func TestEvents_OfAConfigurationChange(t *testing.T) {
	l := begin(t)
	const before = `partitions: [{name: default, queues: [{name: a, resources: {max: {vcore: 4}, guaranteed: {vcore: 1}}, limits: [{limit: x, users: [ann, bob], maxapplications: 3}]}, ` +
		`{name: b, limits: [{limit: x, groups: [ops], maxresources: {vcore: 1}}]}, {name: c, limits: [{limit: x, users: [eve], maxapplications: 1}]}]}, {name: GPU, queues: [{name: g}]}]`
	const after = `partitions: [{name: default, queues: [{name: a, resources: {max: {vcore: 5}}, limits: [{limit: x, users: [ann], maxapplications: 3}, {limit: y, users: [bob], maxapplications: 4}]}, ` +
		`{name: b, queues: [{name: d}], limits: [{limit: x, groups: [ops], maxresources: {vcore: 2}}]}]}, {name: gpu, queues: [{name: g, resources: {guaranteed: {gpu: 1}}}]}]`
	told := 0
	tells := func(when, text string, want ...string) {
		t.Helper()
		l.submit(`{"type":"config.set","config":` + quoted(text) + `}`)
		var found []string
		events := get[batch](l, "/ws/v1/events/batch").EventRecords
		for _, e := range events[told:] {
			if e.EventChangeDetail == queueDynamic || strings.HasSuffix(e.Message, core.QueueDraining) { // of queues that come and go
				continue
			}
			resources := ""
			if e.Resource != nil {
				resources = line(e.Resource.Resources)
			}
			found = append(found, strings.TrimSpace(line(e.Type, e.EventChangeType, e.EventChangeDetail, e.ObjectID, e.ReferenceID, e.Message, resources)))
		}
		told = len(events)
		same(t, when, strings.Join(want, "\n"), strings.Join(found, "\n"))
	}
	const replaced = "4 1 400 root  the configuration was replaced"
	tells("the first", before, replaced, "4 1 403 root.a   map[vcore:{4000}]", "4 1 404 root.a   map[vcore:{1000}]",
		"5 1 600 ann root.a maxapplications: 3", "5 1 600 bob root.a maxapplications: 3", "5 1 601 ops root.b  map[vcore:{1000}]", "5 1 600 eve root.c maxapplications: 1")
	tells("the same again", before, replaced)
	tells("a change", after, replaced, "4 1 404 [gpu]root.g   map[gpu:{1}]", "4 1 403 root.a   map[vcore:{5000}]", "4 1 404 root.a",
		"5 1 600 bob root.a maxapplications: 4", "4 1 402 root.b  leaf: false", "5 1 601 ops root.b  map[vcore:{2000}]", "5 3 600 eve root.c")
}

func TestAcceptedApp_ListedInItsQueue(t *testing.T) {
	l := begin(t)
	l.submit(`
{"type":"config.set","config":"partitions: [{name: default, queues: [{name: x}, {name: y}]}]"}
{"type":"node.add","id":"n1","capacity":{"vcore":2}}
{"type":"app.add","id":"gang","queue":"root.x","user":"eve","placeholder_ask":{"vcore":30}}
{"type":"ask.add","id":"p1","app":"gang","resources":{"vcore":1},"placeholder":true,"task_group":"workers"}
{"type":"app.add","id":"waits","queue":"root.x","user":"eve","placeholder_ask":{"vcore":30}}
{"type":"ask.add","id":"p2","app":"waits","resources":{"vcore":29},"placeholder":true,"task_group":"workers"}`)
	listed := func() string {
		x, y := get[partitionQueue](l, "/ws/v1/partition/default/queue/root.x"), get[partitionQueue](l, "/ws/v1/partition/default/queue/root.y")
		return line(x.AllocatingAcceptedApps, y.AllocatingAcceptedApps)
	}
	same(t, "at first", "[gang] []", listed())
	l.submit(`{"type":"app.move","id":"waits","queue":"root.y"}`)
	same(t, "one that has no allocations has moved", "[gang] []", listed())
	l.submit(`{"type":"app.move","id":"gang","queue":"root.y"}`)
	same(t, "it has moved", "[] [gang]", listed())
	var events []string
	for _, e := range get[batch](l, "/ws/v1/events/batch").EventRecords {
		if e.EventChangeDetail == queueAlloc {
			events = append(events, line(e.EventChangeType, e.ObjectID, e.ReferenceID, e.Resource.Resources))
		}
	}
	same(t, "events of its allocations", "2 root.x p1 map[vcore:{1000}]\n3 root.x gang map[vcore:{1000}]\n2 root.y gang map[vcore:{1000}]", strings.Join(events, "\n"))
	l.restart()
	same(t, "after a restart", "[] [gang]", listed())
	l.submit(`{"type":"allocation.release","id":"p1"}`)
	same(t, "at last", "[] []", listed())
	same(t, "queues that are kept", 0, len(l.memory.allocating))
}

func TestEventStream_ContinuesWithNewEvents(t *testing.T) {
	l := begin(t)
	l.submit(`{"type":"node.add","id":"n1","capacity":{"vcore":2}}`)
	l.submit(`{"type":"node.add","id":"n2","capacity":{"vcore":2}}`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, l.server.URL+"/ws/v1/events/stream?count=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	lines := bufio.NewScanner(response.Body)
	next := func() (e eventRecord) {
		t.Helper()
		if !lines.Scan() {
			t.Fatal("the stream ends")
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	same(t, "the last one before", "n2", next().ObjectID)
	l.submit(`{"type":"node.add","id":"n3","capacity":{"vcore":2}}`)
	same(t, "the next one", "n3", next().ObjectID)
}

func TestMemory_IsBounded(t *testing.T) {
	r := newRing[int](3)
	for i := range 5 {
		r.add(i)
	}
	same(t, "first, next and items", "2 5 2 3 4", line(r.first(), r.next, *r.at(2), *r.at(3), *r.at(4)))

	l := begin(t)
	l.memory.completed, l.memory.rejected, l.memory.events = newRing[*appRecord](2), newRing[*appRecord](2), newRing[event](4)
	for i := range 3 {
		l.submit(fmt.Sprintf(`{"type":"app.add","id":"a%d","queue":"root.default"}
{"type":"app.remove","id":"a%d"}
{"type":"app.add","id":"b%d","queue":"root.none"}`, i, i, i))
	}
	for state, expected := range map[string]string{"completed": "a1 a2", "rejected": "b1 b2"} {
		var ids []string
		for _, a := range get[[]application](l, "/ws/v1/partition/default/applications/"+state) {
			ids = append(ids, a.ApplicationID)
		}
		same(t, state, expected, strings.Join(ids, " "))
	}
	events := get[batch](l, "/ws/v1/events/batch")
	same(t, "events", 4, len(events.EventRecords))
	same(t, "their numbers", events.LowestID+3, events.HighestID)
	same(t, "one that is not kept", 0, len(get[batch](l, "/ws/v1/events/batch?start=1").EventRecords))
	same(t, "what is left of asks", 0, len(l.memory.asks)+len(l.memory.apps)+len(l.memory.allocating))

	states := begin(t)
	states.submit(`{"type":"app.add","id":"a","queue":"root.default"}`)
	for i := range mostStates {
		states.submit(fmt.Sprintf(`{"type":"ask.add","id":"k%d","app":"a","resources":{"vcore":1}}`, i))
		states.submit(fmt.Sprintf(`{"type":"ask.remove","id":"k%d"}`, i))
	}
	same(t, "states", mostStates, len(get[application](states, "/ws/v1/partition/default/application/a").StateLog))
}

func TestASampleIsTakenEachMinute(t *testing.T) {
	l := begin(t)
	l.submit(`{"type":"node.add","id":"n1","capacity":{"vcore":2}}
{"type":"app.add","id":"a","queue":"root.default"}
{"type":"ask.add","id":"k1","app":"a","resources":{"vcore":1}}`)
	l.after(150 * time.Second)
	l.submit(`{"type":"ask.add","id":"k2","app":"a","resources":{"vcore":1}}`)
	l.after(time.Minute)
	apps, containers := get[[]applicationHistory](l, "/ws/v1/history/apps"), get[[]containerHistory](l, "/ws/v1/history/containers")
	var found []string
	for i := range apps {
		found = append(found, line(time.Duration(apps[i].Timestamp)-start, apps[i].TotalApplications, containers[i].TotalContainers))
	}
	same(t, "samples", []string{"1m0s 1 1", "2m0s 1 1", "3m0s 1 2"}, found)
	l.after(mostSamples * 2 * time.Minute)
	same(t, "the most", mostSamples, len(get[[]applicationHistory](l, "/ws/v1/history/apps")))
}

func TestAStoreThatFailsIsNotHealthy(t *testing.T) {
	l := begin(t)
	same(t, "at first", true, get[health](l, "/ws/v1/scheduler/healthcheck").Healthy)
	l.submit(`{"type":"node.add","id":"n1","capacity":{"vcore":2}}
{"type":"app.add","id":"a","queue":"root.default"}
{"type":"allocation.restore","id":"r","app":"a","resources":{"vcore":3},"placed_on":"n1"}`)
	h := get[health](l, "/ws/v1/scheduler/healthcheck")
	var failed []string
	for _, c := range h.Checks {
		if !c.Succeeded {
			failed = append(failed, c.Name+": "+c.DiagnosisMessage)
		}
	}
	same(t, "an allocation that does not fit", []string{`Node capacity: node "n1": vcore is 1000 over its capacity`}, failed)
	same(t, "healthy", false, h.Healthy)
}

func TestInconsistenciesAreNamed(t *testing.T) {
	a := amounts{"vcore": 2, "memory": 5}
	same(t, "differences", []string{"x: the total is 5 of memory, the sum of its parts 4"}, differences("x", a, amounts{"vcore": 2, "memory": 4}))
	same(t, "what is not named", []string{"x: the total has no gpu, the sum of its parts is 1"}, differences("x", a, amounts{"vcore": 2, "memory": 5, "gpu": 1}))
	many := check("name", "what", slices.Repeat([]string{"f"}, mostFindings+2))
	same(t, "many", "f; f; f; f; f; f; f; f; f; f; and 2 more", many.DiagnosisMessage)
}

func TestStacksAreThoseOfThisProcess(t *testing.T) {
	l := begin(t)
	if r := l.do("GET", "/debug/stack", ""); !strings.Contains(r.body, "TestStacksAreThoseOfThisProcess") || !strings.HasPrefix(r.header.Get("Content-Type"), "text/plain") {
		t.Errorf("found %.200s", r.body)
	}
}

func TestAtomicGang_AsPlaceholders(t *testing.T) {
	l := begin(t)
	l.submit(`
{"type":"node.add","id":"n1","capacity":{"vcore":4}}
{"type":"app.add","id":"a","queue":"root.default"}
{"type":"ask.add","id":"w1","app":"a","resources":{"vcore":1},"task_group":"worker","gang":"g","gang_min":3,"gang_timeout":"10s"}
{"type":"ask.add","id":"w2","app":"a","resources":{"vcore":1},"task_group":"worker","gang":"g","gang_min":3,"gang_timeout":"10s"}`)
	l.after(time.Second)
	const path = "/ws/v1/partition/default/application/a"
	same(t, "it waits", `[{"taskGroupName":"worker","count":3,"minResource":{"vcore":1000},"replaced":0,"timedout":0}]`, asJSON(get[application](l, path).PlaceholderData))
	l.submit(`{"type":"ask.add","id":"w3","app":"a","resources":{"vcore":1},"task_group":"worker","gang":"g","gang_min":3,"gang_timeout":"10s"}
{"type":"ask.add","id":"w4","app":"a","resources":{"vcore":1},"task_group":"worker","gang":"g","gang_min":3,"gang_timeout":"10s"}`)
	l.after(time.Second)
	same(t, "it is placed", `[{"taskGroupName":"worker","count":3,"minResource":{"vcore":1000},"replaced":3,"timedout":0}]`, asJSON(get[application](l, path).PlaceholderData))
	l.submit(`
{"type":"app.add","id":"b","queue":"root.default"}
{"type":"ask.add","id":"x1","app":"b","resources":{"vcore":9},"gang":"g","gang_min":2,"gang_timeout":"10s"}
{"type":"ask.add","id":"x2","app":"b","resources":{"vcore":9},"gang":"g","gang_min":2,"gang_timeout":"10s"}
{"type":"ask.add","id":"y1","app":"b","resources":{"vcore":9}}`)
	l.after(11 * time.Second)
	b := get[application](l, strings.TrimSuffix(path, "a")+"b")
	same(t, "its time is over", `[{"taskGroupName":"g","count":2,"minResource":{"vcore":9000},"replaced":0,"timedout":2}]`, asJSON(b.PlaceholderData))
	same(t, "and its members are gone", 1, len(b.Requests))
	if l.memory.asks["x1"] != nil || l.memory.asks["y1"] == nil {
		t.Error("the members are still remembered, or an ask of no gang is not")
	}
}

func TestAtomicGang_OfSeveralTaskGroups(t *testing.T) {
	l := begin(t)
	l.submit(`
{"type":"node.add","id":"n1","capacity":{"vcore":4}}
{"type":"app.add","id":"a","queue":"root.default"}
{"type":"ask.add","id":"m","app":"a","resources":{"vcore":2},"task_group":"master","gang":"g","gang_min":3}
{"type":"ask.add","id":"w1","app":"a","resources":{"vcore":1},"task_group":"worker","gang":"g","gang_min":3}
{"type":"ask.add","id":"w2","app":"a","resources":{"vcore":1},"task_group":"worker","gang":"g","gang_min":3}`)
	l.after(time.Second)
	same(t, "both groups", `[{"taskGroupName":"master","count":1,"minResource":{"vcore":2000},"replaced":1,"timedout":0},{"taskGroupName":"worker","count":2,"minResource":{"vcore":1000},"replaced":2,"timedout":0}]`,
		asJSON(get[application](l, "/ws/v1/partition/default/application/a").PlaceholderData))
}
