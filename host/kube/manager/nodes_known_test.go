package manager

import (
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/translate"
)

// hosts are nodes and the pods on them, for a reconciler of nodes without an API server and a scheduler.
type hosts struct {
	nodes
	there map[string]*corev1.Node
	on    map[string][]*corev1.Pod
	lost  map[string][]string // by node: the pods that the scheduler has there
	sent  []string
}

func (h *hosts) node(name string) *corev1.Node        { return h.there[name] }
func (h *hosts) podsOn(node string) []*corev1.Pod     { return h.on[node] }
func (h *hosts) seenOn(node string) []*corev1.Pod     { return h.on[node] }
func (h *hosts) stays(*corev1.Pod) bool               { return false }
func (h *hosts) nodeLost(node string) (keys []string) { return h.lost[node] }
func (h *hosts) compareNodes(names ...string) []string {
	set, pods := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	h.compare(set, pods)
	var keys []string
	for key := range pods {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func newHosts(names ...string) *hosts {
	h := &hosts{there: map[string]*corev1.Node{}, on: map[string][]*corev1.Pod{}, lost: map[string][]string{}}
	for i, name := range names {
		h.there[name] = worker(name, 1000)
		h.there[name].UID = types.UID(fmt.Sprint(i))
	}
	h.nodes = nodes{source: h, pods: h, settings: &translate.Settings{Schedulers: []string{schedulerName}}, log: slog.New(slog.DiscardHandler),
		send:  func(in core.Input) { h.sent = append(h.sent, fmt.Sprintf("%v %s", in.Type(), in.ID())) },
		later: func(name string, in time.Duration) { h.sent = append(h.sent, fmt.Sprintf("%s in %v", name, in)) },
		known: map[string]*node{}, stale: map[string]bool{}, devices: newDevices()}
	return h
}

func (h *hosts) sentAre(t *testing.T, when string, want ...string) {
	t.Helper()
	if !slices.Equal(h.sent, want) {
		t.Errorf("%s: sent %q, expected %q", when, h.sent, want)
	}
	h.sent = nil
}

func TestNodes_CompareSendsDifferences(t *testing.T) {
	h := newHosts("n1", "n2")
	h.on["n1"] = []*corev1.Pod{foreign("f", "n1", 100)}
	if pods := h.compareNodes("n2", "n1"); !slices.Equal(pods, []string{"default/f"}) {
		t.Errorf("the pods %v are looked at", pods)
	}
	h.sentAre(t, "two nodes come", "node.add n1", "node.add n2")
	if milli, _ := h.known["n1"].occupied.Value("vcore"); milli != 100 {
		t.Errorf("foreign pods take %d of n1, expected 100", milli)
	}
	h.compareNodes("n1", "n2")
	h.sentAre(t, "nothing has changed")
	h.there["n2"] = worker("n2", 2000)
	h.there["n2"].UID = h.known["n2"].submitted.UID
	h.compareNodes("n2")
	h.sentAre(t, "a node grows", "node.update n2")
}

// A node of another UID is another node: the scheduler releases what it had there.
func TestNodes_RecreatedNodeIsRemovedFirst(t *testing.T) {
	h := newHosts("n1")
	h.compareNodes("n1")
	h.sent, h.lost["n1"] = nil, []string{"default/p"}
	h.there["n1"] = worker("n1", 1000)
	h.there["n1"].UID = "another"
	if pods := h.compareNodes("n1"); !slices.Equal(pods, []string{"default/p"}) {
		t.Errorf("the pods %v are looked at", pods)
	}
	h.sentAre(t, "made anew", "node.remove n1", "node.add n1")
	delete(h.there, "n1")
	h.compareNodes("n1")
	h.sentAre(t, "gone", "node.remove n1")
}

func TestNodes_RefreshCountsForeignPods(t *testing.T) {
	h := newHosts("n1")
	h.compareNodes("n1")
	h.refresh()
	h.sent = nil
	h.on["n1"] = []*corev1.Pod{foreign("f", "n1", 100)}
	h.refresh()
	h.sentAre(t, "no pod is known to have changed")
	h.occupancyChanged("n1", "gone")
	h.refresh()
	h.sentAre(t, "a pod has come", "node.update n1")
	h.occupancyChanged("n1")
	h.refresh()
	h.sentAre(t, "it takes the same")
}

// Asks of the same kind may follow one that has left, so its attributes stay until the next sweep.
func TestNodes_AttributesWhileAsksUseThem(t *testing.T) {
	h := newHosts("n1")
	h.compareNodes("n1")
	h.sent = nil
	pod := waiting("p", "app", 100)
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{
		{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "disk", Operator: corev1.NodeSelectorOpDoesNotExist}}}}}}}
	selectors := nodefit.Of(pod).Selectors
	h.use(selectors)
	h.refresh()
	h.sentAre(t, "an ask uses an attribute", "node.update n1")
	h.unuse(selectors)
	h.refresh()
	h.sentAre(t, "the ask has left")
	h.sweep()
	h.sentAre(t, "swept", "node.update n1")
}

func TestNodes_RefusedIsAddedLater(t *testing.T) {
	h := newHosts("n1")
	h.compareNodes("n1")
	h.sent = nil
	h.refused("n1", "because of a test")
	h.refused("unknown", "because of a test")
	h.sentAre(t, "refused", fmt.Sprintf("n1 in %v", nodeRetry))
	h.compareNodes("n1")
	h.sentAre(t, "later", "node.add n1")
}
