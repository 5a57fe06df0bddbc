package manager

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// foreign is a pod of another scheduler on a node.
func foreign(name, node string, milli int64) *corev1.Pod {
	pod := waiting(name, name, milli)
	pod.Spec.SchedulerName, pod.Spec.NodeName, pod.Status.Phase = "other", node, corev1.PodRunning
	return pod
}

// informed waits until the informers have some objects, or do not have them any more, and forgets what they have told of that.
func (s *slow) informed(there bool, has ...func() bool) {
	s.t.Helper()
	until(s.t, func() string {
		for _, h := range has {
			if h() != there {
				return "the informers are behind"
			}
		}
		return ""
	})
	s.inbox.take()
}

func (s *slow) podIn(key string) func() bool { return func() bool { return s.cluster.Pod(key) != nil } }
func (s *slow) nodeIn(name string) func() bool {
	return func() bool { return s.cluster.node(name) != nil }
}

// takes waits until foreign pods take an amount on a node.
func (s *slow) takes(node string, milli int64) {
	s.t.Helper()
	until(s.t, func() string {
		if got, ok := (&replica{Server: s.session.live}).occupied(node); !ok || got != milli {
			return fmt.Sprintf("foreign pods take %d on %s, expected %d", got, node, milli)
		}
		return ""
	})
}

// One pod has the node counted again while another is there of which the loop has not heard, and which is gone when it does.
func TestAForeignPodThatPassesUnseenTakesNoRoom(t *testing.T) {
	s := newSlow(t)
	s.api.putAll(foreign("stays", "n1", 100), foreign("passes", "n1", 200))
	s.informed(true, s.podIn("default/stays"), s.podIn("default/passes"))
	s.inbox.pod("default/stays")
	s.step()
	s.takes("n1", 100)
	s.api.remove("pods", "default/passes")
	s.informed(false, s.podIn("default/passes"))
	s.inbox.pod("default/passes")
	s.step()
	s.takes("n1", 100)
}

// The pods of a node that comes are looked at after it: some may have ended by then, which takes long where many nodes come at once.
func TestForeignPod_EndedTakesNoRoom(t *testing.T) {
	s := newSlow(t)
	s.api.putAll(foreign("passes", "n2", 200))
	s.api.put("nodes", worker("n2", 1000))
	s.informed(true, s.podIn("default/passes"), s.nodeIn("n2"))
	pods := map[string]bool{}
	s.nodes.compare(map[string]bool{"n2": true}, pods)
	s.api.remove("pods", "default/passes")
	s.informed(false, s.podIn("default/passes"))
	s.reconciler.changed(pods)
	s.nodes.refresh()
	if err := s.submit(); err != nil {
		t.Fatal(err)
	}
	s.takes("n2", 0)
}

// Plugins count pods by the nodes that there are: one that the scheduler has refused is none.
func TestFiltersDoNotKeepANodeThatWasRefused(t *testing.T) {
	s := newSlow(t)
	known := &nodesKnown{ports: ports{calls: map[string]int{}}, names: map[string]bool{"n1": true}}
	s.nodes.filters = known
	s.nodes.refused("n1", "because of a test")
	if len(known.names) > 0 {
		t.Errorf("filters still have %v", known.names)
	}
}

// nodesKnown has the names of the nodes that filters know.
type nodesKnown struct {
	ports
	names map[string]bool
}

func (n *nodesKnown) Node(old, current *corev1.Node) {
	if old != nil {
		delete(n.names, old.Name)
	}
	if current != nil {
		n.names[current.Name] = true
	}
}
