package manager

import (
	"testing"

	"github.com/quern-project/quern/core"
)

func TestRefusedApp_ForgottenWithoutPods(t *testing.T) {
	s := newSlow(t)
	s.api.putAll(queued(waiting("p", "p", 100), "root.nowhere"))
	s.show(crossed, func(uid string) bool { return uid != "" })
	s.api.remove("pods", crossed)
	s.show(crossed, func(uid string) bool { return uid == "" })
	s.deliver(core.AppRejected)
	if len(s.apps) > 0 {
		t.Errorf("found %+v", s.apps["p"])
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
	if n := len(s.placeholders); n != 2 {
		t.Fatalf("%d placeholders ask", n)
	}
	s.api.remove("pods", crossed)
	s.show(crossed, func(uid string) bool { return uid == "" })
	s.nodes.sweep()
	for _, left := range s.nodes.inUse.All() {
		t.Errorf("nodes still have the attribute %q", left.Attribute)
	}
}
