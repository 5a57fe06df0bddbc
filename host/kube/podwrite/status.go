package podwrite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/quern-project/quern/host/kube/leader"
)

// Status writes the status of pods. Its methods may be called concurrently. They try once; a pod that is gone is no error.
type Status struct {
	Client     kubernetes.Interface
	Controller string       // that events are reported by, such as the name of the scheduler
	Instance   string       // of the controller
	Fence      leader.Fence // of all writes but events
	Now        func() time.Time
}

// timeout bounds a write.
const timeout = 10 * time.Second

// statusPatch is a strategic merge patch; conditions are merged by their types.
type statusPatch struct {
	Metadata metadata `json:"metadata"`
	Status   status   `json:"status"`
}

type metadata struct {
	UID     types.UID `json:"uid"`
	Version string    `json:"resourceVersion,omitempty"` // empty: any
}

type status struct {
	Conditions []corev1.PodCondition `json:"conditions,omitempty"`
	Nominated  *string               `json:"nominatedNodeName,omitempty"`
	Phase      corev1.PodPhase       `json:"phase,omitempty"`
	Reason     string                `json:"reason,omitempty"`
	Message    string                `json:"message,omitempty"`
}

// ErrStale says that a pod has changed, or is gone: nothing was written.
var ErrStale = errors.New("the pod has changed meanwhile")

// SetCondition sets a condition of a pod as long as it has the given version, and reports whether it has written: the pod may have the
// condition as it is to be. The error is ErrStale for another version, so that nothing is said of a pod that is bound meanwhile.
func (w *Status) SetCondition(ctx context.Context, pod *corev1.Pod, c corev1.PodCondition) (written bool, err error) {
	if !w.transit(pod, &c) {
		return false, nil
	}
	err = w.patch(ctx, pod, pod.ResourceVersion, status{Conditions: []corev1.PodCondition{c}})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		err = ErrStale
	}
	return err == nil, err
}

// transit fills in the time of a condition's transition, and reports whether the pod does not have the condition as it is to be.
func (w *Status) transit(pod *corev1.Pod, c *corev1.PodCondition) bool {
	c.LastTransitionTime = metav1.NewTime(w.Now())
	for i := range pod.Status.Conditions {
		was := &pod.Status.Conditions[i]
		if was.Type != c.Type {
			continue
		}
		if was.Status == c.Status && was.Reason == c.Reason && was.Message == c.Message {
			return false
		}
		if was.Status == c.Status {
			c.LastTransitionTime = was.LastTransitionTime
		}
	}
	return true
}

// Nominate notes the node that is kept for a pod; empty: none is any more.
func (w *Status) Nominate(ctx context.Context, pod *corev1.Pod, node string) error {
	return unlessGone(w.patch(ctx, pod, "", status{Nominated: &node}))
}

// Fail ends a pod that has no node, and says why, as long as it has the given version: it may be bound meanwhile, which is ErrStale. What
// controls it sees a pod that has failed.
func (w *Status) Fail(ctx context.Context, pod *corev1.Pod, reason, message string) error {
	err := w.patch(ctx, pod, pod.ResourceVersion, status{Phase: corev1.PodFailed, Reason: reason, Message: message})
	if apierrors.IsConflict(err) {
		return ErrStale
	}
	return unlessGone(err)
}

// patch changes the status of a pod that has a version; empty: any.
func (w *Status) patch(ctx context.Context, pod *corev1.Pod, version string, s status) error {
	text, err := json.Marshal(statusPatch{metadata{pod.UID, version}, s})
	if err != nil {
		return err
	}
	ctx, cancel, err := w.Fence(ctx, timeout)
	if err != nil {
		return err
	}
	defer cancel()
	_, err = w.Client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.StrategicMergePatchType, text, metav1.PatchOptions{}, "status")
	return err
}

// Evict writes a reason into the condition DisruptionTarget, and then deletes the pod with its own grace period. The pod ends later than this call.
// The error is ErrStale if the API server has another pod of this name, or if the pod is changing.
func (w *Status) Evict(ctx context.Context, pod *corev1.Pod, reason, message string) error {
	c := corev1.PodCondition{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: reason, Message: message, ObservedGeneration: pod.Generation}
	if w.transit(pod, &c) { // whatever else changes of a pod that runs
		if err := w.patch(ctx, pod, "", status{Conditions: []corev1.PodCondition{c}}); unlessGone(err) != nil {
			return err
		}
	}
	ctx, cancel, err := w.Fence(ctx, timeout)
	if err != nil {
		return err
	}
	defer cancel()
	err = w.Client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &pod.UID}})
	if apierrors.IsConflict(err) {
		return ErrStale
	}
	return unlessGone(err)
}

// unlessGone drops the errors that say that a pod is gone, or another one has its name.
func unlessGone(err error) error {
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil
	}
	return err
}

// longestNote is what the API server takes of an event's text, in bytes.
const longestNote = 1024

// Event reports an event of a pod. The type is corev1.EventTypeNormal or corev1.EventTypeWarning.
func (w *Status) Event(ctx context.Context, pod *corev1.Pod, typ, reason, action, note string) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	now := w.Now()
	e := &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: fmt.Sprintf("%s.%x", strings.TrimRight(pod.Name[:min(len(pod.Name), 200)], "-."), now.UnixNano())},
		EventTime:  metav1.NewMicroTime(now), ReportingController: w.Controller, ReportingInstance: w.Instance,
		Type: typ, Reason: reason, Action: action, Note: shortened(note, longestNote),
		Regarding: corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, ResourceVersion: pod.ResourceVersion},
	}
	_, err := w.Client.EventsV1().Events(pod.Namespace).Create(ctx, e, metav1.CreateOptions{})
	return unlessGone(err)
}

// shortened cuts a text off in front of a character, so that it has a number of bytes at most.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	const more = "…"
	end := most - len(more)
	for end > 0 && text[end]&0xc0 == 0x80 { // inside of a character
		end--
	}
	return text[:end] + more
}
