package clustertest

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

// lost is the label of nodes and pods for which kwok does nothing: neither does it say that they are ready, nor do deleted pods end.
const lost = "clustertest.quern/lost"

// LoseNode has a node and its pods be as if their kubelet did nothing any more. The node's condition Ready becomes what the status says: False,
// as a kubelet writes that finds its machine unfit, or Unknown, as the node controller writes when it hears nothing of the kubelet. Taints and
// evictions come from the controller manager.
func (c *Cluster) LoseNode(ctx context.Context, name string, ready corev1.ConditionStatus) error {
	client, err := kubernetes.NewForConfig(c.Admin())
	if err != nil {
		return err
	}
	if err := label(ctx, client, name, `"yes"`); err != nil {
		return err
	}
	now := metav1.Now().UTC().Format(time.RFC3339)
	status := fmt.Sprintf(`{"status":{"conditions":[{"type":"Ready","status":%q,"reason":"Lost","lastHeartbeatTime":%q,"lastTransitionTime":%q}]}}`, ready, now, now)
	_, err = client.CoreV1().Nodes().Patch(ctx, name, types.StrategicMergePatchType, []byte(status), metav1.PatchOptions{}, "status")
	return err
}

// FindNode has the kubelet of a lost node work again.
func (c *Cluster) FindNode(ctx context.Context, name string) error {
	client, err := kubernetes.NewForConfig(c.Admin())
	if err != nil {
		return err
	}
	return label(ctx, client, name, "null")
}

// label writes whether a node and its pods are lost; the pods first, so that kwok ends none of a node that is lost.
func label(ctx context.Context, client kubernetes.Interface, node, value string) error {
	patch := fmt.Appendf(nil, `{"metadata":{"labels":{%q:%s}}}`, lost, value)
	pods, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("spec.nodeName", node).String()})
	if err != nil {
		return err
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if _, err := client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			return err
		}
	}
	_, err = client.CoreV1().Nodes().Patch(ctx, node, types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}
