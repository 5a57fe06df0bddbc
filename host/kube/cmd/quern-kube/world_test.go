package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cucumber/godog"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/restmapper"

	"github.com/quern-project/quern/host/kube/clustertest"
)

// world is a cluster, and what a scenario has put into it.
type world struct {
	plane      *plane
	client     kubernetes.Interface
	dynamic    dynamic.Interface
	mapper     meta.ResettableRESTMapper
	kubeconfig string // its file
	started    int    // replicas

	made     []made
	nodes    []string
	replicas []*clustertest.Process // that the scenario has started
	other    string                 // the key of the pod that the last step has left over
}

// made is an object that a scenario has created.
type made struct {
	resource dynamic.ResourceInterface
	name     string
}

func newWorld(p *plane) (*world, error) {
	config, w := p.Admin(), &world{plane: p}
	var err error
	if w.kubeconfig, err = p.Kubeconfig("scenarios", config); err != nil {
		return nil, err
	}
	if w.client, err = kubernetes.NewForConfig(config); err != nil {
		return nil, err
	}
	if w.dynamic, err = dynamic.NewForConfig(config); err != nil {
		return nil, err
	}
	d, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	w.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(d))
	return w, nil
}

func (w *world) queues() string { return filepath.Join(w.plane.dir, "queues.yaml") }

// writeQueues replaces the file, as operators do: what Quern reads is whole.
func (w *world) writeQueues(text *godog.DocString) error {
	temporary := w.queues() + ".new"
	if err := os.WriteFile(temporary, []byte(text.Content), 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, w.queues())
}

// rows are the rows of a table, by the names of the columns.
func rows(table *godog.Table) []map[string]string {
	var list []map[string]string
	for _, row := range table.Rows[1:] {
		cells := map[string]string{}
		for i, cell := range row.Cells {
			cells[table.Rows[0].Cells[i].Value] = cell.Value
		}
		list = append(list, cells)
	}
	return list
}

// pairs reads `a=b, c=d`.
func pairs(text string) map[string]string {
	all := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		if key, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok {
			all[key] = value
		}
	}
	return all
}

// addNodes creates nodes, and waits until the control plane lets pods onto them.
func (w *world) addNodes(ctx context.Context, table *godog.Table) error {
	for _, row := range rows(table) {
		amounts := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(row["cpu"]), corev1.ResourceMemory: resource.MustParse(row["memory"]),
			corev1.ResourcePods: resource.MustParse("110")}
		labels := pairs(row["labels"])
		labels[corev1.LabelHostname] = row["name"]
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: row["name"], Labels: labels},
			Status: corev1.NodeStatus{Capacity: amounts, Allocatable: amounts}}
		if key, rest, ok := strings.Cut(row["taint"], "="); ok {
			value, effect, _ := strings.Cut(rest, ":")
			node.Spec.Taints = []corev1.Taint{{Key: key, Value: value, Effect: corev1.TaintEffect(effect)}}
		}
		taints := len(node.Spec.Taints)
		if _, err := w.client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
			return err
		}
		w.nodes = append(w.nodes, node.Name)
		if err := eventually(ctx, soon, func() error {
			current, err := w.client.CoreV1().Nodes().Get(ctx, node.Name, metav1.GetOptions{})
			if err == nil && len(current.Spec.Taints) > taints {
				err = fmt.Errorf("node %s has taints %v", node.Name, current.Spec.Taints)
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// createPods creates pods of one container each.
func (w *world) createPods(ctx context.Context, table *godog.Table) error {
	for _, row := range rows(table) {
		grace := int64(0)
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: row["name"], Namespace: or(row["namespace"], metav1.NamespaceDefault), Labels: map[string]string{}, Annotations: pairs(row["annotations"])},
			Spec: corev1.PodSpec{SchedulerName: or(row["scheduler"], "quern"), NodeName: row["node"], TerminationGracePeriodSeconds: &grace,
				Containers: []corev1.Container{{Name: "c", Image: "image", Resources: corev1.ResourceRequirements{
					Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(row["cpu"])}}}}},
		}
		if row["queue"] != "" {
			pod.Labels["queue"] = row["queue"]
		}
		if err := w.awaitAccount(ctx, pod.Namespace); err != nil {
			return err
		}
		if _, err := w.client.CoreV1().Pods(pod.Namespace).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

// awaitAccount waits for the service account of a namespace: no pod is admitted before.
func (w *world) awaitAccount(ctx context.Context, namespace string) error {
	return eventually(ctx, soon, func() error {
		_, err := w.client.CoreV1().ServiceAccounts(namespace).Get(ctx, "default", metav1.GetOptions{})
		return err
	})
}

// createObjects creates what a text says, as kubectl does.
func (w *world) createObjects(ctx context.Context, text *godog.DocString) error {
	for part := range strings.SplitSeq(text.Content, "\n---\n") {
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(part), &o.Object); err != nil {
			return err
		}
		kind := o.GroupVersionKind()
		mapping, err := w.mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if err != nil {
			return err
		}
		var at dynamic.ResourceInterface = w.dynamic.Resource(mapping.Resource)
		if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
			at = w.dynamic.Resource(mapping.Resource).Namespace(or(o.GetNamespace(), metav1.NamespaceDefault))
		}
		if _, err := at.Create(ctx, o, metav1.CreateOptions{}); err != nil {
			return err
		}
		w.made = append(w.made, made{at, o.GetName()})
	}
	return nil
}

func (w *world) deletePod(ctx context.Context, name string) error {
	namespace, name := split(name)
	return w.client.CoreV1().Pods(namespace).Delete(ctx, name, metav1.DeleteOptions{})
}

func (w *world) deleteNode(ctx context.Context, name string) error {
	return w.client.CoreV1().Nodes().Delete(ctx, name, metav1.DeleteOptions{})
}

// split returns the namespace and the name of a key; the namespace may be left out.
func split(key string) (namespace, name string) {
	if namespace, name, ok := strings.Cut(key, "/"); ok {
		return namespace, name
	}
	return metav1.NamespaceDefault, key
}

// clear ends the programs, and removes what the scenario has made.
func (w *world) clear(ctx context.Context) error {
	err := w.kill()
	now, background := int64(0), metav1.DeletePropagationBackground
	for _, m := range w.made {
		err = errors.Join(err, unlessGone(m.resource.Delete(ctx, m.name, metav1.DeleteOptions{GracePeriodSeconds: &now, PropagationPolicy: &background})))
	}
	for _, node := range w.nodes {
		err = errors.Join(err, unlessGone(w.client.CoreV1().Nodes().Delete(ctx, node, metav1.DeleteOptions{GracePeriodSeconds: &now})))
	}
	w.made, w.nodes, w.replicas, w.other = nil, nil, nil, ""
	return errors.Join(err, eventually(ctx, soon, func() error {
		pods, err := w.client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range pods.Items {
			pod := &pods.Items[i]
			if len(pod.Finalizers) > 0 {
				let := []byte(`{"metadata":{"finalizers":null}}`)
				if _, err := w.client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType, let, metav1.PatchOptions{}); unlessGone(err) != nil {
					return err
				}
			}
			if err := unlessGone(w.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now})); err != nil {
				return err
			}
		}
		if len(pods.Items) > 0 {
			return fmt.Errorf("%d pods are still there", len(pods.Items))
		}
		return nil
	}))
}

func unlessGone(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// soon bounds how long a step may take, on a machine that has much else to do.
const soon = 2 * time.Minute

// eventually tries until it succeeds.
func eventually(ctx context.Context, within time.Duration, try func() error) error {
	for began := time.Now(); ; {
		err := try()
		if err == nil || time.Since(began) > within {
			return err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		}
	}
}
