package si_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/si"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

func placeholder(key, app string, vcore int64) *siv1.Allocation {
	a := member(key, app, vcore)
	a.Placeholder = true
	return a
}

func member(key, app string, vcore int64) *siv1.Allocation {
	a := task(key, app, vcore)
	a.TaskGroupName = "workers"
	return a
}

func TestATaskReplacesItsPlaceholder(t *testing.T) {
	m := start(t).register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	gang := m.app("a1")
	gang.PlaceholderAsk = resources(2000)
	m.apps(gang)
	m.wants("accepted n1", "accepted a1")
	m.ask(placeholder("p1", "a1", 1000), placeholder("p2", "a1", 1000))
	m.wants("a1 is Accepted", "new p1 on n1", "new p2 on n1", "a1 is Starting")
	m.ask(member("k1", "a1", 1000))
	m.wants("released p1 of a1: PLACEHOLDER_REPLACED")
	m.release("a1", "p1", siv1.TerminationType_PLACEHOLDER_REPLACED)
	m.wants("new k1 on n1") // the placeholder's end is not told again
}

func TestPlaceholdersWhoseTimeIsOverAreReleased(t *testing.T) {
	m := start(t).register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	gang := m.app("a1")
	gang.PlaceholderAsk, gang.GangSchedulingStyle, gang.ExecutionTimeoutMilliSeconds = resources(9000), "Hard", 5000
	odd, long := m.app("a2"), m.app("a3")
	odd.PlaceholderAsk, odd.GangSchedulingStyle = resources(1), "Firm"
	long.PlaceholderAsk, long.ExecutionTimeoutMilliSeconds = resources(1), -1
	m.apps(gang, odd, long)
	m.wants("accepted n1", "accepted a1", "rejected a2: bad-request: gangSchedulingStyle", "rejected a3: bad-request: executionTimeout")
	m.ask(placeholder("p1", "a1", 1000), placeholder("p2", "a1", 8000))
	m.wants("a1 is Accepted", "new p1 on n1")
	m.machine.Clock.Set(time.Hour + 6*time.Second)
	m.wants("released p2 of a1: TIMEOUT", "released p1 of a1: TIMEOUT", "a1 is Failing")
	m.release("a1", "p1", siv1.TerminationType_TIMEOUT)
	m.wants("a1 is Failed")
}

func TestVictim_ReleaseSentOnce(t *testing.T) {
	l := start(t)
	const text = "partitions: [{name: default, preemption: {enabled: true}, queues: [{name: root, queues: [{name: a, resources: {guaranteed: {vcore: 4}}}, {name: b}]}]}]"
	if _, err := l.RegisterResourceManager(t.Context(), &siv1.RegisterResourceManagerRequest{RmID: "rm-1", Config: text}); err != nil {
		t.Fatal(err)
	}
	m := l.connect("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	rich, poor := m.app("rich"), m.app("poor")
	rich.QueueName, poor.QueueName = "root.b", "root.a"
	m.apps(rich, poor)
	m.wants("accepted n1", "accepted rich", "accepted poor")
	m.ask(task("v1", "rich", 4000))
	m.wants("rich is Accepted", "new v1 on n1", "rich is Starting")
	m.ask(task("k1", "poor", 4000))
	m.wants("poor is Accepted")
	m.machine.Clock.Set(time.Hour + time.Minute)
	m.wants("released v1 of rich: PREEMPTED_BY_SCHEDULER")
	m.release("rich", "v1", siv1.TerminationType_PREEMPTED_BY_SCHEDULER)
	m.wants("rich is Completing", "new k1 on n1", "poor is Starting")
}

func TestTagsAndPoliciesOfAsks(t *testing.T) {
	m := start(t).register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.node("n2", siv1.NodeInfo_CREATE, 4000)
	m.apps(m.app("a1"))
	m.wants("accepted n1", "accepted n2", "accepted a1")
	bound, plain := task("k1", "a1", 1000), task("k2", "a1", 1000)
	bound.AllocationTags = map[string]string{"yunikorn.apache.org/requiredNode": "n2"}
	plain.PreemptionPolicy, plain.Originator, plain.Priority = nil, true, 7
	m.ask(bound, plain)
	m.wants("a1 is Accepted", "new k1 on n2", "new k2 on n1", "a1 is Starting", "a1 is Running")
	m.read(func(s *scheduler.Scheduler) {
		k1, _ := s.Ask("k1")
		k2, _ := s.Ask("k2")
		if !k1.Preempts || !k1.Preemptable || k2.Preempts || k2.Preemptable || !k2.Originator || k2.Priority != 7 {
			t.Errorf("found %+v and %+v", k1, k2)
		}
	})
}

func TestSlowReader_DelaysNoOther(t *testing.T) {
	l := start(t)
	slow, other := l.register("slow"), l.register("other")
	slow.node("n1", siv1.NodeInfo_CREATE, 1_000_000)
	slow.apps(slow.app("a1"))
	slow.wants("accepted n1", "accepted a1")
	unread, err := l.UpdateAllocation(t.Context()) // takes over, and nothing is received from it
	if err != nil {
		t.Fatal(err)
	}
	const messages, each = 40, 500
	message := func(i int) *siv1.AllocationRequest {
		r := &siv1.AllocationRequest{RmID: "slow"}
		for j := range each {
			r.Allocations = append(r.Allocations, task(fmt.Sprintf("k%05d", i*each+j), "a1", 1))
		}
		return r
	}
	if err := unread.Send(message(0)); err != nil {
		t.Fatal(err)
	}
	if err := <-slow.ended; status.Code(err) != codes.Aborted {
		t.Errorf("expected that the stream before is ended, found %v", err)
	}
	sent := make(chan error, 1)
	go func() { // a send waits for room, which the unread answers may have taken
		var err error
		for i := 1; i < messages && err == nil; i++ {
			err = unread.Send(message(i))
		}
		sent <- err
	}()
	other.apps(other.app("b1"))
	other.wants("accepted b1")
	other.ask(task("x", "b1", 1))
	other.wants("b1 is Accepted", "new x on n1", "b1 is Starting")
	for told := 0; told < messages*each; {
		r, err := unread.Recv()
		if err != nil {
			t.Fatalf("after %d answers: %v", told, err)
		}
		told += len(r.GetNew())
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
}

func lines(text string) []string { return strings.Split(text, "\n") }

// atomic is a member of an atomic gang, with tags such as quern/gang-repair=1s.
func atomic(key, app string, tags ...string) *siv1.Allocation {
	a := task(key, app, 1000)
	a.AllocationTags = map[string]string{si.Gang: "workers", si.GangMin: "3"}
	for _, tag := range tags {
		name, value, _ := strings.Cut(tag, "=")
		a.AllocationTags[name] = value
	}
	return a
}

func (m *manager) releaseFailed(app, key string) {
	m.Helper()
	m.send(m.allocations.Send(&siv1.AllocationRequest{RmID: m.id, Releases: &siv1.AllocationReleasesRequest{
		AllocationsToRelease: []*siv1.AllocationRelease{{ApplicationID: app, AllocationKey: key, TerminationType: siv1.TerminationType_STOPPED_BY_RM, Message: si.Failed}}}}))
}

func TestAtomicGang_EndsWhenItIsBroken(t *testing.T) {
	const repair = "quern/gang-repair=0s"
	m := start(t).register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.apps(m.app("a1"))
	m.wants("accepted n1", "accepted a1")
	m.ask(atomic("k1", "a1", repair), atomic("k2", "a1", repair))
	m.wants("a1 is Accepted")
	m.ask(atomic("k3", "a1", repair))
	m.wants("new k1 on n1", "new k2 on n1", "new k3 on n1", "a1 is Starting", "a1 is Running")
	m.release("a1", "k1", siv1.TerminationType_STOPPED_BY_RM) // has succeeded
	m.wants("released k1 of a1: STOPPED_BY_RM")
	m.releaseFailed("a1", "k2")
	m.wants("released k2 of a1: STOPPED_BY_RM", "released k3 of a1: PREEMPTED_BY_SCHEDULER") // the latter has to leave
	m.ask(atomic("k4", "a1", repair))
	m.releaseFailed("a1", "k3") // its end is not told again
	m.ask(atomic("k5", "a1", repair))
	m.wants("new k4 on n1", "new k5 on n1") // two of three, since one has succeeded
}

func TestAtomicGang_SucceededBefore(t *testing.T) {
	m := start(t).register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	a := m.app("a1")
	a.Tags = map[string]string{si.Succeeded: `{"workers": 2}`}
	m.apps(a)
	m.wants("accepted n1", "accepted a1")
	m.ask(atomic("k1", "a1"))
	m.wants("a1 is Accepted", "new k1 on n1", "a1 is Starting")
}

func TestAtomicGang_TagsThatCannotBeRead(t *testing.T) {
	m := start(t).register("rm-1")
	for i, value := range []string{"many", `{"workers": 0}`, `{"": 1}`, `[]`} {
		a := m.app(fmt.Sprint("b", i))
		a.Tags = map[string]string{si.Succeeded: value}
		m.apps(a)
		m.wants("rejected " + a.GetApplicationID() + ": bad-request: quern/succeeded: expected an object")
	}
	placeholders := m.app("c1")
	placeholders.PlaceholderAsk = resources(1000)
	placeholders.Tags = map[string]string{si.GangDisruption: "whole"}
	m.apps(placeholders)
	m.wants(`rejected c1: bad-request: quern/gang-disruption: expected unit or member of an application with placeholders, found "whole"`)
	m.apps(m.app("a1"))
	m.wants("accepted a1")
	for i, c := range []struct{ tag, want string }{
		{"quern/gang=", "quern/gang-min: expected quern/gang beside it, found none"},
		{"quern/gang-min=0", `quern/gang-min: expected a number of 1 or more, found "0"`},
		{"quern/gang-min=", `quern/gang-min: expected a number of 1 or more, found ""`},
		{"quern/gang-timeout=soon", `quern/gang-timeout: expected a duration such as 10m, found "soon"`},
		{"quern/gang-repair=-1s", `quern/gang-repair: expected a duration such as 10m, found "-1s"`},
		{"quern/gang-fallback=all", `quern/gang-fallback: expected members, found "all"`},
		{"quern/gang-max=2", `quern/gang-max: expected a number of 3 or more, found "2"`},
		{"quern/gang-set=s", "quern/gang-set: expected quern/gang-set-min beside it, found none"},
		{"quern/gang-set-min=2", "quern/gang-set-min: expected quern/gang-set beside it, found none"},
		{"quern/gang-set-min=0", `quern/gang-set-min: expected a number of 1 or more, found "0"`},
		{"quern/topology-slice-level=rack", "quern/topology-slice-level: expected quern/topology-slice-size beside it, found none"},
		{"quern/topology-slice-size=many", `quern/topology-slice-size: expected a number of 1 or more, found "many"`},
		{"quern/movable=yes", `quern/movable: expected true or false, found "yes"`},
		{"quern/gang-disruption=some", `quern/gang-disruption: expected unit, whole or member, found "some"`},
	} {
		key := fmt.Sprint("k", i)
		m.ask(atomic(key, "a1", c.tag))
		m.wants("rejected " + key + " of a1: bad-request: " + c.want)
	}
	m.ask(atomic("k8", "a1", "quern/topology-required=rack", "quern/topology-preferred=row"))
	m.wants(`rejected k8 of a1: bad-request: quern/topology-preferred: expected none beside quern/topology-required, found "row"`)
	slice := task("k9", "a1", 1000)
	slice.AllocationTags = map[string]string{si.TopologySliceLevel: "rack", si.TopologySliceSize: "2"}
	m.ask(slice)
	m.wants("rejected k9 of a1: bad-request: quern/topology-slice-level: expected quern/gang beside it, found none")
	m.ask(atomic("m1", "a1", "quern/gang-disruption=whole"), atomic("m2", "a1", "quern/gang-disruption=member"))
	m.wants("a1 is Accepted", "rejected m2 of a1: gang-mismatch")
}

// The gang has at most three members, all on one node, and is in a set that one gang forms.
func TestAtomicGang_MaxSetTopology(t *testing.T) {
	m := start(t).register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 3000)
	m.node("n2", siv1.NodeInfo_CREATE, 2000)
	m.apps(m.app("a1"))
	m.wants("accepted n1", "accepted n2", "accepted a1")
	tags := []string{"quern/gang-max=3", "quern/gang-set=s", "quern/gang-set-min=1", "quern/topology-required=node", "quern/movable=true"}
	m.ask(atomic("k1", "a1", tags...), atomic("k2", "a1", tags...), atomic("k3", "a1", tags...))
	m.wants("a1 is Accepted", "new k1 on n1", "new k2 on n1", "new k3 on n1", "a1 is Starting", "a1 is Running")
	m.ask(atomic("k4", "a1", tags...))
	m.wants("rejected k4 of a1: gang-over-max")
	level := atomic("k5", "a1", "quern/gang=other", "quern/topology-required=cage")
	m.ask(level)
	m.wants("rejected k5 of a1: unknown-level")
}

func TestWalltime_ReleasedAtThePromisedEnd(t *testing.T) {
	m := start(t).register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.apps(m.app("a1"))
	m.wants("accepted n1", "accepted a1")
	bad, good := task("k1", "a1", 1000), task("k2", "a1", 1000)
	bad.AllocationTags, good.AllocationTags = map[string]string{si.Walltime: "0s"}, map[string]string{si.Walltime: "10s"}
	m.ask(bad)
	m.wants(`rejected k1 of a1: bad-request: quern/walltime: expected a duration above zero`)
	m.ask(good)
	m.wants("a1 is Accepted", "new k2 on n1", "a1 is Starting")
	m.machine.Clock.Set(time.Hour + 20*time.Second)
	m.wants("released k2 of a1: TIMEOUT")
	m.release("a1", "k2", siv1.TerminationType_TIMEOUT)
	m.wants("a1 is Completing")
}
