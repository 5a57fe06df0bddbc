package manager

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/host/kube/filter"
	"github.com/quern-project/quern/host/kube/translate"
)

// demands are those that only plugins judge: other pods, zones and ports.
var demands = []func(*corev1.Pod){
	func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: likeItself(p, corev1.LabelHostname)}}
	},
	func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: likeItself(p, corev1.LabelTopologyZone)}}
	},
	func(p *corev1.Pod) {
		p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.DoNotSchedule,
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"applicationId": p.Labels["applicationId"]}}}}
	},
	func(p *corev1.Pod) {
		p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}}
	},
	func(*corev1.Pod) {},
}

// likeItself selects the pods of the same application, those of a topology apart.
func likeItself(p *corev1.Pod, topology string) []corev1.PodAffinityTerm {
	return []corev1.PodAffinityTerm{{TopologyKey: topology, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"applicationId": p.Labels["applicationId"]}}}}
}

// servePlugins has it have what plugins read besides nodes and pods, of which there is nothing.
func (a *api) servePlugins() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, resource := range []string{"services", "replicationcontrollers", "replicasets", "statefulsets", "persistentvolumes", "persistentvolumeclaims", "storageclasses",
		"csinodes", "csidrivers", "csistoragecapacities", "volumeattachments", "resourceclaims", "resourceslices", "devicetaintrules"} {
		a.objects[resource] = map[string]object{}
	}
}

// cut has all lists and watches fail while something happens, of which no watch tells afterwards.
func (l *life) cut(while func()) {
	refuse := func(f func(*http.Request) fault) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.fault = f
	}
	refuse(func(r *http.Request) fault {
		if r.Method == http.MethodGet && !strings.Contains(r.URL.Path, "/pods/") {
			return fault{status: http.StatusServiceUnavailable}
		}
		return fault{}
	})
	l.gap()
	while()
	l.gap()
	refuse(nil)
}

// fresh are plugins that have not known the cluster before.
func (l *life) fresh(t *testing.T) *filter.Filters {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	client := l.client(t)
	o := filter.Options{Client: client, Informers: informers.NewSharedInformerFactory(client, 0)}
	f, err := filter.New(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Informers.StartWithContext(ctx)
	o.Informers.WaitForCacheSync(ctx.Done())
	cache.WaitForCacheSync(ctx.Done(), f.Synced)
	cancel()
	o.Informers.Shutdown()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range l.objects["nodes"] {
		f.Node(nil, o.(*corev1.Node).DeepCopy())
	}
	for _, o := range l.objects["pods"] {
		f.Pod(nil, o.(*corev1.Pod).DeepCopy())
	}
	return f
}

// judged is what plugins say of pods that are not there, with each demand of each application, on all nodes.
func judged(f *filter.Filters) map[string]string {
	all := map[string]string{}
	for i, demand := range demands {
		for app := range 4 {
			pod := waiting(fmt.Sprintf("probe-%d-%d", i, app), fmt.Sprint("app", app), 100)
			demand(pod)
			for n := range 6 {
				node := fmt.Sprint("n", n)
				all[pod.Name+" on "+node] = f.Why(f.Name(pod), node)
			}
			f.Forget(pod)
		}
	}
	return all
}

// differently says what plugins judge differently from fresh ones; empty: nothing.
func (l *life) differently(t *testing.T, live *filter.Filters) string {
	want, got := judged(l.fresh(t)), judged(live)
	for what, why := range want {
		if got[what] != why {
			return fmt.Sprintf("%s: plugins say %q, expected %q", what, got[what], why)
		}
	}
	return ""
}

// Pods and nodes that came, changed and went while nothing could be watched are to the plugins, afterwards, what they are to those of a scheduler
// that has just started.
func TestAfterAGapPluginsKnowWhatAFreshStartKnows(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			a := newAPI(t)
			a.servePlugins()
			l := &life{api: a, random: rand.New(rand.NewPCG(seed, 1))}
			l.demand = func(p *corev1.Pod) { demands[l.random.IntN(len(demands))](p) }
			for i := range 6 {
				n := worker(fmt.Sprint("n", i), 4000)
				n.Labels[corev1.LabelTopologyZone] = fmt.Sprint("z", i%3)
				a.put("nodes", n)
			}
			var live *filter.Filters
			r := start(t, a.client(t), rules, withPlugins(t), func(o *Options) { live = o.Filters.(*filter.Filters) })
			refused := 0
			for range 3 {
				for range 40 {
					if l.step(); l.random.IntN(10) == 0 {
						pause(l.random)
					}
				}
				l.cut(func() {
					for range 40 {
						l.step()
					}
				})
				until(t, func() string { return l.difference(r) })
				until(t, func() string { return l.differently(t, live) })
				for _, why := range judged(live) {
					if why != "" {
						refused++
					}
				}
			}
			if refused < 20 {
				t.Errorf("plugins have refused %d times, which is too few to tell", refused)
			}
			for _, pod := range a.pods() {
				if nodes := a.bound[pod.UID]; len(nodes) > 1 {
					t.Errorf("pod %s was bound to %v", translate.Key(pod), nodes)
				}
			}
		})
	}
}
