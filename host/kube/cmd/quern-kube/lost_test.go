package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

func (w *world) unready(ctx context.Context, node string) error {
	return w.lose(ctx, node, corev1.ConditionFalse, corev1.TaintNodeNotReady)
}

func (w *world) unreachable(ctx context.Context, node string) error {
	return w.lose(ctx, node, corev1.ConditionUnknown, corev1.TaintNodeUnreachable)
}

// lose has a node be lost, and waits until the control plane keeps pods away from it.
func (w *world) lose(ctx context.Context, node string, ready corev1.ConditionStatus, taint string) error {
	if err := w.plane.LoseNode(ctx, node, ready); err != nil {
		return err
	}
	return eventually(ctx, soon, func() error {
		taints, err := w.taints(ctx, node)
		if err == nil && !taints[corev1.Taint{Key: taint, Effect: corev1.TaintEffectNoSchedule}] {
			err = fmt.Errorf("node %s is lost, and has the taints %v", node, taints)
		}
		return err
	})
}

// back has a lost node be there again, and waits until the control plane lets pods onto it.
func (w *world) back(ctx context.Context, node string) error {
	if err := w.plane.FindNode(ctx, node); err != nil {
		return err
	}
	return eventually(ctx, soon, func() error {
		taints, err := w.taints(ctx, node)
		if err == nil && len(taints) > 0 {
			err = fmt.Errorf("node %s is back, and has the taints %v", node, taints)
		}
		return err
	})
}

// taints are those of a node, without their times.
func (w *world) taints(ctx context.Context, name string) (map[corev1.Taint]bool, error) {
	node, err := w.client.CoreV1().Nodes().Get(ctx, name, getNow)
	if err != nil {
		return nil, err
	}
	all := map[corev1.Taint]bool{}
	for _, t := range node.Spec.Taints {
		all[corev1.Taint{Key: t.Key, Effect: t.Effect}] = true
	}
	return all, nil
}
