package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var getNow = metav1.GetOptions{}

func (w *world) pod(ctx context.Context, key string) (*corev1.Pod, error) {
	namespace, name := split(key)
	return w.client.CoreV1().Pods(namespace).Get(ctx, name, getNow)
}

func (w *world) podIsOn(ctx context.Context, key, node string) error {
	return w.podsAreOnWithin(ctx, []string{key}, node, soon)
}

func (w *world) podIsOnANode(ctx context.Context, key string) error {
	return w.podsAreOnWithin(ctx, []string{key}, "", soon)
}

func (w *world) podIsOnWithin(ctx context.Context, key, node string, seconds int) error {
	return w.podsAreOnWithin(ctx, []string{key}, node, time.Duration(seconds)*time.Second)
}

func (w *world) podsAreOn(ctx context.Context, keys, node string) error {
	return w.podsAreOnWithin(ctx, strings.Split(keys, ", "), node, soon)
}

// podsAreOnWithin waits until pods are on a node; an empty name stands for any.
func (w *world) podsAreOnWithin(ctx context.Context, keys []string, node string, within time.Duration) error {
	return eventually(ctx, within, func() error {
		for _, key := range keys {
			pod, err := w.pod(ctx, key)
			if err != nil {
				return err
			}
			if on := pod.Spec.NodeName; on == "" || node != "" && on != node {
				return fmt.Errorf("pod %s: expected it on node %s, found it on %q; %s", key, node, on, said(pod))
			}
		}
		return nil
	})
}

// oneOfIsOn waits until one of two pods is on a node, and notes the other.
func (w *world) oneOfIsOn(ctx context.Context, keys, node string) error {
	two := strings.Split(keys, ", ")
	return eventually(ctx, soon, func() error {
		var placed []string
		for _, key := range two {
			pod, err := w.pod(ctx, key)
			if err != nil {
				return err
			}
			if pod.Spec.NodeName == node {
				placed = append(placed, key)
			}
		}
		if len(placed) != 1 {
			return fmt.Errorf("expected one pod on node %s, found %v", node, placed)
		}
		w.other = two[1-slices.Index(two, placed[0])]
		return nil
	})
}

// labelled are the pods with a label.
func (w *world) labelled(ctx context.Context, label string) ([]corev1.Pod, error) {
	list, err := w.client.CoreV1().Pods(metav1.NamespaceDefault).List(ctx, metav1.ListOptions{LabelSelector: label})
	if err != nil {
		return nil, err
	}
	return list.Items, nil
}

// labelledAreOn waits until a number of pods with a label are on nodes, and notes one that is not.
func (w *world) labelledAreOn(ctx context.Context, count int, label, where string) error {
	return eventually(ctx, soon, func() error {
		pods, err := w.labelled(ctx, label)
		if err != nil {
			return err
		}
		placed, on := 0, map[string]bool{}
		for i := range pods {
			switch node := pods[i].Spec.NodeName; {
			case node == "":
				w.other = pods[i].Name
			case !strings.HasPrefix(where, "node ") || where == "node "+node:
				placed++
				on[node] = true
			}
		}
		if placed != count || where == "different nodes" && len(on) != count {
			return fmt.Errorf("expected %d pods on %s, found %d of %d, on %v", count, where, placed, len(pods), on)
		}
		return nil
	})
}

func (w *world) labelledWait(ctx context.Context, count int, label, reason, text string) error {
	return eventually(ctx, soon, func() error {
		pods, err := w.labelled(ctx, label)
		if err != nil {
			return err
		}
		if len(pods) != count {
			return fmt.Errorf("expected %d pods with label %s, found %d", count, label, len(pods))
		}
		for i := range pods {
			if err := waitsFor(&pods[i], reason, text); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *world) podWaits(ctx context.Context, key, reason, text string) error {
	return eventually(ctx, soon, func() error {
		pod, err := w.pod(ctx, key)
		if err != nil {
			return err
		}
		return waitsFor(pod, reason, text)
	})
}

// podWaitsFirst checks what the message of a pod that waits begins with.
func (w *world) podWaitsFirst(ctx context.Context, key, reason, text string) error {
	if err := w.podWaits(ctx, key, reason, text); err != nil {
		return err
	}
	message, err := w.message(ctx, key)
	if err == nil && !strings.HasPrefix(message, text) {
		err = fmt.Errorf("pod %s: expected a message that begins with %q, found %q", key, text, message)
	}
	return err
}

// leavesOut checks that the message of a pod that waits does not contain a text.
func (w *world) leavesOut(ctx context.Context, key, text string) error {
	message, err := w.message(ctx, key)
	if err == nil && (message == "" || strings.Contains(message, text)) {
		err = fmt.Errorf("pod %s: expected a message without %q, found %q", key, text, message)
	}
	return err
}

// message is what the condition of a pod says of why it has no node.
func (w *world) message(ctx context.Context, key string) (string, error) {
	pod, err := w.pod(ctx, key)
	if err != nil {
		return "", err
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse {
			return c.Message, nil
		}
	}
	return "", nil
}

func (w *world) otherWaits(ctx context.Context, reason, text string) error {
	return w.podWaits(ctx, w.other, reason, text)
}

// waitsFor checks that a pod has no node, and what its condition says of that.
func waitsFor(pod *corev1.Pod, reason, text string) error {
	if pod.Spec.NodeName != "" {
		return fmt.Errorf("pod %s: expected it to wait, found it on node %s", pod.Name, pod.Spec.NodeName)
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse && c.Reason == reason && strings.Contains(c.Message, text) {
			return nil
		}
	}
	return fmt.Errorf("pod %s: expected it to wait as %s: …%s…; %s", pod.Name, reason, text, said(pod))
}

// said is what the conditions of a pod say.
func said(pod *corev1.Pod) string {
	var all []string
	for _, c := range pod.Status.Conditions {
		all = append(all, fmt.Sprintf("%s %s %s: %s", c.Type, c.Status, c.Reason, c.Message))
	}
	return "its conditions are " + strings.Join(all, "; ")
}

func (w *world) eventsTell(ctx context.Context, key, reason, text string) error {
	namespace, name := split(key)
	return eventually(ctx, soon, func() error {
		list, err := w.client.EventsV1().Events(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		var found []string
		for i := range list.Items {
			e := &list.Items[i]
			if e.Regarding.Name != name {
				continue
			}
			if e.Reason == reason && strings.Contains(e.Note, text) {
				return nil
			}
			found = append(found, e.Reason+": "+e.Note)
		}
		return fmt.Errorf("pod %s: expected an event %s: …%s…, found %q", key, reason, text, found)
	})
}

// isPreempted waits until a pod was told to end, and has ended. Where it has ended before it could be seen, an event tells.
func (w *world) isPreempted(ctx context.Context, key, text string) error {
	if err := w.eventsTell(ctx, key, "Preempted", text); err != nil {
		return err
	}
	return eventually(ctx, soon, func() error {
		pod, err := w.pod(ctx, key)
		if apierrors.IsNotFound(err) {
			return nil
		}
		if err == nil {
			err = fmt.Errorf("pod %s is still there; %s", key, said(pod))
		}
		return err
	})
}
