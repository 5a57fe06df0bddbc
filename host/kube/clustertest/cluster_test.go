package clustertest

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"

	"github.com/quern-project/quern/internal/await"
)

// stepTimeout bounds each of the tests below.
const stepTimeout = 2 * time.Minute

var capacity = corev1.ResourceList{
	corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourceMemory: resource.MustParse("32Gi"), corev1.ResourcePods: resource.MustParse("110"),
}

// A fixture is the cluster that the tests share, since it takes seconds to start, and a client that may do everything.
type fixture struct {
	*Cluster
	client kubernetes.Interface
}

func TestTheControlPlane(t *testing.T) {
	c := New(t)
	client, err := kubernetes.NewForConfig(c.Admin())
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{Cluster: c, client: client}
	ctx, cancel := context.WithTimeout(t.Context(), stepTimeout)
	defer cancel()
	if err := c.Kwok.Start(ctx); err != nil {
		t.Fatal(err)
	}
	if err := c.AddNodes(ctx, "node", 10, capacity); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		run  func(*fixture, *testing.T, context.Context)
	}{
		{"a bound pod runs and is deleted with grace", (*fixture).boundPodRuns},
		{"kube-scheduler binds a pod", (*fixture).schedulerBinds},
		{"a service account may do what its role allows", (*fixture).serviceAccountObeysItsRole},
		{"killing the API server and etcd loses nothing", (*fixture).killsLoseNothing},
		{"a paused API server answers once it is resumed", (*fixture).pauseAndResume},
		{"a proxy injects faults and ends watches", (*fixture).proxyInjects},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), stepTimeout)
			defer cancel()
			test.run(f, t, ctx)
		})
	}
}

// pod is a pod of the default namespace that asks for 1 CPU of a scheduler; for no scheduler, tests bind it.
func pod(name, scheduler string) *corev1.Pod {
	grace := int64(30)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: corev1.PodSpec{
			SchedulerName: scheduler, TerminationGracePeriodSeconds: &grace,
			Containers: []corev1.Container{{Name: "main", Image: "none", Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")},
			}}},
		},
	}
}

const (
	noScheduler    = "none"
	stockScheduler = "default-scheduler"
)

func binding(pod, node string) *corev1.Binding {
	return &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: pod}, Target: corev1.ObjectReference{Kind: "Node", Name: node}}
}

// podWatch follows one pod, by name.
func (f *fixture) podWatch(t *testing.T, ctx context.Context, name string) watch.Interface {
	t.Helper()
	w, err := f.client.CoreV1().Pods(metav1.NamespaceDefault).Watch(ctx, metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("metadata.name", name).String()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	return w
}

// first returns the first change that a condition holds for.
func first(t *testing.T, w watch.Interface, what string, holds func(watch.EventType, *corev1.Pod) bool) *corev1.Pod {
	t.Helper()
	for event := range w.ResultChan() {
		if p, ok := event.Object.(*corev1.Pod); ok && holds(event.Type, p) {
			return p
		}
	}
	t.Fatalf("expected %s, but the watch ended", what)
	return nil
}

func running(_ watch.EventType, p *corev1.Pod) bool { return p.Status.Phase == corev1.PodRunning }

func (f *fixture) boundPodRuns(t *testing.T, ctx context.Context) {
	pods := f.client.CoreV1().Pods(metav1.NamespaceDefault)
	w := f.podWatch(t, ctx, "bound")
	if _, err := pods.Create(ctx, pod("bound", noScheduler), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := pods.Bind(ctx, binding("bound", "node-3"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if p := first(t, w, "the pod to run", running); p.Spec.NodeName != "node-3" {
		t.Errorf("expected the pod on node-3, found it on %q", p.Spec.NodeName)
	}
	if err := pods.Bind(ctx, binding("bound", "node-4"), metav1.CreateOptions{}); !apierrors.IsConflict(err) {
		t.Errorf("second bind: expected a conflict, found %v", err)
	}

	if err := pods.Delete(ctx, "bound", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	ending := first(t, w, "the pod to be marked for deletion", func(e watch.EventType, p *corev1.Pod) bool { return e == watch.Modified && p.DeletionTimestamp != nil })
	if grace := ending.DeletionGracePeriodSeconds; grace == nil || *grace != 30 {
		t.Errorf("expected 30 s of grace, found %v", grace)
	}
	first(t, w, "kwok to end the pod", func(e watch.EventType, _ *corev1.Pod) bool { return e == watch.Deleted })
}

func (f *fixture) schedulerBinds(t *testing.T, ctx context.Context) {
	w := f.podWatch(t, ctx, "scheduled")
	if _, err := f.client.CoreV1().Pods(metav1.NamespaceDefault).Create(ctx, pod("scheduled", stockScheduler), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := f.Scheduler.Start(ctx); err != nil {
		t.Fatal(err)
	}
	if p := first(t, w, "the pod to run", running); !strings.HasPrefix(p.Spec.NodeName, "node-") {
		t.Errorf("expected the pod on one of the nodes, found it on %q", p.Spec.NodeName)
	}
	if err := f.Scheduler.Kill(); err != nil {
		t.Error(err)
	}
}

func (f *fixture) serviceAccountObeysItsRole(t *testing.T, ctx context.Context) {
	const namespace, name = metav1.NamespaceDefault, "reader"
	if _, err := f.client.CoreV1().ServiceAccounts(namespace).Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	config, err := f.ServiceAccount(ctx, namespace, name)
	if err != nil {
		t.Fatal(err)
	}
	account, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := account.CoreV1().Nodes().List(ctx, metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("without a role: expected listing nodes to be forbidden, found %v", err)
	}
	f.allowNodes(t, ctx, namespace, name)
	for range await.Each(ctx, retryAfter) { // the API server learns of roles by watching
		if _, err = account.CoreV1().Nodes().List(ctx, metav1.ListOptions{}); !apierrors.IsForbidden(err) {
			break
		}
	}
	if err != nil {
		t.Errorf("with a role: expected the nodes, found %v", err)
	}
	if err := account.CoreV1().Nodes().Delete(ctx, "node-0", metav1.DeleteOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("with a role that allows only listing: expected deleting a node to be forbidden, found %v", err)
	}
	f.writtenDown(t, namespace, name)
}

// writtenDown checks the log of a service account that has listed nodes and was not allowed to delete one.
func (f *fixture) writtenDown(t *testing.T, namespace, name string) {
	t.Helper()
	list, err := f.Requests(namespace, name)
	if err != nil || len(list) < 3 {
		t.Fatalf("expected three requests and more, found %v, %v", list, err)
	}
	if want := (Request{Verb: "list", Resource: "nodes", Forbidden: true}); list[0] != want {
		t.Errorf("first: expected %+v, found %+v", want, list[0])
	}
	if want := (Request{Verb: "list", Resource: "nodes"}); list[len(list)-2] != want {
		t.Errorf("last but one: expected %+v, found %+v", want, list[len(list)-2])
	}
	if want := (Request{Verb: "delete", Resource: "nodes", Name: "node-0", Forbidden: true}); list[len(list)-1] != want {
		t.Errorf("last: expected %+v, found %+v", want, list[len(list)-1])
	}
	if others, err := f.Requests(namespace, "another"); err != nil || len(others) > 0 {
		t.Errorf("another account: found %v, %v", others, err)
	}
}

// allowNodes lets a service account list nodes.
func (f *fixture) allowNodes(t *testing.T, ctx context.Context, namespace, name string) {
	t.Helper()
	meta := metav1.ObjectMeta{Name: name}
	role := &rbacv1.ClusterRole{ObjectMeta: meta, Rules: []rbacv1.PolicyRule{{Verbs: []string{"list"}, APIGroups: []string{""}, Resources: []string{"nodes"}}}}
	if _, err := f.client.RbacV1().ClusterRoles().Create(ctx, role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	bound := &rbacv1.ClusterRoleBinding{ObjectMeta: meta, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: name}}}
	if _, err := f.client.RbacV1().ClusterRoleBindings().Create(ctx, bound, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// A client creates config maps all the while, and each that the API server has acknowledged must be there afterwards.
func (f *fixture) killsLoseNothing(t *testing.T, ctx context.Context) {
	acknowledged, written := map[string]types.UID{}, atomic.Int64{}
	more := func() { // writes before, between and after the kills
		enough := written.Load() + 5
		await.True(t, "five more writes", func() bool { return written.Load() >= enough || ctx.Err() != nil })
	}
	writing, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		i := 0
		for range await.Each(writing, time.Millisecond) {
			i++
			// One that failed may exist or not; its name is not used again.
			m, err := f.client.CoreV1().ConfigMaps(metav1.NamespaceDefault).Create(writing, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("written-", i)}}, metav1.CreateOptions{})
			if err == nil {
				acknowledged[m.Name] = m.UID
				written.Add(1)
			}
		}
	}()
	for _, p := range []*Process{f.APIServer, f.Etcd, f.APIServer} {
		more()
		if err := p.Kill(); err != nil {
			t.Error(err)
		}
		if err := p.Start(ctx); err != nil {
			t.Error(err)
		}
	}
	if err := f.APIServer.WaitReady(ctx); err != nil {
		t.Error(err)
	}
	more()
	stop()
	<-done

	list, err := f.client.CoreV1().ConfigMaps(metav1.NamespaceDefault).List(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]types.UID{}
	for _, m := range list.Items {
		found[m.Name] = m.UID
	}
	if len(acknowledged) < 10 {
		t.Errorf("only %d config maps were written", len(acknowledged))
	}
	for name, uid := range acknowledged {
		if found[name] != uid {
			t.Errorf("config map %s was acknowledged as %s and is %q after the kills", name, uid, found[name])
		}
	}
}

func (f *fixture) pauseAndResume(t *testing.T, ctx context.Context) {
	if err := f.APIServer.Pause(); err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if _, err := f.client.CoreV1().Nodes().Get(short, "node-0", metav1.GetOptions{}); err == nil {
		t.Error("the paused API server has answered")
	}
	if err := f.APIServer.Resume(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.client.CoreV1().Nodes().Get(ctx, "node-0", metav1.GetOptions{}); err != nil {
		t.Errorf("after the pause: %v", err)
	}
}
