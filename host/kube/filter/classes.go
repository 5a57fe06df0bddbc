package filter

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/component-helpers/nodedeclaredfeatures/features"
	ndf "k8s.io/component-helpers/nodedeclaredfeatures/types"
	schedutil "k8s.io/kubernetes/pkg/scheduler/util"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/kube/translate"
)

// owner begins the names of predicates, as package predicates has them.
const owner = "kubernetes/"

// Owns reports whether a predicate is one that filters answer for.
func Owns(predicate string) bool {
	return strings.HasPrefix(predicate, owner) && policy.SupportsDepartures(predicate)
}

// class is what pods have in common that plugins judge alike.
type class struct {
	pod  *corev1.Pod         // one of them
	keys map[string]struct{} // theirs
	last judgement           // on the last version of the cluster that was asked about
	quiet
}

// Name returns the predicate for the ask of a pod, and knows from then on what it stands for: the same for all pods that plugins judge
// alike. Forget ends that. Once Selected has grown, the pod may have another.
func (f *Filters) Name(pod *corev1.Pod) string {
	key := translate.Key(pod)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.selected.note(pod)
	name := predicateOf(pod, f.selected.of(pod))
	if was := f.predicates[key]; was != name {
		f.forget(key)
	}
	c := f.classes[name]
	if c == nil {
		c = &class{pod: pod, keys: map[string]struct{}{}, quiet: newQuiet(pod)}
		f.classes[name] = c
	}
	c.joins(pod)
	c.keys[key] = struct{}{}
	f.predicates[key] = name
	return name
}

// Forget lets a pod's predicate go: its ask is gone, and so is its allocation. Of a pod that has a node nothing is kept anyway.
func (f *Filters) Forget(pod *corev1.Pod) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.forget(translate.Key(pod))
}

// askAgain has PreFilter look at a class again when its predicate is asked again: the reason may be volumes, devices or namespaces, which the
// version of the cluster does not count.
func (f *Filters) askAgain(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c := f.classes[name]; c != nil {
		c.last = judgement{}
	}
}

// refresh makes the present version of a waiting pod the one by which its class is judged: its status lists the claims that were made for it. Most
// changes of a waiting pod are conditions, which plugins do not read; then the judgement stands.
func (f *Filters) refresh(key string, old, current *corev1.Pod) {
	c := f.classes[f.predicates[key]]
	if c == nil {
		return
	}
	claims := equality.Semantic.DeepEqual(c.pod.Status.ResourceClaimStatuses, current.Status.ResourceClaimStatuses)
	if claims && old != nil && old.UID == current.UID && maps.Equal(old.Labels, current.Labels) && equality.Semantic.DeepEqual(&old.Spec, &current.Spec) {
		return
	}
	if !claims {
		f.noteStale()
	}
	if predicateOf(current, f.selected.of(current)) == f.predicates[key] { // or else it is no longer like the others, and gets another name
		c.pod, c.last = current, judgement{}
		c.joins(current)
	}
}

func (f *Filters) forget(key string) {
	name, known := f.predicates[key]
	if !known {
		return
	}
	delete(f.predicates, key)
	c := f.classes[name]
	if delete(c.keys, key); len(c.keys) > 0 {
		return
	}
	delete(f.classes, name)
	if c.stands { // of what comes meanwhile, a later class of the name does not know
		f.noteStaleOf(name)
	}
}

// traits are all of a pod that plugins read when they judge it.
type traits struct {
	Namespace   string
	Labels      map[string]string // those that selectors name: others may want to be near it, or far from it
	Own         string            // the pod's name, where volumes or devices are made for it alone
	Affinity    *corev1.Affinity
	Spread      []corev1.TopologySpreadConstraint
	Selector    map[string]string
	Tolerations []corev1.Toleration
	Ports       []corev1.ContainerPort
	Volumes     []corev1.VolumeSource
	Claims      []corev1.PodResourceClaim
	Extended    map[corev1.ResourceName]int64 // amounts that may be of devices
	Features    []string
}

// predicateOf names the predicate for a pod by its traits, with the labels that plugins may read.
func predicateOf(pod *corev1.Pod, labels map[string]string) string {
	spec := &pod.Spec
	t := traits{Namespace: pod.Namespace, Labels: labels, Spread: spec.TopologySpreadConstraints, Affinity: spec.Affinity,
		Selector: spec.NodeSelector, Tolerations: spec.Tolerations, Claims: spec.ResourceClaims, Extended: extended(spec)}
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			t.container(&list[i])
		}
	}
	for i := range spec.Volumes {
		t.volume(&spec.Volumes[i].VolumeSource)
	}
	if len(t.Volumes) > 0 || len(t.Claims) > 0 {
		t.Own = pod.Name
	}
	for _, f := range features.AllFeatures {
		if f.InferForScheduling(&ndf.PodInfo{Spec: spec}) {
			t.Features = append(t.Features, f.Name())
		}
	}
	text, err := json.Marshal(&t)
	if err != nil {
		panic("filter: the traits of a pod cannot be written: " + err.Error()) // our bug: they are plain values
	}
	sum := sha256.Sum256(text)
	return owner + hex.EncodeToString(sum[:12]) + policy.DepartureMark
}

// extended sums up what containers request of resources that are no node's by nature: devices may stand for them.
func extended(spec *corev1.PodSpec) map[corev1.ResourceName]int64 {
	var all map[corev1.ResourceName]int64
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			for name, amount := range list[i].Resources.Requests {
				if !schedutil.IsDRAExtendedResourceName(name) {
					continue
				}
				if all == nil {
					all = map[corev1.ResourceName]int64{}
				}
				all[name] += amount.Value()
			}
		}
	}
	return all
}

// container adds the ports of the node that a container uses.
func (t *traits) container(c *corev1.Container) {
	for _, p := range c.Ports {
		if p.HostPort > 0 {
			t.Ports = append(t.Ports, corev1.ContainerPort{HostPort: p.HostPort, HostIP: p.HostIP, Protocol: p.Protocol})
		}
	}
}

// volume adds a volume that is not the same on every node. Volumes with information about their own pod are left out, since they differ between like pods.
func (t *traits) volume(v *corev1.VolumeSource) {
	if v.EmptyDir == nil && v.ConfigMap == nil && v.Secret == nil && v.Projected == nil && v.DownwardAPI == nil && v.HostPath == nil {
		t.Volumes = append(t.Volumes, *v)
	}
}
