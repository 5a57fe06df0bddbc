package manager

import (
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/podstate"
)

func TestRefusedApp_ForgottenWithoutPods(t *testing.T) {
	s := newSlow(t)
	s.api.putAll(queued(waiting("p", "p", 100), "root.nowhere"))
	s.show(crossed, func(uid string) bool { return uid != "" })
	s.api.remove("pods", crossed)
	s.show(crossed, func(uid string) bool { return uid == "" })
	s.deliver(core.AppRejected)
	if len(s.apps.byID) > 0 {
		t.Errorf("found %+v", s.apps.byID["p"])
	}
}

// Nodes have an attribute for each demand that no label expresses, as long as an ask has it. Placeholders have such demands, too.
func TestNodes_LoseAttributesOfEndedPlaceholders(t *testing.T) {
	s := newSlow(t)
	driver := queued(waiting("p", "etl", 100), "root.analytics")
	driver.Annotations = map[string]string{"yunikorn.apache.org/task-groups": `[{"name": "executors", "minMember": 2, "minResource": {"cpu": "100m"},
		"tolerations": [{"key": "etl", "operator": "Exists"}]}]`}
	s.api.putAll(driver)
	s.show(crossed, func(uid string) bool { return uid != "" })
	if n := len(s.apps.placeholders.byID); n != 2 {
		t.Fatalf("%d placeholders ask", n)
	}
	s.api.remove("pods", crossed)
	s.show(crossed, func(uid string) bool { return uid == "" })
	s.nodes.sweep()
	for _, left := range s.nodes.inUse.All() {
		t.Errorf("nodes still have the attribute %q", left.Attribute)
	}
}

// The pods of a rejected application do not ask until it is submitted again.
func TestApps_RejectedPauses(t *testing.T) {
	u := newUnconnected(t, nil)
	pod := waiting("p", "a", 100)
	u.has(pod)
	u.decides(core.Decision{Type: core.AppRejected, ID: "a", Reason: core.ReasonUnknownApplication})
	same(t, "rejected", u.has(pod))
	u.is("default/p", podstate.Held)
	looked := map[string]bool{}
	u.apps.readmit(map[string]bool{"a": true, "unknown": true}, looked)
	same(t, "readmitted", u.looks(looked), "app.add a", "ask.add default/p")
}

// Pods that wait fail with their application. Those that come later wait for its end, and begin another.
func TestApps_FailingCondemnsPodsThatWait(t *testing.T) {
	u := newUnconnected(t, nil)
	runs := waiting("r", "a", 100)
	runs.Spec.NodeName = "n1"
	u.has(worker("n1", 1000), runs, waiting("p", "a", 100))
	same(t, "failing", u.looks(u.decides(core.Decision{Type: core.AppState, ID: "a", To: core.StateFailing})), "ask.remove default/p", "allocation.release default/p")
	u.is("default/p", podstate.Failing)
	u.is("default/r", podstate.Bound)
	same(t, "failing", u.writing(), "default/p")
	same(t, "another pod", u.has(waiting("q", "a", 100)))
	u.is("default/q", podstate.Held)
	same(t, "failed", u.looks(u.decides(core.Decision{Type: core.AppState, ID: "a", To: core.StateFailed})), "app.add a", "ask.add default/q")
}

func TestApps_AskOfAnEndedOneBeginsAnother(t *testing.T) {
	u := newUnconnected(t, nil)
	u.has(waiting("p", "a", 100))
	same(t, "refused", u.looks(u.decides(core.Decision{Type: core.AskRejected, ID: "default/p", Reason: core.ReasonUnknownApplication})), "app.add a", "ask.add default/p")
}
