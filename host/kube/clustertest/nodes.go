package clustertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/workqueue"
)

// creators is how many nodes are created at the same time.
const creators = 16

// AddNodes creates nodes prefix-0 to prefix-(count-1), each with a capacity, and waits until all are ready and without
// taints. Kwok must run; it is what makes nodes ready and runs their pods.
func (c *Cluster) AddNodes(ctx context.Context, prefix string, count int, capacity corev1.ResourceList) error {
	client, err := kubernetes.NewForConfig(c.Admin())
	if err != nil {
		return err
	}
	if err := createNodes(ctx, client, prefix, count, capacity); err != nil {
		return fmt.Errorf("creating nodes: %w", err)
	}
	if err := waitNodes(ctx, client, prefix, count); err != nil {
		return fmt.Errorf("waiting for %d nodes to be ready: %w", count, err)
	}
	return nil
}

func createNodes(ctx context.Context, client kubernetes.Interface, prefix string, count int, capacity corev1.ResourceList) error {
	var mu sync.Mutex
	var failed []error
	workqueue.ParallelizeUntil(ctx, creators, count, func(i int) {
		if _, err := client.CoreV1().Nodes().Create(ctx, node(prefix, i, capacity), metav1.CreateOptions{}); err != nil {
			mu.Lock()
			failed = append(failed, err)
			mu.Unlock()
		}
	})
	return errors.Join(append(failed, ctx.Err())...)
}

func node(prefix string, i int, capacity corev1.ResourceList) *corev1.Node {
	name := fmt.Sprintf("%s-%d", prefix, i)
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name, nodeGroup: prefix}},
		Status:     corev1.NodeStatus{Capacity: capacity, Allocatable: capacity},
	}
}

// nodeGroup is the label of the nodes that AddNodes creates; its value is their prefix.
const nodeGroup = "clustertest.quern/group"

// waitNodes waits until a number of nodes with a prefix are ready. It watches them, since listing thousands again and again would
// load the API server.
func waitNodes(ctx context.Context, client kubernetes.Interface, prefix string, count int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the watch
	selector := labels.Set{nodeGroup: prefix}.String()
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTweakListOptions(func(o *metav1.ListOptions) {
		o.LabelSelector = selector
	}))
	lister := factory.Core().V1().Nodes().Lister()
	factory.Start(ctx.Done())
	return wait.PollUntilContextCancel(ctx, retryAfter, true, func(context.Context) (bool, error) {
		nodes, err := lister.List(labels.Everything())
		if err != nil {
			return false, err
		}
		ready := 0
		for _, n := range nodes {
			if usable(n) {
				ready++
			}
		}
		return ready == count, nil
	})
}

// usable reports whether pods without tolerations may run on a node.
func usable(n *corev1.Node) bool {
	return len(n.Spec.Taints) == 0 && slices.ContainsFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
}
