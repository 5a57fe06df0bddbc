package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/cucumber/godog"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// jobSteps are those of Jobs whose pods end as a scenario says: kwok leaves pods alone that have the label clustertest.quern/lost.
func (w *world) jobSteps(s *godog.ScenarioContext) {
	s.Step(`^(\d+) pods? with label (\S+) runs?$`, w.labelledRun)
	s.Step(`^(\d+) pods? with label (\S+) (succeed|fail)s?$`, w.labelledEnd)
	s.Step(`^(\d+) pods? with label (\S+) (?:has|have) failed: (\S+)$`, w.labelledFailed)
	s.Step(`^job (\S+) makes (\d+) pods? at once$`, w.setParallelism)
	s.Step(`^job (\S+) is complete$`, w.jobIsComplete)
}

// going are pods that have a node and have not ended.
func going(pods []corev1.Pod) []corev1.Pod {
	return slices.DeleteFunc(slices.Clone(pods), func(p corev1.Pod) bool {
		return p.Spec.NodeName == "" || p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
	})
}

// labelledRun waits until exactly so many pods with a label are on nodes and have not ended.
func (w *world) labelledRun(ctx context.Context, count int, label string) error {
	return eventually(ctx, soon, func() error {
		pods, err := w.labelled(ctx, label)
		if err == nil && len(going(pods)) != count {
			err = fmt.Errorf("expected %d pods that run, found %d of %d", count, len(going(pods)), len(pods))
			for i := range pods {
				err = fmt.Errorf("%w; %s: %s", err, pods[i].Name, said(&pods[i]))
			}
		}
		return err
	})
}

// labelledEnd has some pods with a label end, as their kubelet does.
func (w *world) labelledEnd(ctx context.Context, count int, label, how string) error {
	pods, err := w.labelled(ctx, label)
	if err != nil {
		return err
	}
	list := going(pods)
	if len(list) < count {
		return fmt.Errorf("expected at least %d pods that run, found %d", count, len(list))
	}
	phase := map[string]corev1.PodPhase{"succeed": corev1.PodSucceeded, "fail": corev1.PodFailed}[how]
	patch := fmt.Appendf(nil, `{"status":{"phase":%q}}`, phase)
	for i := range list[:count] {
		if _, err := w.client.CoreV1().Pods(list[i].Namespace).Patch(ctx, list[i].Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status"); err != nil {
			return err
		}
	}
	return nil
}

// labelledFailed waits until so many pods with a label have failed for a reason.
func (w *world) labelledFailed(ctx context.Context, count int, label, reason string) error {
	return eventually(ctx, soon, func() error {
		pods, err := w.labelled(ctx, label)
		if err != nil {
			return err
		}
		failed := 0
		for i := range pods {
			if s := pods[i].Status; s.Phase == corev1.PodFailed && s.Reason == reason && s.Message != "" {
				failed++
			}
		}
		if failed != count {
			return fmt.Errorf("expected %d pods that have failed for %s, found %d of %d", count, reason, failed, len(pods))
		}
		return nil
	})
}

func (w *world) setParallelism(ctx context.Context, name string, count int) error {
	_, err := w.client.BatchV1().Jobs(metav1.NamespaceDefault).Patch(ctx, name, types.StrategicMergePatchType, fmt.Appendf(nil, `{"spec":{"parallelism":%d}}`, count), metav1.PatchOptions{})
	return err
}

func (w *world) jobIsComplete(ctx context.Context, name string) error {
	return eventually(ctx, soon, func() error {
		job, err := w.client.BatchV1().Jobs(metav1.NamespaceDefault).Get(ctx, name, getNow)
		if err != nil {
			return err
		}
		for _, c := range job.Status.Conditions {
			if c.Type == batchv1.JobComplete && c.Status == corev1.ConditionTrue {
				return nil
			}
		}
		return fmt.Errorf("job %s: %+v", name, job.Status)
	})
}
