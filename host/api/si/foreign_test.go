package si_test

import (
	"slices"
	"testing"

	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

func foreign(key, node string, vcore int64) *siv1.Allocation {
	return &siv1.Allocation{AllocationKey: key, NodeID: node, ResourcePerAlloc: resources(vcore), AllocationTags: map[string]string{"foreign": "static"}}
}

// occupied holds the state of n1, which has 4000, against what occupies it. What was asked before is taken by then.
func (m *manager) occupied(when, want string) {
	m.Helper()
	m.taken()
	if found := m.state(); !slices.Contains(lines(found), "node n1 [{vcore 4000}] "+want+" true") {
		m.Errorf("%s: expected that %s occupies n1, found\n%s", when, want, found)
	}
}

// taken waits until the scheduler has what was sent as allocations.
func (m *manager) taken() {
	m.Helper()
	m.ask(task("", "a1", 1))
	m.wants("rejected  of a1: bad-request")
}

func TestForeignAllocationsOccupyTheirNode(t *testing.T) {
	m := start(t).register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.node("n2", siv1.NodeInfo_CREATE_DRAIN, 4000)
	m.apps(m.app("a1"))
	m.wants("accepted n1", "accepted n2", "accepted a1")
	m.ask(foreign("f1", "n1", 1000), foreign("f2", "n1", 2000), foreign("f3", "n9", 1), foreign("f4", "n1", -1), foreign("f5", "n1", 1))
	m.wants("rejected f3 of : unknown-node", "rejected f4 of : bad-request")
	m.ask(task("k1", "a1", 2000))
	m.wants("a1 is Accepted")
	m.ask(foreign("f5", "n2", 1)) // it has moved
	m.ask(foreign("f2", "n1", 1500))
	m.release("", "f1", siv1.TerminationType_STOPPED_BY_RM)
	m.wants("new k1 on n1", "a1 is Starting")
	m.occupied("at last", "[{vcore 1500}]")
}

func TestResync_HoldsRoomOfForeignAllocations(t *testing.T) {
	for name, again := range map[string]func(*live){"the same process": func(*live) {}, "after a restart": (*live).restart} {
		t.Run(name, func(t *testing.T) {
			l := start(t)
			m := l.register("rm-1")
			m.node("n1", siv1.NodeInfo_CREATE, 4000)
			m.apps(m.app("a1"))
			m.wants("accepted n1", "accepted a1")
			m.ask(foreign("f1", "n1", 1000), foreign("f2", "n1", 2000), foreign("f3", "n1", 500))
			m.occupied("before", "[{vcore 3500}]")
			again(l)
			m = l.register("rm-1")
			m.apps(m.app("a1"))
			m.wants("accepted a1", "a1 is New")
			m.ask(foreign("f1", "n1", 1000)) // streams have no order: the node is named later
			m.occupied("before the node is named", "[{vcore 3500}]")
			m.node("n1", siv1.NodeInfo_CREATE, 4000)
			m.wants("accepted n1")
			m.ask(task("k1", "a1", 1000))
			m.wants("a1 is Accepted")
			m.occupied("after the node was named", "[{vcore 3500}]")
			m.ask(foreign("f2", "n1", 2000))
			m.ask(foreign("f2", "n1", 2000)) // a repeat changes nothing
			m.occupied("when most are named", "[{vcore 3500}]")
			m.complete() // f3 is gone
			m = l.connect("rm-1")
			m.wants("new k1 on n1", "a1 is Starting")
			m.occupied("after the resync", "[{vcore 3000}]")
			m.release("", "f1", siv1.TerminationType_STOPPED_BY_RM)
			m.occupied("at last", "[{vcore 2000}]")
		})
	}
}

func TestResync_WithoutAnEndForeignOnesComeAndGo(t *testing.T) {
	l := start(t)
	m := l.register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.apps(m.app("a1"))
	m.wants("accepted n1", "accepted a1")
	m.ask(foreign("f1", "n1", 1000), foreign("f2", "n1", 2000))
	m.occupied("before", "[{vcore 3000}]")
	m = l.register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.wants("accepted n1")
	m.ask(foreign("f1", "n1", 1000), foreign("f2", "n1", 2000))
	m.ask(foreign("f2", "n1", 1500))
	m.occupied("one has changed", "[{vcore 2500}]")
	m.release("", "f1", siv1.TerminationType_STOPPED_BY_RM)
	m.occupied("one has ended", "[{vcore 1500}]")
	m.ask(foreign("f4", "n1", 500))
	m.occupied("one has come", "[{vcore 2000}]")
}

func TestDrainingNode_OccupiedOnceReady(t *testing.T) {
	l := start(t)
	m := l.register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.apps(m.app("a1"))
	m.wants("accepted n1", "accepted a1")
	m.ask(foreign("f1", "n1", 1000), foreign("f2", "n1", 2000))
	m.occupied("before", "[{vcore 3000}]")
	l.restart()
	m = l.register("rm-1")
	m.apps(m.app("a1"))
	m.node("n1", siv1.NodeInfo_CREATE_DRAIN, 4000)
	m.wants("accepted a1", "a1 is New", "accepted n1")
	m.ask(foreign("f1", "n1", 1000), task("k1", "a1", 3000))
	m.wants("a1 is Accepted")
	m.node("n1", siv1.NodeInfo_DRAIN_TO_SCHEDULABLE, 0)
	m.wants("new k1 on n1", "a1 is Starting")
	m.occupied("at last", "[{vcore 1000}]")
}

func TestForeignAllocation_BeforeItsNodeAfterARestart(t *testing.T) {
	l := start(t)
	m := l.register("rm-1")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.wants("accepted n1")
	l.restart()
	m, other := l.register("rm-1"), l.register("rm-2")
	m.ask(foreign("f1", "n1", 1000))
	m.occupied("after the restart", "[{vcore 1000}]")
	other.ask(foreign("f2", "n1", 1000))
	other.wants("rejected f2 of : unknown-node")
}
