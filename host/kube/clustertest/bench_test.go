package clustertest

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// clients is how many requests the benchmark has under way at a time.
const clients = 64

// BenchmarkControlPlane measures what the control plane can do at most, to which a scheduler's figures are compared: its
// start, nodes becoming ready, pods created, pods bound by requests
// alone, and pods that kube-scheduler binds while kwok runs them.
func BenchmarkControlPlane(b *testing.B) {
	if os.Getenv("QUERN_KUBE_BENCH") == "" {
		b.Skip("skipped, because QUERN_KUBE_BENCH is not set: this takes minutes and both processors")
	}
	nodes, pods := number(b, "NODES", 1000), number(b, "PODS", 5000)
	for b.Loop() {
		begin := time.Now()
		c := New(b)
		b.ReportMetric(time.Since(begin).Seconds(), "s/start")
		measure(b, c, nodes, pods)
		c.end(b) // now, since the next turn starts another
	}
}

func number(b *testing.B, name string, otherwise int) int {
	b.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		b.Fatalf("%s: expected a number of at least 1, found %q", name, text)
	}
	return n
}

func measure(b *testing.B, c *Cluster, nodes, pods int) {
	ctx := b.Context()
	config := c.Admin()
	config.ContentType = runtime.ContentTypeProtobuf
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Kwok.Start(ctx); err != nil {
		b.Fatal(err)
	}
	begin := time.Now()
	if err := c.AddNodes(ctx, "node", nodes, capacity); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(time.Since(begin).Seconds(), fmt.Sprintf("s/%d-nodes", nodes))
	create(ctx, b, client, pods, noScheduler, "creates/s")
	// While kwok is paused, it writes no status of the pods, which would count against the API server.
	if err := c.Kwok.Pause(); err != nil {
		b.Fatal(err)
	}
	rate(ctx, b, pods, "binds/s", func(i int) error {
		return client.CoreV1().Pods(metav1.NamespaceDefault).Bind(ctx, binding(podName(noScheduler, i), fmt.Sprintf("node-%d", i%nodes)), metav1.CreateOptions{})
	})
	remove(ctx, b, client)
	if err := c.Kwok.Resume(); err != nil {
		b.Fatal(err)
	}
	create(ctx, b, client, pods, stockScheduler, "creates-again/s")
	if err := waitNodes(ctx, client, "node", nodes); err != nil { // after a long pause they are not ready for a moment
		b.Fatal(err)
	}
	b.ReportMetric(float64(pods)/stockBinds(ctx, b, c, client, pods).Seconds(), "kube-scheduler-binds/s")
}

func podName(scheduler string, i int) string { return fmt.Sprintf("%s-%d", scheduler, i) }

func create(ctx context.Context, b *testing.B, client kubernetes.Interface, pods int, scheduler, unit string) {
	b.Helper()
	rate(ctx, b, pods, unit, func(i int) error {
		_, err := client.CoreV1().Pods(metav1.NamespaceDefault).Create(ctx, pod(podName(scheduler, i), scheduler), metav1.CreateOptions{})
		return err
	})
}

// rate reports how many calls a second succeed. One that fails fails the benchmark.
func rate(ctx context.Context, b *testing.B, count int, unit string, call func(i int) error) {
	b.Helper()
	begin := time.Now()
	workqueue.ParallelizeUntil(ctx, clients, count, func(i int) {
		if err := call(i); err != nil {
			b.Error(err)
		}
	})
	b.ReportMetric(float64(count)/time.Since(begin).Seconds(), unit)
}

// remove deletes all pods at once, so that the nodes are empty for the next measurement.
func remove(ctx context.Context, b *testing.B, client kubernetes.Interface) {
	b.Helper()
	now := int64(0)
	if err := client.CoreV1().Pods(metav1.NamespaceDefault).DeleteCollection(ctx, metav1.DeleteOptions{GracePeriodSeconds: &now}, metav1.ListOptions{}); err != nil {
		b.Fatal(err)
	}
}

// stockBinds returns how long kube-scheduler takes for pods that wait for it, from the first that it binds to the last: its start is left out.
func stockBinds(ctx context.Context, b *testing.B, c *Cluster, client kubernetes.Interface, pods int) time.Duration {
	b.Helper()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var bound atomic.Int64
	var first, last atomic.Int64 // nanoseconds of the Unix epoch
	all := make(chan struct{})
	source := cache.NewListWatchFromClient(client.CoreV1().RESTClient(), "pods", metav1.NamespaceDefault, fields.Everything())
	_, informer := cache.NewInformerWithOptions(cache.InformerOptions{ListerWatcher: source, ObjectType: &corev1.Pod{}, Handler: cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(before, after any) {
			if before.(*corev1.Pod).Spec.NodeName != "" || after.(*corev1.Pod).Spec.NodeName == "" {
				return
			}
			now := time.Now().UnixNano()
			first.CompareAndSwap(0, now)
			if last.Store(now); bound.Add(1) == int64(pods) {
				close(all)
			}
		},
	}})
	go informer.RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		b.Fatal("the pods could not be listed")
	}
	if err := c.Scheduler.Start(ctx); err != nil {
		b.Fatal(err)
	}
	select {
	case <-all:
	case <-time.After(10 * time.Minute):
		b.Fatalf("kube-scheduler has bound %d of %d pods in ten minutes", bound.Load(), pods)
	}
	return time.Duration(last.Load() - first.Load())
}
