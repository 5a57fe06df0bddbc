package manager

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/quern-project/quern/host/kube/clustertest"
)

// half is a queue that may take back half of eight nodes.
const half = `
partitions:
- name: default
  queues:
  - name: root
    queues:
    - name: prod
      resources: {guaranteed: {vcore: 32}}
      properties: {preemption.delay: 1s}
    - name: batch
`

// What a pod needs beside a binding survives faults, too: victims, volumes and devices.
func TestFaults_OfClaimsOfPods(t *testing.T) {
	f := newFaulty(t, 8)
	r := start(t, f.clientOf(t, "quern"), half, withPlugins(t))
	for _, test := range []struct {
		name string
		run  func(*faulty, *testing.T)
	}{
		{"victims", (*faulty).victims},
		{"volumes", (*faulty).volumes},
		{"devices", (*faulty).devices},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.run(f, t)
			f.settled(t, r)
			f.clear(t)
			f.settled(t, r)
		})
	}
}

// faults are those of a share of requests: at most two of a method and path, so that nothing fails for good.
type faults struct {
	mu       sync.Mutex
	random   *rand.Rand
	requests map[string]int
	injected map[string]int // by what is written
}

// faultsAPath is less than what the API server may deny of an eviction, which has two writes, or refuse of a binding.
const faultsAPath = 2

// begin injects faults from now on. Each binding is told of before it is carried out.
func (f *faulty) begin(binds func(pod string)) *faults {
	x := &faults{random: rand.New(rand.NewPCG(5, 6)), requests: map[string]int{}, injected: map[string]int{}}
	f.inject(func(r *http.Request) clustertest.Fault {
		if b, ok := bindingOf(r); ok {
			binds(b.pod)
		}
		return x.next(r)
	})
	return x
}

func (x *faults) next(r *http.Request) clustertest.Fault {
	x.mu.Lock()
	defer x.mu.Unlock()
	key := r.Method + r.URL.Path
	if clustertest.IsWatch(r) || x.requests[key] >= faultsAPath || x.random.IntN(2) == 0 {
		return clustertest.Fault{}
	}
	fault := everyFault[x.random.IntN(len(everyFault))]
	if r.Method == http.MethodGet && fault.Status == http.StatusConflict { // a read has none
		return clustertest.Fault{}
	}
	x.requests[key]++
	x.injected[writeOf(r)]++
	return fault
}

// hit checks that writes have had faults.
func (x *faults) hit(t *testing.T, writes ...string) {
	t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	t.Logf("faults: %v", x.injected)
	for _, w := range writes {
		if x.injected[w] == 0 {
			t.Errorf("no %s had a fault", w)
		}
	}
}

// Half of the pods go, and of those with a budget, of which each node has one, not more than it allows.
func (f *faulty) victims(t *testing.T) {
	const lows, highs, allowed = 64, 32, 2
	pods := f.client.CoreV1().Pods(metav1.NamespaceDefault)
	for i := range lows {
		f.put(t, queued(waiting(fmt.Sprint("low-", i), fmt.Sprint("low-", i/8), 1000), "root.batch"))
	}
	f.await(t, "low", lows)
	least := intstr.FromInt32(lows/8 - allowed)
	budget := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: "guard"}, Spec: policyv1.PodDisruptionBudgetSpec{MinAvailable: &least,
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"applicationId": "low-0"}}}}
	budgets := f.client.PolicyV1().PodDisruptionBudgets(metav1.NamespaceDefault)
	if _, err := budgets.Create(t.Context(), budget, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	untilWithin(t, recovery, func() string {
		b, err := budgets.Get(t.Context(), budget.Name, metav1.GetOptions{})
		if err != nil || b.Status.DisruptionsAllowed != allowed {
			return fmt.Sprintf("the budget does not count its pods: %+v, %v", b.Status, err)
		}
		return ""
	})
	x := f.begin(func(string) {})
	for i := range highs {
		f.put(t, queued(waiting(fmt.Sprint("high-", i), "high", 1000), "root.prod"))
	}
	f.await(t, "high", highs)
	x.hit(t, "binding", "condition", "eviction")
	f.inject(nil)
	left, guarded := 0, 0
	list, err := pods.List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list.Items {
		if pod := &list.Items[i]; strings.HasPrefix(pod.Name, "low-") && pod.DeletionTimestamp == nil {
			left++
			if pod.Labels["applicationId"] == "low-0" {
				guarded++
			}
		}
	}
	if left != lows-highs || guarded < lows/8-allowed {
		t.Errorf("%d pods are left, expected %d; %d of those with a budget, expected %d or more", left, lows-highs, guarded, lows/8-allowed)
	}
	until(t, func() string {
		return map[bool]string{true: "answers of bindings are on their way"}[len(f.bound(t, "high")) < highs]
	})
	f.once(t, "high", highs)
}

// put creates a pod.
func (f *faulty) put(t *testing.T, pod *corev1.Pod) {
	t.Helper()
	if _, err := f.client.CoreV1().Pods(metav1.NamespaceDefault).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Error(err)
	}
}

// bindThroughFaults has pods be bound, some of which are replaced at that, while such writes have faults.
func (f *faulty) bindThroughFaults(t *testing.T, prefix string, count int, pod func(i int) *corev1.Pod, writes ...string) {
	t.Helper()
	x := f.begin(f.replaced(t.Context(), t, pod))
	for i := range count {
		f.put(t, pod(i))
	}
	f.await(t, prefix, count)
	x.hit(t, writes...)
	f.inject(nil)
}

// replaced has every fourth pod be deleted just before its first binding arrives, and made again, as a StatefulSet does.
func (f *faulty) replaced(ctx context.Context, t *testing.T, pod func(i int) *corev1.Pod) (binds func(name string)) {
	var mu sync.Mutex
	made, now := map[string]bool{}, int64(0)
	return func(name string) {
		var i int
		if _, err := fmt.Sscanf(name[strings.LastIndexByte(name, '-')+1:], "%d", &i); err != nil || i%4 > 0 {
			return
		}
		mu.Lock()
		again := made[name]
		made[name] = true
		mu.Unlock()
		if again {
			return
		}
		if err := f.client.CoreV1().Pods(metav1.NamespaceDefault).Delete(ctx, name, metav1.DeleteOptions{GracePeriodSeconds: &now}); err != nil {
			t.Error(err)
		}
		f.put(t, pod(i))
	}
}

// Each claim has one volume, on the node of its pod.
func (f *faulty) volumes(t *testing.T) {
	const disks, pods = 32, 24
	f.makeDisks(t, disks, pods)
	pod := func(i int) *corev1.Pod {
		p := queued(waiting(fmt.Sprint("disk-", i), "disks", 500), "root.batch")
		p.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: p.Name}}}}
		return p
	}
	f.bindThroughFaults(t, "disk", pods, pod, "binding", "volume")
	volumes, err := f.client.CoreV1().PersistentVolumes().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]string{} // the node of the volume of a claim
	for i := range volumes.Items {
		v := &volumes.Items[i]
		claim := v.Spec.ClaimRef
		if claim == nil {
			continue
		}
		if other := of[claim.Name]; other != "" {
			t.Errorf("claim %s has volumes on %s and %s", claim.Name, other, v.Labels[corev1.LabelHostname])
		}
		of[claim.Name] = v.Labels[corev1.LabelHostname]
	}
	for i := range pods {
		f.isOn(t, fmt.Sprint("disk-", i), of[fmt.Sprint("disk-", i)])
	}
	if len(of) != pods {
		t.Errorf("%d volumes have claims, expected %d", len(of), pods)
	}
}

// isOn checks the node of a pod.
func (f *faulty) isOn(t *testing.T, name, node string) (pod *corev1.Pod) {
	t.Helper()
	pod, err := f.client.CoreV1().Pods(metav1.NamespaceDefault).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if pod.Spec.NodeName != node {
		t.Errorf("pod %s is on %q, and what it uses on %q", name, pod.Spec.NodeName, node)
	}
	return pod
}

// makeDisks makes volumes on the nodes in turn, and claims.
func (f *faulty) makeDisks(t *testing.T, disks, claims int) {
	t.Helper()
	class, wait, size := "disks", storagev1.VolumeBindingWaitForFirstConsumer, corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}
	once := []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
	var none metav1.CreateOptions
	_, err := f.client.StorageV1().StorageClasses().Create(t.Context(), &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: class},
		Provisioner: "kubernetes.io/no-provisioner", VolumeBindingMode: &wait}, none)
	for i := 0; i < disks && err == nil; i++ {
		node := fmt.Sprint("node-", i%8)
		v := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("disk-", i), Labels: map[string]string{corev1.LabelHostname: node}},
			Spec: corev1.PersistentVolumeSpec{StorageClassName: class, Capacity: size, AccessModes: once}}
		v.Spec.Local = &corev1.LocalVolumeSource{Path: "/disk"}
		v.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchExpressions: []corev1.NodeSelectorRequirement{{Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn, Values: []string{node}}}}}}}
		_, err = f.client.CoreV1().PersistentVolumes().Create(t.Context(), v, none)
	}
	for i := 0; i < claims && err == nil; i++ {
		c := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("disk-", i)},
			Spec: corev1.PersistentVolumeClaimSpec{StorageClassName: &class, AccessModes: once, Resources: corev1.VolumeResourceRequirements{Requests: size}}}
		_, err = f.client.CoreV1().PersistentVolumeClaims(metav1.NamespaceDefault).Create(t.Context(), c, none)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Each claim has a device of its own on the node of its pod, and is reserved for that pod alone. Once the pods are gone, all devices are free.
func (f *faulty) devices(t *testing.T) {
	const pods = 16
	f.makeDevices(t, pods)
	pod := func(i int) *corev1.Pod {
		p := queued(waiting(fmt.Sprint("gpu-", i), "gpus", 500), "root.batch")
		p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimName: &p.Name}}
		return p
	}
	f.bindThroughFaults(t, "gpu", pods, pod, "binding", "device claim")
	untilWithin(t, recovery, func() string { return f.reserved(t, pods) }) // the controller manager takes out pods that are gone
	used := map[string]string{}
	for _, c := range f.claims(t) {
		if c.Status.Allocation == nil || len(c.Status.Allocation.Devices.Results) != 1 {
			t.Errorf("claim %s has the devices %+v", c.Name, c.Status.Allocation)
			continue
		}
		device := c.Status.Allocation.Devices.Results[0]
		if other := used[device.Pool+"/"+device.Device]; other != "" {
			t.Errorf("claims %s and %s have one device", other, c.Name)
		}
		used[device.Pool+"/"+device.Device] = c.Name
		f.isOn(t, c.Name, device.Pool)
	}
	f.clear(t)
	untilWithin(t, recovery, func() string {
		for _, c := range f.claims(t) {
			if len(c.Status.ReservedFor) > 0 {
				return fmt.Sprintf("claim %s is reserved for %v", c.Name, c.Status.ReservedFor)
			}
		}
		return ""
	})
}

func (f *faulty) claims(t *testing.T) []resourcev1.ResourceClaim {
	t.Helper()
	list, err := f.client.ResourceV1().ResourceClaims(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return list.Items
}

// reserved says which claim is not reserved for the pod of its name alone; empty: there is none.
func (f *faulty) reserved(t *testing.T, count int) string {
	t.Helper()
	claims := f.claims(t)
	if len(claims) != count {
		return fmt.Sprintf("there are %d claims, expected %d", len(claims), count)
	}
	for _, c := range claims {
		pod, err := f.client.CoreV1().Pods(metav1.NamespaceDefault).Get(t.Context(), c.Name, metav1.GetOptions{})
		if err != nil {
			return err.Error()
		}
		if r := c.Status.ReservedFor; len(r) != 1 || r[0].UID != pod.UID {
			return fmt.Sprintf("claim %s is reserved for %v, expected pod %s with UID %s", c.Name, r, pod.Name, pod.UID)
		}
	}
	return ""
}

// makeDevices gives each node two devices, in a pool of its name, and makes claims for one each.
func (f *faulty) makeDevices(t *testing.T, claims int) {
	t.Helper()
	var none metav1.CreateOptions
	_, err := f.client.ResourceV1().DeviceClasses().Create(t.Context(), &resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "gpu"}}, none)
	for i := 0; i < 8 && err == nil; i++ {
		node := fmt.Sprint("node-", i)
		_, err = f.client.ResourceV1().ResourceSlices().Create(t.Context(), &resourcev1.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: node},
			Spec: resourcev1.ResourceSliceSpec{NodeName: &node, Driver: "example.com", Pool: resourcev1.ResourcePool{Name: node, ResourceSliceCount: 1},
				Devices: []resourcev1.Device{{Name: "gpu-0"}, {Name: "gpu-1"}}}}, none)
	}
	for i := 0; i < claims && err == nil; i++ {
		c := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("gpu-", i)}}
		c.Spec.Devices.Requests = []resourcev1.DeviceRequest{{Name: "gpu", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gpu"}}}
		_, err = f.client.ResourceV1().ResourceClaims(metav1.NamespaceDefault).Create(t.Context(), c, none)
	}
	if err != nil {
		t.Fatal(err)
	}
}
