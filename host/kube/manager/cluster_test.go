package manager

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/quern-project/quern/host/kube/clustertest"
	"github.com/quern-project/quern/host/kube/retry"
)

var capacity = corev1.ResourceList{
	corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourceMemory: resource.MustParse("32Gi"), corev1.ResourcePods: resource.MustParse("110"),
}

// binds counts the bindings that the API server has taken.
type binds struct {
	http.RoundTripper
	taken *atomic.Int64
}

func (b *binds) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err == nil && answer.StatusCode == http.StatusCreated && strings.HasSuffix(r.URL.Path, "/binding") {
		b.taken.Add(1)
	}
	return answer, err
}

// plane is a control plane whose pods are followed.
type plane struct {
	*clustertest.Cluster
	client connected
	pods   cache.Indexer
	nodes  cache.Indexer
	taken  atomic.Int64 // bindings
	spread bool         // every fifth pod is, so that plugins judge it
}

func newPlane(t testing.TB, nodes int) *plane {
	t.Helper()
	return newPlaneOf(t, clustertest.New(t), nodes)
}

func newPlaneOf(t testing.TB, c *clustertest.Cluster, nodes int) *plane {
	t.Helper()
	p := &plane{Cluster: c}
	config := p.Admin()
	config.QPS, config.ContentType = -1, "application/vnd.kubernetes.protobuf"
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &binds{next, &p.taken} })
	retry.Reads(config, logTo(t))
	p.client = connect(t, config)
	if err := p.Kwok.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.AddNodes(t.Context(), "node", nodes, capacity); err != nil {
		t.Fatal(err)
	}
	factory := informers.NewSharedInformerFactory(p.client, 0)
	p.pods = factory.Core().V1().Pods().Informer().GetIndexer()
	p.nodes = factory.Core().V1().Nodes().Informer().GetIndexer()
	factory.Start(t.Context().Done())
	factory.WaitForCacheSync(t.Context().Done())
	return p
}

// create creates pods PREFIX-0 … of a scheduler.
func (p *plane) create(t testing.TB, prefix, scheduler string, count int) {
	t.Helper()
	workqueue.ParallelizeUntil(t.Context(), 32, count, func(i int) {
		pod := waiting(fmt.Sprintf("%s-%d", prefix, i), fmt.Sprint(prefix, "-", i%10), 500)
		pod.Spec.SchedulerName = scheduler
		if p.spread && i%5 == 0 {
			pod.Labels["spread"] = prefix
			pod.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 3, TopologyKey: corev1.LabelHostname,
				WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"spread": prefix}}}}
		}
		grace := int64(0)
		pod.Spec.TerminationGracePeriodSeconds = &grace
		if _, err := p.client.CoreV1().Pods(metav1.NamespaceDefault).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
			t.Error(err)
		}
	})
}

// assigned is how many pods with a prefix have a node.
func (p *plane) assigned(prefix string) (n int) {
	for _, o := range p.pods.List() {
		if pod := o.(*corev1.Pod); pod.Spec.NodeName != "" && strings.HasPrefix(pod.Name, prefix+"-") {
			n++
		}
	}
	return n
}

// recovery is how long pods may take on a machine that has much else to do.
const recovery = 3 * time.Minute

// tainted is how many nodes have taints.
func (p *plane) tainted() (n int) {
	for _, o := range p.nodes.List() {
		if len(o.(*corev1.Node).Spec.Taints) > 0 {
			n++
		}
	}
	return n
}

func (p *plane) await(t testing.TB, prefix string, count int) {
	t.Helper()
	untilWithin(t, recovery, func() string {
		if n := p.assigned(prefix); n < count {
			return fmt.Sprintf("%d of %d pods %s are bound; %d nodes have taints", n, count, prefix, p.tainted())
		}
		return ""
	})
}

// held checks that no node has more than its capacity.
func (p *plane) held(t *testing.T) {
	t.Helper()
	used := map[string]int64{}
	list, err := p.client.CoreV1().Pods(metav1.NamespaceAll).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list.Items {
		if pod := &list.Items[i]; pod.Spec.NodeName != "" {
			used[pod.Spec.NodeName] += pod.Spec.Containers[0].Resources.Requests.Cpu().MilliValue()
		}
	}
	for node, sum := range used {
		if sum > 8000 {
			t.Errorf("node %s: %d millicores are in use, and it has 8000", node, sum)
		}
	}
}

func TestOnARealControlPlane(t *testing.T) {
	p := newPlane(t, 100)
	r := start(t, p.client, rules)
	t.Run("1000 pods are bound once each", func(t *testing.T) {
		p.create(t, "a", schedulerName, 1000)
		p.await(t, "a", 1000)
		until(t, func() string {
			return map[bool]string{true: "answers of bindings are on their way"}[p.taken.Load() < 1000]
		})
		if n := p.taken.Load(); n != 1000 {
			t.Errorf("%d bindings were taken", n)
		}
		p.held(t)
	})
	t.Run("another replica takes over in the middle", func(t *testing.T) {
		p.create(t, "b", schedulerName, 250)
		r.end()
		r = start(t, p.client, rules)
		p.await(t, "b", 250)
		p.held(t)
	})
	r.end()
	t.Run("a budget spares its pods", p.budget)
	t.Run("a walltime ends a pod", p.promisedEnd)
}

// budget has one of two pods preempted, of which the younger one would go if it had no budget.
func (p *plane) budget(t *testing.T) {
	small := capacity.DeepCopy()
	small[corev1.ResourceCPU] = resource.MustParse("1")
	if err := p.AddNodes(t.Context(), "pair", 2, small); err != nil {
		t.Fatal(err)
	}
	pods := p.client.CoreV1().Pods(metav1.NamespaceDefault)
	create := func(name, queue string) {
		pod := queued(waiting(name, name, 1000), queue)
		pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{
				{Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn, Values: []string{"pair-0", "pair-1"}},
			}}},
		}}}
		if _, err := pods.Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	one := intstr.FromInt32(1)
	guard := guard("guard", "young-1", 0)
	guard.Spec.MinAvailable = &one
	if _, err := p.client.PolicyV1().PodDisruptionBudgets(metav1.NamespaceDefault).Create(t.Context(), guard, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	r := start(t, p.client, guarantees)
	create("old-1", "root.batch")
	p.await(t, "old", 1)
	create("young-1", "root.batch")
	p.await(t, "young", 1)
	untilWithin(t, recovery, func() string {
		b, err := p.client.PolicyV1().PodDisruptionBudgets(metav1.NamespaceDefault).Get(t.Context(), "guard", metav1.GetOptions{})
		if err != nil || b.Status.CurrentHealthy != 1 || b.Status.DisruptionsAllowed != 0 {
			return fmt.Sprintf("the budget does not count the pod: %+v, %v", b.Status, err)
		}
		return asksNotToBePreempted(r, "default/young-1", true)()
	})
	create("high-1", "root.prod")
	p.await(t, "high", 1)
	if _, err := pods.Get(t.Context(), "young-1", metav1.GetOptions{}); err != nil {
		t.Errorf("the pod of the budget: %v", err)
	}
	if _, err := pods.Get(t.Context(), "old-1", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the other pod has not ended: %v", err)
	}
}
