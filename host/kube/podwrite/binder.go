// Package podwrite writes to the API server what the manager has decided about pods: Binder binds them to nodes, each at most once, and Status
// writes conditions, nominated nodes, events, and the end of pods that are preempted. Each write is for one UID: a pod that was created
// again under the name is left alone.
package podwrite

import (
	"context"
	"fmt"
	"reflect"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/quern-project/quern/host/kube/leader"
	"github.com/quern-project/quern/host/kube/retry"
)

// Binder binds pods. A binding names the UID and the resource version of the pod that was decided about, so that the API server refuses it for
// any other. If an answer leaves the outcome open, Binder reads the pod back. Its method may be called concurrently, but not for the same pod.
type Binder struct {
	Client kubernetes.Interface
	Fence  leader.Fence
}

// RefusedError says that a pod cannot be bound any more as it was decided. It was not bound to the node.
type RefusedError struct {
	Pod, Node string
	Why       string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("Pod %s cannot be bound to node %s: %s", e.Pod, e.Node, e.Why)
}

// The pauses between attempts, and how long one may take.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 5 * time.Second
	attempt    = 10 * time.Second
)

// What a binding may take that the API server does not accept, such as for an admission webhook that fails. Other pods wait for its place.
const (
	mostAttempts = 5
	patience     = 30 * time.Second // of all attempts, without the pauses and reads between them
)

// Bind binds a pod to a node, and tries again for as long as the outcome is not known and the context lasts. The error is a *RefusedError,
// or that of the context: then the pod may be bound or not. An API server that answers reads and accepts no binding of the pod refuses it.
func (b *Binder) Bind(ctx context.Context, pod *corev1.Pod, node string) error {
	version, attempts, spent := pod.ResourceVersion, 0, time.Duration(0)
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		start := time.Now()
		err := b.ask(ctx, pod, version, node)
		spent += time.Since(start)
		switch {
		case err == nil:
			return nil
		case apierrors.IsNotFound(err), apierrors.IsForbidden(err), apierrors.IsInvalid(err), apierrors.IsBadRequest(err):
			return refused(pod, node, err.Error())
		}
		current, gone := b.read(ctx, pod, node)
		switch {
		case gone != nil:
			return gone
		case current.UID == pod.UID && current.Spec.NodeName == node:
			return nil
		}
		if why := changed(pod, current); why != "" {
			return refused(pod, node, why)
		}
		if version != current.ResourceVersion && apierrors.IsConflict(err) {
			version = current.ResourceVersion
			continue
		}
		if attempts++; attempts >= mostAttempts || spent >= patience {
			return refused(pod, node, err.Error())
		}
		if !retry.Wait(ctx, pause) {
			return ctx.Err()
		}
		version = current.ResourceVersion
	}
}

// ask sends one binding.
func (b *Binder) ask(ctx context.Context, pod *corev1.Pod, version, node string) error {
	ctx, cancel, err := b.Fence(ctx, attempt)
	if err != nil {
		return err
	}
	defer cancel()
	binding := &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, ResourceVersion: version},
		Target:     corev1.ObjectReference{Kind: "Node", Name: node},
	}
	return b.Client.CoreV1().Pods(pod.Namespace).Bind(ctx, binding, metav1.CreateOptions{})
}

// read returns the pod as the API server has it now, once it answers. An API server that has just started forbids everything at first: that
// does not say whether the pod was bound.
func (b *Binder) read(ctx context.Context, pod *corev1.Pod, node string) (*corev1.Pod, error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		current, err := b.get(ctx, pod)
		switch {
		case err == nil:
			return current, nil
		case apierrors.IsNotFound(err):
			return nil, refused(pod, node, err.Error())
		}
		if !retry.Wait(ctx, pause) {
			return nil, ctx.Err()
		}
	}
}

func (b *Binder) get(ctx context.Context, pod *corev1.Pod) (*corev1.Pod, error) {
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	return b.Client.CoreV1().Pods(pod.Namespace).Get(ctx, pod.Name, metav1.GetOptions{})
}

// changed says why the binding that was decided for a pod does not hold for its present version; empty: it does.
func changed(pod, current *corev1.Pod) string {
	switch {
	case pod.UID != current.UID:
		return fmt.Sprintf("it has UID %s, expected %s", uid(current.UID), uid(pod.UID))
	case current.Spec.NodeName != "":
		return "it is on node " + current.Spec.NodeName
	case current.DeletionTimestamp != nil:
		return "it is being deleted"
	case !reflect.DeepEqual(pod.Spec, current.Spec):
		return "its spec has changed"
	}
	return ""
}

func uid(u types.UID) string {
	if u == "" {
		return "none"
	}
	return string(u)
}

func refused(pod *corev1.Pod, node, why string) error {
	return &RefusedError{pod.Namespace + "/" + pod.Name, node, why}
}
