package manager

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/podgroup"
	"github.com/quern-project/quern/host/kube/podstate"
)

// unconnected are reconcilers without an API server and a scheduler: writes and bindings do not run, and a test makes the decisions.
type unconnected struct {
	*run
	t  *testing.T
	at time.Duration // of the last request
}

func newUnconnected(t *testing.T, filters Filters) *unconnected {
	t.Helper()
	store := func() cache.Indexer {
		return cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc, onNode: podsByNode, ofOwner: podsByOwner})
	}
	m := &Manager{inbox: newInbox(), cluster: cluster{groups: podgroup.New(podgroup.Options{}), pods: store(), nodes: store(), namespaces: store(), classes: store(), budgets: store(), jobs: store(), sets: store()}}
	m.o = Options{Filters: filters, Binds: 1, overdue: overdue, Log: slog.New(consistent{slog.DiscardHandler, t})}
	m.o.Settings.Schedulers = []string{schedulerName}
	u := &unconnected{t: t, run: wire(m, &session{ctx: t.Context(), inbox: m.inbox, batch: &batch{}, log: m.o.Log, turns: m.turns})}
	for _, j := range []*jobs{u.writes.jobs, u.bindings.jobs} {
		for _, l := range j.lanes {
			l.most = 0
		}
	}
	return u
}

// has adds pods and nodes to the cluster, and returns the inputs that the loop submits for them.
func (u *unconnected) has(objects ...any) []string {
	u.t.Helper()
	nodes, looked := map[string]bool{}, map[string]bool{}
	for _, o := range objects {
		store, key := u.cluster.pods, ""
		switch o := o.(type) {
		case *corev1.Node:
			store = u.cluster.nodes
			nodes[o.Name] = true
		case *corev1.Pod:
			if key = o.Namespace + "/" + o.Name; o.UID == "" {
				o.UID = types.UID(key)
			}
			looked[key] = true
		}
		if err := store.Update(o); err != nil {
			u.t.Fatal(err)
		}
	}
	u.nodes.compare(nodes, looked)
	return u.looks(looked)
}

// lacks has a pod be gone.
func (u *unconnected) lacks(pod *corev1.Pod) []string {
	u.t.Helper()
	if err := u.cluster.pods.Delete(pod); err != nil {
		u.t.Fatal(err)
	}
	return u.looks(map[string]bool{pod.Namespace + "/" + pod.Name: true})
}

// looks has the loop look at pods, and returns the inputs of the request that follows.
func (u *unconnected) looks(keys map[string]bool) (told []string) {
	u.reconciler.changed(keys)
	u.nodes.refresh()
	u.protection.refresh()
	u.at += time.Second
	for _, in := range u.session.batch.take() {
		u.submitted(&in, u.at)
		told = append(told, fmt.Sprint(in.Type(), " ", in.ID()))
	}
	return told
}

// decides delivers a decision of after the last request, and returns the pods that are looked at because of it.
func (u *unconnected) decides(d core.Decision) map[string]bool {
	d.At = u.at + time.Millisecond
	looked := map[string]bool{}
	u.decided(&d, looked)
	return looked
}

// allocates has the scheduler place a pod on n1.
func (u *unconnected) allocates(key string) *pod {
	u.t.Helper()
	u.decides(core.Decision{Type: core.Allocation, ID: key, Node: "n1", Resources: u.pods.at(key).demand.resources})
	u.is(key, podstate.Allocated)
	return u.pods.at(key)
}

func (u *unconnected) is(key string, want podstate.State) {
	u.t.Helper()
	if p := u.pods.at(key); p == nil || p.state != want {
		u.t.Fatalf("%s: expected %v, found %+v", key, want, p)
	}
}

// writing lists the pods with writes that have not begun.
func (u *unconnected) writing() []string { return slices.Sorted(maps.Keys(u.writes.jobs.queues)) }

func same(t *testing.T, when string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: found %q, expected %q", when, got, want)
	}
}
