package si_test

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/si"
	"github.com/quern-project/quern/host/server"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

func TestAConversation(t *testing.T) {
	m := start(t).register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.wants("accepted n1")
	m.apps(m.app("a1"))
	m.wants("accepted a1")
	m.ask(task("k1", "a1", 1000), task("k2", "a1", 9000), task("", "a1", 1))
	m.wants("a1 is Accepted", "new k1 on n1", "rejected  of a1: bad-request", "a1 is Starting")
	m.release("a1", "k1", siv1.TerminationType_STOPPED_BY_RM)
	m.wants("released k1 of a1: STOPPED_BY_RM")
	m.release("a1", "k2", siv1.TerminationType_STOPPED_BY_RM) // pending: there is nothing to tell but the state
	m.wants("a1 is Completing")
	m.ask(task("k1", "a1", 500), task("k2", "a1", 500))
	m.wants("a1 is Running", "new k1 on n1", "new k2 on n1")
	m.release("a1", "", siv1.TerminationType_STOPPED_BY_RM)
	m.wants("released k1 of a1: STOPPED_BY_RM", "released k2 of a1: STOPPED_BY_RM", "a1 is Completing")
	m.send(m.applications.Send(&siv1.ApplicationRequest{Remove: []*siv1.RemoveApplicationRequest{{ApplicationID: "a1"}}}))
	m.wants("a1 is Completed")
	m.apps(m.app("a1")) // the ID is free again
	m.wants("accepted a1")
}

func TestAMessageMayComeToMoreInputsThanOneRequestTakes(t *testing.T) {
	m := start(t).register("rm-1")
	m.apps(m.app("a1"))
	m.wants("accepted a1")
	var all []*siv1.Allocation
	for i := range server.RequestInputs + 1 {
		all = append(all, task(fmt.Sprint("k", i), "a1", 1))
	}
	m.ask(all...)
	m.wants("a1 is Accepted")
	waiting := func() (n int) {
		m.taken()
		m.read(func(s *scheduler.Scheduler) { n = len(s.Dump().Applications[0].Asks) })
		return n
	}
	if n := waiting(); n != len(all) {
		t.Errorf("expected %d asks, found %d", len(all), n)
	}
	m.release("a1", "", siv1.TerminationType_STOPPED_BY_RM) // two inputs for each: an ask may be allocated meanwhile
	m.wants("a1 is Completing")
	if n := waiting(); n != 0 {
		t.Errorf("found %d asks after their release", n)
	}
}

func TestAnAskNamesAPredicateOfItsResourceManager(t *testing.T) {
	m := start(t).register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.apps(m.app("a1"))
	m.wants("accepted n1", "accepted a1")
	named := func(key, predicate string) *siv1.Allocation {
		a := task(key, "a1", 1000)
		a.AllocationTags = map[string]string{si.Predicate: predicate}
		return a
	}
	m.ask(named("k1", "fits"), named("k2", "../rm-2/fits"), named("k3", ""))
	m.wants("rejected k2 of a1: bad-request: quern/predicate", "a1 is Accepted", "new k3 on n1", "a1 is Starting") // nobody answers for k1
	m.read(func(s *scheduler.Scheduler) {
		if k, _ := s.Ask("k1"); k.Predicate != "rm-1/fits" || k.Node != "" {
			t.Errorf("found %+v", k)
		}
	})
}

func TestTexts_TooLongAreRefused(t *testing.T) {
	m := start(t).register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.apps(m.app("a1"))
	m.wants("accepted n1", "accepted a1")
	long := strings.Repeat("l", 1025)
	m.node(long, siv1.NodeInfo_CREATE, 4000)
	m.apps(m.app(long))
	tagged := task("k1", "a1", 1000)
	tagged.AllocationTags = map[string]string{"note": strings.Repeat("x", 64<<10)}
	foreign := &siv1.Allocation{AllocationKey: long, NodeID: "n1", AllocationTags: map[string]string{siv1.TagForeign: "default"}}
	m.ask(task(long, "a1", 1000), tagged, foreign, task("k2", "a1", 1000))
	m.wants("rejected "+long+": name-too-long: the ID has 1025 bytes, more than 1024", "rejected "+long+": name-too-long", // a node, an application
		"rejected "+long+" of a1: name-too-long", "rejected k1 of a1: name-too-long: the queue, groups, tags", "rejected "+long+" of : name-too-long",
		"a1 is Accepted", "new k2 on n1", "a1 is Starting")
}

func TestEveryActionOnANode(t *testing.T) {
	m := start(t).register("rm-1")
	expect := func(want string) {
		t.Helper()
		if found := m.state(); found != want {
			t.Errorf("expected\n%s\nfound\n%s", want, found)
		}
	}
	m.node("n1", siv1.NodeInfo_CREATE_DRAIN, 1000)
	m.wants("accepted n1")
	expect("node n1 [{vcore 1000}] [] false")
	m.node("n1", siv1.NodeInfo_DRAIN_TO_SCHEDULABLE, 0)
	m.node("n1", siv1.NodeInfo_UPDATE, 2000)
	m.node("n1", siv1.NodeInfo_UNKNOWN_ACTION_FROM_RM, 0)
	m.wants("rejected n1: bad-request: the action")
	expect("node n1 [{vcore 2000}] [] true")
	m.node("n1", siv1.NodeInfo_DRAIN_NODE, 0)
	m.node("n2", siv1.NodeInfo_UPDATE, 5)
	m.wants("rejected n2: unknown-node")
	expect("node n1 [{vcore 2000}] [] false")
	m.apps(m.app("a1"))
	m.wants("accepted a1")
	m.ask(running("k1", "a1", 500, "n1"), running("k2", "a1", 500, "n9"))
	m.wants("rejected k2 of a1: unknown-node", "a1 is Accepted", "a1 is Starting")
	m.node("n1", siv1.NodeInfo_DECOMISSION, 0)
	m.wants("released k1 of a1: STOPPED_BY_RM", "a1 is Completing")
	expect("app a1 Completing")
	m.node("n1", siv1.NodeInfo_CREATE, -1)
	m.wants("accepted n1") // without amounts
}

func TestNode_CreatedTwiceIsRejected(t *testing.T) {
	l := start(t)
	m := l.register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.node("n1", siv1.NodeInfo_CREATE, 8000)
	m.wants("accepted n1", "rejected n1: duplicate: this resource manager has created the node already; UPDATE changes it")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.node("n1", siv1.NodeInfo_CREATE_DRAIN, 4000)
	m.wants("rejected n1: duplicate", "rejected n1: duplicate")
	if found, want := m.state(), "node n1 [{vcore 4000}] [] true"; found != want {
		t.Errorf("expected %s, found %s", want, found)
	}
	m.cancel()
	m.wantsEnd(codes.Canceled)
	l.state() // the host has nothing under way
	m = l.connect("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 9000)
	m.node("n1", siv1.NodeInfo_CREATE, 4000) // the same as before: the answer may have been lost
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.wants("accepted n1", "rejected n1: duplicate", "rejected n1: duplicate", "rejected n1: duplicate", "accepted n1", "rejected n1: duplicate", "rejected n1: duplicate")
	m = l.register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 5000) // a resync: the node may have changed meanwhile
	m.wants("accepted n1")
	m.node("n1", siv1.NodeInfo_CREATE, 6000)
	m.wants("rejected n1: duplicate")
	m.node("n1", siv1.NodeInfo_DECOMISSION, 0)
	m.node("n1", siv1.NodeInfo_CREATE, 7000)
	m.wants("accepted n1")
	if found, want := m.state(), "node n1 [{vcore 7000}] [] true"; found != want {
		t.Errorf("expected %s, found %s", want, found)
	}
}

func TestResourceManagersAreToldOfTheirOwnAlone(t *testing.T) {
	l := start(t)
	one, two := l.register("rm-1"), l.register("rm-2")
	one.node("n1", siv1.NodeInfo_CREATE, 4000)
	one.apps(one.app("a1"))
	one.wants("accepted n1", "accepted a1")
	two.node("n1", siv1.NodeInfo_DECOMISSION, 0)
	two.wants("rejected n1: duplicate")
	two.apps(two.app("a1"), two.app("a2"))
	two.wants("rejected a1: duplicate", "accepted a2")
	two.ask(task("k1", "a1", 1))
	two.wants("rejected k1 of a1: unknown-application")
	two.release("a1", "", siv1.TerminationType_STOPPED_BY_RM)
	one.ask(task("k1", "a1", 1000))
	one.wants("a1 is Accepted", "new k1 on n1", "a1 is Starting")
	two.ask(task("k1", "a2", 1000)) // the key is taken
	two.wants("rejected k1 of a2: duplicate")
	two.ask(task("k2", "a2", 1000)) // nodes are shared
	two.wants("a2 is Accepted", "new k2 on n1", "a2 is Starting")
	foreign := two.app("a3")
	foreign.PartitionName = "[rm-1]default"
	two.apps(foreign)
	two.wants("rejected a3: unknown-partition")
}

func TestAStreamThatBreaksIsPickedUpWithTheAnswersThatWereMissed(t *testing.T) {
	l := start(t)
	m := l.register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.apps(m.app("a1"))
	m.wants("accepted n1", "accepted a1")
	m.ask(task("k1", "a1", 5000))
	m.wants("a1 is Accepted")
	m.cancel()
	m.wantsEnd(codes.Canceled)
	l.state() // the host has nothing under way
	if inputs := l.submit(core.Input{Event: &core.AddNode{ID: "n2", Capacity: capacity(8000)}}); inputs.Refused {
		t.Fatal("the node was refused")
	}
	again := l.connect("rm-1")
	again.wants("new k1 on n2", "accepted n1", "accepted a1", "a1 is Accepted", "a1 is Starting") // what was sent last may come twice
}

func TestARegistrationAgainIsAResync(t *testing.T) {
	l := start(t)
	m := l.register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.node("n2", siv1.NodeInfo_CREATE, 4000)
	m.apps(m.app("a1"), m.app("a2"))
	m.wants("accepted n1", "accepted n2", "accepted a1", "accepted a2")
	m.ask(task("k1", "a1", 4000), task("k2", "a1", 4000), task("k3", "a1", 4000), task("k4", "a2", 4000))
	m.wants("a1 is Accepted", "a2 is Accepted", "new k1 on n1", "new k2 on n2", "a1 is Starting", "a1 is Running")
	for name, again := range map[string]func(){"the same process": func() {}, "after a crash": l.restart} {
		again()
		before := l.state()
		r := l.register("rm-1")
		if name == "the same process" {
			m.wantsEnd(codes.Aborted)
		}
		r.node("n1", siv1.NodeInfo_CREATE, 4000)
		r.node("n2", siv1.NodeInfo_CREATE, 4000)
		r.apps(r.app("a1"), r.app("a2"))
		r.wants("accepted n1", "accepted n2", "accepted a1", "accepted a2", "a1 is Running", "a2 is Accepted")
		r.ask(running("k1", "a1", 4000, "n1"), task("k2", "a1", 4000), task("k3", "a1", 4000), task("k4", "a2", 4000))
		r.wants("new k2 on n2") // the one answer that it does not know of
		if after := l.state(); after != before {
			t.Errorf("%s: a resync has changed\n%s\nto\n%s", name, before, after)
		}
		m = r
	}
	r := l.register("rm-1")
	r.node("n1", siv1.NodeInfo_CREATE, 4000)
	r.apps(r.app("a1"))
	r.wants("accepted n1", "accepted a1", "a1 is Running")
	r.ask(running("k1", "a1", 4000, "n1"))
	complete := &siv1.RegisterResourceManagerRequest{RmID: "rm-1", ExtraConfig: map[string]string{si.Resync: si.Complete}}
	if _, err := l.RegisterResourceManager(t.Context(), complete); status.Code(err) != codes.FailedPrecondition {
		t.Errorf("a resync was completed while messages may be under way: %v", err)
	}
	r.complete()
	if found, want := l.state(), "app a1 Running\napp a2 Completed\nask k1 0 [{vcore 4000}] on \"n1\"\nnode n1 [{vcore 4000}] [] true"; found != want {
		t.Errorf("expected\n%s\nfound\n%s", want, found)
	}
}

func TestRegistrationsThatCannotBeUsed(t *testing.T) {
	l := start(t)
	for name, r := range map[string]*siv1.RegisterResourceManagerRequest{
		"no ID":         {},
		"brackets":      {RmID: "[rm]"},
		"a bad config":  {RmID: "rm-1", Config: "partitions: 3"},
		"an odd resync": {RmID: "rm-1", ExtraConfig: map[string]string{si.Resync: "now"}},
	} {
		if _, err := l.RegisterResourceManager(t.Context(), r); status.Code(err) != codes.InvalidArgument {
			t.Errorf("%s: found %v", name, err)
		}
	}
	stream, err := l.UpdateNode(t.Context())
	if err == nil {
		err = stream.Send(&siv1.NodeRequest{RmID: "rm-1"})
	}
	if err == nil {
		_, err = stream.Recv()
	}
	if status.Code(err) != codes.FailedPrecondition {
		t.Errorf("a stream without a registration: found %v", err)
	}
	m := l.register("rm-1")
	if err := m.nodes.Send(&siv1.NodeRequest{RmID: "rm-2"}); err != nil {
		t.Fatal(err)
	}
	if err := <-m.ended; status.Code(err) != codes.InvalidArgument {
		t.Errorf("a stream of two resource managers: found %v", err)
	}
}

func TestAConfigurationIsPutInForceWhereItDiffers(t *testing.T) {
	l := start(t)
	count := func() (n int) {
		l.state()
		list, err := l.machine.Decisions(1)
		if err != nil {
			t.Fatal(err)
		}
		for d, err := list.Next(); err == nil; d, err = list.Next() {
			if strings.Contains(d.String(), "config.accepted") {
				n++
			}
		}
		return n
	}
	text := "partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]"
	for i, c := range []struct {
		text string
		want int
	}{{text, 1}, {text, 1}, {"", 1}, {strings.ReplaceAll(text, "name: a", "name: b"), 2}} {
		if _, err := l.RegisterResourceManager(t.Context(), &siv1.RegisterResourceManagerRequest{RmID: "rm-1", Config: c.text}); err != nil {
			t.Fatal(err)
		}
		if found := count(); found != c.want {
			t.Errorf("registration %d: expected %d configurations, found %d", i, c.want, found)
		}
	}
}
