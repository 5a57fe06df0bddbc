package filter

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	upstream "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"

	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/translate"
)

// oracle judges with all filter plugins of Kubernetes' own scheduler, on a snapshot made anew for each question. It shares nothing with what
// it judges but the versions of the plugins.
type oracle struct {
	t         testing.TB
	framework framework.Framework
	snapshot  *swapped
	nodes     map[string]*corev1.Node
	waiting   map[string]*corev1.Pod // by key
	placed    map[string]*corev1.Pod // by key, with their nodes
	gangs     map[string]int         // members of applications that are one
}

func newOracle(ctx context.Context, t testing.TB, client kubernetes.Interface) *oracle {
	metrics.Register() // the framework counts whether or not anybody reads it
	o := &oracle{t: t, snapshot: &swapped{upstream.NewEmptySnapshot()}, nodes: map[string]*corev1.Node{}, waiting: map[string]*corev1.Pod{}, placed: map[string]*corev1.Pod{}, gangs: map[string]int{}}
	defaults, err := latest.Default()
	if err != nil {
		t.Fatal(err)
	}
	profile := defaults.Profiles[0]
	set := &profile.Plugins.MultiPoint
	set.Enabled = slices.DeleteFunc(set.Enabled, func(p config.Plugin) bool { return p.Name == names.DefaultPreemption }) // it would want to end pods
	factory := informers.NewSharedInformerFactory(client, 0)
	manager, _, err := devices(ctx, &Options{Client: client, Informers: factory})
	if err != nil {
		t.Fatal(err)
	}
	if o.framework, err = frameworkruntime.NewFramework(ctx, plugins.NewInTreeRegistry(), &profile, frameworkruntime.WithClientSet(client),
		frameworkruntime.WithInformerFactory(factory), frameworkruntime.WithSnapshotSharedLister(o.snapshot), frameworkruntime.WithSharedDRAManager(manager),
		frameworkruntime.WithSharedCSIManager(nodevolumelimits.NewCSIManager(factory.Storage().V1().CSINodes().Lister()))); err != nil {
		t.Fatal(err)
	}
	used := o.framework.ListPlugins().Filter.Enabled
	for _, name := range slices.Concat(comparing, filtering, []string{names.NodeName, names.NodeResourcesFit}) {
		if name != nodefit.NodeDeclaredFeatures && !slices.ContainsFunc(used, func(p config.Plugin) bool { return p.Name == name }) {
			t.Fatalf("the plugin %s is not asked: %v", name, used)
		}
	}
	factory.Start(ctx.Done())
	for kind, ok := range factory.WaitForCacheSync(ctx.Done()) {
		if !ok {
			t.Fatalf("no %v", kind)
		}
	}
	return o
}

// look takes a snapshot of what stands where.
func (o *oracle) look() {
	o.snapshot.SharedLister = upstream.NewSnapshot(slices.Collect(maps.Values(o.placed)), slices.Collect(maps.Values(o.nodes)))
}

// verdicts says of each node what the plugins have against a pod there, as of the last look; an empty text: nothing.
func (o *oracle) verdicts(pod *corev1.Pod) map[string]string {
	ctx, state := context.Background(), framework.NewCycleState()
	result, status, _ := o.framework.RunPreFilterPlugins(ctx, state, pod)
	if !status.IsSuccess() && !status.IsRejected() {
		o.t.Fatal(status.AsError())
	}
	verdicts := map[string]string{}
	all, err := o.snapshot.NodeInfos().List()
	if err != nil {
		o.t.Fatal(err)
	}
	for _, n := range all {
		name := n.Node().Name
		switch {
		case status.IsRejected():
			verdicts[name] = "before all: " + strings.Join(status.Reasons(), ", ")
		case !result.AllNodes() && !result.NodeNames.Has(name):
			verdicts[name] = "not among the nodes of PreFilter"
		default:
			if against := o.framework.RunFilterPlugins(ctx, state, pod, n); !against.IsSuccess() {
				verdicts[name] = sentence(against)
			}
		}
	}
	return verdicts
}

// place has a pod stand on a node, if the plugins let it. The result says why not.
func (o *oracle) place(key, node string) string {
	pod := o.waiting[key]
	if pod == nil {
		return "it does not wait"
	}
	if o.nodes[node] == nil {
		return "the node is not there"
	}
	o.look()
	if why := o.verdicts(pod)[node]; why != "" {
		return why
	}
	o.placed[key] = placedOn(pod, node)
	delete(o.waiting, key)
	return ""
}

// undo has a pod wait again, if it is there.
func (o *oracle) undo(key string) {
	if pod := o.placed[key]; pod != nil {
		delete(o.placed, key)
		o.waiting[key] = placedOn(pod, "")
	}
}

// used is what the pods of a queue take, as the plugins count.
func (o *oracle) used(queue string) (milli int64) {
	for _, pod := range o.placed {
		if pod.Labels["queue"] == queue {
			milli += milliOf(o.t, pod)
		}
	}
	return milli
}

// milliOf is what a pod takes in thousandths of a core, as the plugins count.
func milliOf(t testing.TB, pod *corev1.Pod) int64 {
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		t.Fatal(err)
	}
	return info.CalculateResource().Resource.GetMilliCPU()
}

// mayGo returns a waiting pod that the plugins would let onto a node, and that its queue has room for; empty: all wait rightly.
func (o *oracle) mayGo() (key, node string) {
	o.look()
	room := cappedMilli - o.used(cappedQueue)
	for _, key := range slices.Sorted(maps.Keys(o.waiting)) {
		pod := o.waiting[key]
		if pod.Labels["queue"] == cappedQueue && milliOf(o.t, pod) > room {
			continue
		}
		if node := o.anyNode(pod); node != "" {
			if gang := o.gangOf(pod); gang == nil || o.fitTogether(gang) {
				return translate.Key(pod), node
			}
		}
	}
	return "", ""
}

// anyNode returns a node that the plugins would let a pod onto, as of the last look; empty: there is none.
func (o *oracle) anyNode(pod *corev1.Pod) string {
	verdicts := o.verdicts(pod)
	for _, name := range slices.Sorted(maps.Keys(o.nodes)) {
		if verdicts[name] == "" {
			return name
		}
	}
	return ""
}
