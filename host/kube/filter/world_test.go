package filter

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	fwk "k8s.io/kube-scheduler/framework"
	upstream "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/translate"
	"github.com/quern-project/quern/host/server"
)

// world is a cluster that filters follow. It asks the plugins also by itself, on a snapshot that Kubernetes' own scheduler makes.
type world struct {
	t       testing.TB
	filters *Filters
	client  *fake.Clientset
	nodes   map[string]*corev1.Node
	placed  map[string]*corev1.Pod // by key, with their nodes

	direct   framework.Framework
	snapshot *swapped
}

// swapped is the lister of a snapshot that is made anew when the world has changed.
type swapped struct{ fwk.SharedLister }

func newWorld(t testing.TB, objects ...runtime.Object) *world {
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	objects = append(objects, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "ns", Labels: map[string]string{"team": "a"}}})
	w := &world{t: t, client: fake.NewClientset(objects...), nodes: map[string]*corev1.Node{}, placed: map[string]*corev1.Pod{}}
	w.snapshot = &swapped{upstream.NewEmptySnapshot()}
	own, theirs := informers.NewSharedInformerFactory(w.client, 0), informers.NewSharedInformerFactory(w.client, 0)
	var err error
	if w.filters, err = New(ctx, Options{Client: w.client, Informers: own}); err != nil {
		t.Fatal(err)
	}
	if w.direct, _, err = newFramework(ctx, &Options{Client: w.client, Informers: theirs}, w.snapshot); err != nil {
		t.Fatal(err)
	}
	for _, factory := range []informers.SharedInformerFactory{own, theirs} {
		factory.Start(ctx.Done())
		for kind, ok := range factory.WaitForCacheSync(ctx.Done()) {
			if !ok {
				t.Fatalf("no %v", kind)
			}
		}
	}
	if !cache.WaitForCacheSync(ctx.Done(), w.filters.Synced) {
		t.Fatal("the plugins have not taken in what there is")
	}
	return w
}

func (w *world) addNode(n *corev1.Node) {
	w.filters.Node(w.nodes[n.Name], n)
	w.nodes[n.Name] = n
}

// place has a pod stand on a node, as the decisions say.
func (w *world) place(pod *corev1.Pod, node string) {
	on := pod.DeepCopy()
	on.Spec.NodeName = node
	w.placed[translate.Key(pod)] = on
}

// look takes a snapshot of what stands where, on nodes that are known.
func (w *world) look() {
	var pods []*corev1.Pod
	for _, pod := range w.placed {
		if w.nodes[pod.Spec.NodeName] != nil {
			pods = append(pods, pod)
		}
	}
	w.snapshot.SharedLister = upstream.NewSnapshot(pods, slices.Collect(maps.Values(w.nodes)))
}

// allowed asks the plugins directly on which nodes a pod may be, as of the last look.
func (w *world) allowed(pod *corev1.Pod) map[string]bool {
	ctx, state := context.Background(), framework.NewCycleState()
	allowed := map[string]bool{}
	result, status, _ := w.direct.RunPreFilterPlugins(ctx, state, pod)
	if status.IsRejected() {
		return allowed
	}
	if !status.IsSuccess() {
		w.t.Fatal(status.AsError())
	}
	all, err := w.snapshot.NodeInfos().List()
	if err != nil {
		w.t.Fatal(err)
	}
	for _, n := range all {
		if name := n.Node().Name; result.AllNodes() || result.NodeNames.Has(name) {
			allowed[name] = w.direct.RunFilterPlugins(ctx, state, pod, n).IsSuccess()
		}
	}
	return allowed
}

// modules is for no policy modules.
type modules struct{}

func (modules) Options() core.Options { return core.Options{} }
func (modules) Serve()                {}
func (modules) SetTime(time.Duration) {}
func (modules) Missing() error        { return nil }
func (modules) Close()                {}

// scheduler makes a scheduler whose predicates the filters answer.
func (w *world) scheduler() *scheduler.Scheduler {
	p := w.filters.Policies(func(bool) server.Policies { return modules{} })(true)
	p.Serve()
	return scheduler.New(p.Options())
}

// pick returns one of several.
func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func randomNode(r *rand.Rand, number int) *corev1.Node {
	name := fmt.Sprintf("n%d", number)
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name, "disk": pick(r, "ssd", "hdd")}}}
	if r.IntN(8) > 0 {
		n.Labels[corev1.LabelTopologyZone] = fmt.Sprintf("z%d", r.IntN(3))
	}
	if r.IntN(8) == 0 {
		n.Spec.Taints = []corev1.Taint{{Key: "team", Value: "b", Effect: corev1.TaintEffectNoSchedule}}
	}
	return n
}

var topologies = []string{corev1.LabelHostname, corev1.LabelTopologyZone}

func randomTerm(r *rand.Rand) corev1.PodAffinityTerm {
	term := corev1.PodAffinityTerm{TopologyKey: pick(r, topologies...), LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": pick(r, "web", "db", "job")}}}
	switch r.IntN(6) {
	case 0:
		term.NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"team": pick(r, "a", "b")}}
	case 1:
		term.Namespaces = []string{pick(r, "ns", "other")}
	}
	return term
}

// randomPod is one with some of affinity, anti-affinity, spread and ports.
func randomPod(r *rand.Rand, number int) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: pick(r, "ns", "ns", "other"), Name: fmt.Sprintf("p%d", number), UID: types.UID(fmt.Sprint(number))}}
	pod.Labels = map[string]string{"app": pick(r, "web", "db", "job")}
	pod.Spec.Containers = []corev1.Container{{Name: "c"}}
	affinity := &corev1.Affinity{}
	switch r.IntN(6) {
	case 0:
		affinity.PodAntiAffinity = &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{randomTerm(r)}}
	case 1:
		affinity.PodAffinity = &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{randomTerm(r)}}
	case 2, 3:
		c := corev1.TopologySpreadConstraint{MaxSkew: 1 + r.Int32N(2), TopologyKey: pick(r, topologies...), WhenUnsatisfiable: corev1.DoNotSchedule,
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": pod.Labels["app"]}}}
		if r.IntN(3) == 0 {
			least := 1 + r.Int32N(3)
			c.MinDomains = &least
		}
		if r.IntN(3) == 0 {
			honour := corev1.NodeInclusionPolicyHonor
			c.NodeTaintsPolicy = &honour
		}
		pod.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{c}
	case 4:
		pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80 + r.Int32N(20), Protocol: corev1.ProtocolTCP}}
	}
	pod.Spec.Affinity = affinity
	if r.IntN(4) == 0 {
		pod.Spec.NodeSelector = map[string]string{"disk": "ssd"}
	}
	return pod
}
