package filter

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/internal/await"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

const diskClass = "local-disks"

var diskSize = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}

// disk is a volume that only pods of one node may use.
func disk(node string) *corev1.PersistentVolume {
	onNode := corev1.NodeSelectorRequirement{Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn, Values: []string{node}}
	v := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "disk-of-" + node, ResourceVersion: "1"}}
	v.Spec = corev1.PersistentVolumeSpec{StorageClassName: diskClass, Capacity: diskSize, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		NodeAffinity: &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{onNode}}}}}}
	v.Status.Phase = corev1.VolumeAvailable
	return v
}

func claim(name string) *corev1.PersistentVolumeClaim {
	class := diskClass
	c := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID(name), ResourceVersion: "1"}}
	c.Spec = corev1.PersistentVolumeClaimSpec{StorageClassName: &class, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		Resources: corev1.VolumeResourceRequirements{Requests: diskSize}}
	c.Status.Phase = corev1.ClaimPending
	return c
}

func podWithClaim(name string) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID(name)}}
	pod.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}}}}
	return pod
}

// diskWorld has three nodes, of which two have a disk, and claims a, b and c.
func diskWorld(t *testing.T) (*world, *scheduler.Scheduler) {
	wait := storagev1.VolumeBindingWaitForFirstConsumer
	w := newWorld(t, []runtime.Object{
		&storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: diskClass}, Provisioner: "kubernetes.io/no-provisioner", VolumeBindingMode: &wait},
		disk("n1"), disk("n2"), claim("a"), claim("b"), claim("c")}...)
	s := w.scheduler()
	s.Advance(0)
	list := []core.Input{{Event: &core.SetConfig{Config: oneQueue}}, {Event: &core.AddApp{ID: "app", Queue: "root.a"}}}
	for _, name := range []string{"n0", "n1", "n2"} {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}}}
		if _, err := w.client.CoreV1().Nodes().Create(context.Background(), n, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		w.addNode(n)
		list = append(list, core.Input{Event: &core.AddNode{ID: name, Capacity: pods(5)}})
	}
	for _, name := range []string{"a", "b", "c"} {
		pod := podWithClaim(name)
		if _, err := w.client.CoreV1().Pods("ns").Create(context.Background(), pod, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		w.filters.Pod(nil, pod)
		list = append(list, core.Input{Event: &core.AddAsk{ID: "ns/" + name, App: "app", Resources: pods(1), Ask: core.Ask{Predicate: w.filters.Name(pod)}}})
	}
	for i := range list {
		s.Apply(&list[i])
	}
	return w, s
}

// placements runs a cycle and returns where pods went.
func placements(s *scheduler.Scheduler) map[string]string {
	s.Cycle(-1)
	at := map[string]string{}
	for _, d := range s.Take() {
		if d.Type == core.Allocation {
			at[d.ID] = d.Node
		}
	}
	return at
}

func TestNoTwoPodsOfACycleGetOneVolume(t *testing.T) {
	w, s := diskWorld(t)
	at := placements(s)
	if len(at) != 2 || at["ns/a"] == at["ns/b"] || at["ns/a"] == "n0" || at["ns/b"] == "n0" {
		t.Fatalf("found %v", at)
	}
	why := w.filters.Why(w.filters.Name(podWithClaim("c")), "n1")
	if !strings.Contains(why, "available persistent volumes") || !strings.Contains(why, "VolumeBinding") {
		t.Errorf("found %q", why)
	}
	a := podWithClaim("a")
	s.Apply(&core.Input{Event: &core.ReleaseAllocation{ID: "ns/a"}})
	w.filters.Pod(a, nil)
	w.filters.Forget(a)
	if next := placements(s); next["ns/c"] != at["ns/a"] {
		t.Errorf("the disk of a on %s is free: found %v", at["ns/a"], next)
	}
}

// bindsClaims plays the controller that completes what PreBind has begun, until the test ends.
func (w *world) bindsClaims() {
	ctx, cancel := context.WithCancel(context.Background())
	w.t.Cleanup(cancel)
	volumes, claims := w.client.CoreV1().PersistentVolumes(), w.client.CoreV1().PersistentVolumeClaims("ns")
	complete := func() error {
		all, err := volumes.List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range all.Items {
			v := &all.Items[i]
			if v.Spec.ClaimRef == nil {
				continue
			}
			c, err := claims.Get(ctx, v.Spec.ClaimRef.Name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			c.Spec.VolumeName, c.Status.Phase, c.ResourceVersion = v.Name, corev1.ClaimBound, "2"
			c.Annotations = map[string]string{"pv.kubernetes.io/bind-completed": "yes"}
			if _, err := claims.Update(ctx, c, metav1.UpdateOptions{}); err != nil {
				return err
			}
		}
		return nil
	}
	go func() {
		for range await.Each(ctx, 20*time.Millisecond) {
			if err := complete(); err != nil && ctx.Err() == nil {
				w.t.Error(err)
				return
			}
		}
	}()
}

func TestPreBindBindsTheVolumesThatWereReserved(t *testing.T) {
	w, s := diskWorld(t)
	at := placements(s)
	a, node := podWithClaim("a"), at["ns/a"]
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := w.filters.Reserve(ctx, a, node); err != nil {
		t.Fatal(err)
	}
	w.bindsClaims()
	if err := w.filters.PreBind(ctx, a, node); err != nil {
		t.Fatal(err)
	}
	v, err := w.client.CoreV1().PersistentVolumes().Get(ctx, "disk-of-"+node, metav1.GetOptions{})
	if err != nil || v.Spec.ClaimRef == nil || v.Spec.ClaimRef.Name != "a" {
		t.Errorf("found %+v (%v)", v, err)
	}
}

func TestWhatIsNotReservedIsNotBound(t *testing.T) {
	w, s := diskWorld(t)
	at := placements(s)
	a, node := podWithClaim("a"), at["ns/a"]
	w.filters.Unreserve(a, node)
	if err := w.filters.PreBind(context.Background(), a, node); err == nil || !strings.Contains(err.Error(), "expected a reservation") {
		t.Errorf("found %v", err)
	}
	if err := w.filters.Reserve(context.Background(), podWithClaim("c"), "n0"); err == nil || !strings.Contains(err.Error(), "VolumeBinding") {
		t.Errorf("there is no disk on n0: found %v", err)
	}
	if err := w.filters.Reserve(context.Background(), podWithClaim("c"), node); err != nil {
		t.Errorf("the disk of %s is free again: found %v", node, err)
	}
	if err := w.filters.PreBind(context.Background(), &corev1.Pod{}, node); err != nil {
		t.Errorf("a pod without volumes: found %v", err)
	}
}

// A pod that goes while its volumes are bound keeps them from its successor only until PreBind, which works on the same state, has ended.
func TestWhatIsLetGoWhileItIsBoundIsUndoneAfterwards(t *testing.T) {
	w, s := diskWorld(t)
	at := placements(s)
	a, node := podWithClaim("a"), at["ns/a"]
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- w.filters.PreBind(ctx, a, node) }() // no controller completes it
	r := w.filters.reserved["ns/a"]
	await.True(t, "PreBind to begin", func() bool {
		w.filters.mu.Lock()
		defer w.filters.mu.Unlock()
		return r.busy
	})
	w.filters.Pod(a, nil)
	w.filters.mu.Lock()
	if !r.busy || !r.left || w.filters.reserved["ns/a"] != nil {
		t.Errorf("found %+v", r)
	}
	w.filters.mu.Unlock()
	for told(w.filters) {
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("PreBind has bound a volume that no controller has bound")
	}
	if r.busy || !told(w.filters) {
		t.Error("what was reserved is not undone once PreBind has returned")
	}
}

func TestAnEarlierPodOfTheNameLetsNothingGo(t *testing.T) {
	w, s := diskWorld(t)
	at := placements(s)
	before := podWithClaim("a")
	before.UID = "before"
	w.filters.Unreserve(before, at["ns/a"])
	if w.filters.reserved["ns/a"] == nil {
		t.Error("the reservation of the pod is gone")
	}
	if err := w.filters.PreBind(context.Background(), before, at["ns/a"]); err == nil || !strings.Contains(err.Error(), "expected a reservation") {
		t.Errorf("found %v", err)
	}
}

func TestPodsAlikeShareAPredicate(t *testing.T) {
	w := newWorld(t)
	w.filters.Pod(nil, replicaOf("db", 0)) // names the label app
	a := podWithClaim("a")
	a.Spec.Volumes = []corev1.Volume{{Name: "token-x7f", VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{}}}}
	b := a.DeepCopy()
	b.Name, b.UID, b.Spec.Volumes[0].Name = "b", "b", "token-p2q"
	name := w.filters.Name(a)
	if found := w.filters.Name(b); found != name || !Owns(name) {
		t.Errorf("found %q and %q", name, found)
	}
	for i, change := range []func(*corev1.Pod){
		func(p *corev1.Pod) { p.Labels = map[string]string{"app": "web"} },
		func(p *corev1.Pod) { p.Namespace = "other" },
		func(p *corev1.Pod) { p.Spec.Volumes = podWithClaim("b").Spec.Volumes },
		func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{"disk": "ssd"} },
		func(p *corev1.Pod) {
			p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1}}
		},
		func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{{Ports: []corev1.ContainerPort{{HostPort: 80}}}}
		},
	} {
		c := b.DeepCopy()
		c.Name = fmt.Sprint("c", i)
		change(c)
		if w.filters.Name(c) == name {
			t.Errorf("change %d does not matter", i)
		}
		w.filters.Forget(c)
	}
	w.filters.Forget(a)
	if w.filters.Name(b) != name || len(w.filters.classes) != 1 {
		t.Error("the predicate does not last as long as a pod has it")
	}
	if w.filters.Forget(b); len(w.filters.classes) != 0 {
		t.Error("the predicate outlasts its pods")
	}
}

// told reports whether filters have said that answers may be others, and takes that in.
func told(f *Filters) bool {
	select {
	case <-f.Stale():
		return true
	default:
		return false
	}
}

func TestWhatTheSchedulerDoesNotSeeMakesAnswersStale(t *testing.T) {
	w := newWorld(t)
	await.True(t, "word of the namespace that was there", func() bool { return told(w.filters) })
	pod := podWithDevice("a")
	pod.Spec.ResourceClaims[0] = corev1.PodResourceClaim{Name: "gpu", ResourceClaimTemplateName: &pod.Name}
	w.filters.Pod(nil, pod)
	w.filters.Name(pod)
	claimed := pod.DeepCopy()
	claimed.Status.ResourceClaimStatuses = []corev1.PodResourceClaimStatus{{Name: "gpu", ResourceClaimName: &pod.Name}}
	bound := claimed.DeepCopy()
	bound.Spec.NodeName = "n1"
	labelled := bound.DeepCopy()
	labelled.Labels = map[string]string{"app": "web"}
	for i, c := range []struct {
		from, to *corev1.Pod
		want     bool
	}{
		{pod, claimed, true},
		{claimed, claimed.DeepCopy(), false},
		{claimed, bound, false}, // the scheduler is told
		{bound, bound.DeepCopy(), false},
		{bound, labelled, true},
		{labelled, nil, false},
	} {
		w.filters.Pod(c.from, c.to)
		if found := told(w.filters); found != c.want {
			t.Errorf("change %d: found %v", i, found)
		}
	}
	if _, err := w.client.CoreV1().PersistentVolumes().Create(context.Background(), disk("n1"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	await.True(t, "word of a volume that came", func() bool { return told(w.filters) })
}

// A claim that comes after its pod changes no placement, but what PreFilter finds.
func TestAPodWhoseClaimComesLaterIsLetIn(t *testing.T) {
	w := newWorld(t, &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: diskClass}, Provisioner: "kubernetes.io/no-provisioner"}, disk("n1"))
	w.addNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1", Labels: map[string]string{corev1.LabelHostname: "n1"}}})
	pod := podWithClaim("late")
	w.filters.Pod(nil, pod)
	name := w.filters.Name(pod)
	s := w.scheduler()
	s.Advance(0)
	for _, in := range []core.Input{{Event: &core.SetConfig{Config: oneQueue}}, {Event: &core.AddApp{ID: "app", Queue: "root.a"}}, {Event: &core.AddNode{ID: "n1", Capacity: pods(5)}},
		{Event: &core.AddAsk{ID: "ns/late", App: "app", Resources: pods(1), Ask: core.Ask{Predicate: name}}}} {
		s.Apply(&in)
	}
	if at := placements(s); len(at) > 0 {
		t.Fatalf("there is no claim: found %v", at)
	}
	bound := claim("late")
	bindTo(bound, disk("n1"))
	if _, err := w.client.CoreV1().PersistentVolumeClaims("ns").Create(context.Background(), bound, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	at := map[string]string{}
	await.True(t, "the pod to be placed, since its claim has come", func() bool { // the plugins take the claim in after the filters have told of it
		s.Apply(&core.Input{Event: &core.RemovePolicy{Name: name}})
		at = placements(s)
		return len(at) > 0
	})
}
