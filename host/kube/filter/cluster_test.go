package filter

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/clustertest"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/internal/await"
)

// TestOnARealControlPlane has the caches filled by a real API server, and its controller complete the binding of a volume.
func TestOnARealControlPlane(t *testing.T) {
	cluster := clustertest.New(t)
	client, err := kubernetes.NewForConfig(cluster.Admin())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	if err := cluster.Kwok.Start(ctx); err != nil {
		t.Fatal(err)
	}
	if err := cluster.AddNodes(ctx, "n", 2, corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourcePods: resource.MustParse("110")}); err != nil {
		t.Fatal(err)
	}
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil || len(nodes.Items) != 2 {
		t.Fatalf("found %d nodes (%v)", len(nodes.Items), err)
	}
	pod := makeDiskAndPod(ctx, t, client, nodes.Items[1].Labels[corev1.LabelHostname])
	factory := informers.NewSharedInformerFactory(client, 0)
	filters, err := New(ctx, Options{Client: client, Config: cluster.Admin(), Informers: factory})
	if err != nil {
		t.Fatal(err)
	}
	factory.Start(ctx.Done())
	for kind, ok := range factory.WaitForCacheSync(ctx.Done()) {
		if !ok {
			t.Fatalf("the API server does not list %v", kind)
		}
	}
	p := filters.Policies(func(bool) server.Policies { return modules{} })(true)
	p.Serve()
	s := scheduler.New(p.Options())
	s.Advance(0)
	list := []core.Input{{Event: &core.SetConfig{Config: oneQueue}}, {Event: &core.AddApp{ID: "app", Queue: "root.a"}}}
	for i := range nodes.Items {
		filters.Node(nil, &nodes.Items[i])
		list = append(list, core.Input{Event: &core.AddNode{ID: nodes.Items[i].Name, Capacity: pods(5)}})
	}
	filters.Pod(nil, pod)
	list = append(list, core.Input{Event: &core.AddAsk{ID: "ns/a", App: "app", Resources: pods(1), Ask: core.Ask{Predicate: filters.Name(pod)}}})
	for i := range list {
		s.Apply(&list[i])
	}
	node := placements(s)["ns/a"]
	if node != nodes.Items[1].Name {
		t.Fatalf("found it on %q: %s", node, filters.Why(filters.Name(pod), nodes.Items[1].Name))
	}
	if err := filters.Reserve(ctx, pod, node); err != nil {
		t.Fatal(err)
	}
	if err := filters.PreBind(ctx, pod, node); err != nil {
		t.Fatal(err)
	}
	c, err := client.CoreV1().PersistentVolumeClaims("ns").Get(ctx, "a", metav1.GetOptions{})
	if err != nil || c.Status.Phase != corev1.ClaimBound {
		t.Errorf("found %+v (%v)", c.Status, err)
	}
}

// makeDiskAndPod makes a disk on a node, and a pod with a claim of it.
func makeDiskAndPod(ctx context.Context, t *testing.T, client kubernetes.Interface, hostname string) *corev1.Pod {
	wait := storagev1.VolumeBindingWaitForFirstConsumer
	class := &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: diskClass}, Provisioner: "kubernetes.io/no-provisioner", VolumeBindingMode: &wait}
	volume, c, pod := disk(hostname), claim("a"), podWithClaim("a")
	volume.ResourceVersion, volume.Spec.Local = "", &corev1.LocalVolumeSource{Path: "/disk"}
	c.ResourceVersion, c.UID, pod.UID = "", "", ""
	pod.Spec.SchedulerName = "quern"
	pod.Spec.Containers = []corev1.Container{{Name: "c", Image: "none"}}
	_, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "ns"}}, metav1.CreateOptions{})
	if err == nil {
		_, err = client.StorageV1().StorageClasses().Create(ctx, class, metav1.CreateOptions{})
	}
	if err == nil {
		_, err = client.CoreV1().PersistentVolumes().Create(ctx, volume, metav1.CreateOptions{})
	}
	if err == nil {
		_, err = client.CoreV1().PersistentVolumeClaims("ns").Create(ctx, c, metav1.CreateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	var made *corev1.Pod
	await.True(t, "its service account", func() bool {
		if made, err = client.CoreV1().Pods("ns").Create(ctx, pod, metav1.CreateOptions{}); err != nil && !apierrors.IsForbidden(err) {
			t.Fatalf("the pod cannot be made: %v", err)
		}
		return err == nil
	})
	return made
}
