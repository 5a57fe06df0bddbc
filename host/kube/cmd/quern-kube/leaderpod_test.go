package main

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
)

func TestLeaderPod_LabelledWhileItServes(t *testing.T) {
	stale := map[string]string{leaderLabel: "true", "a": "b"}
	client := fake.NewClientset(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "quern", Name: "quern-1", Labels: stale}})
	label := func() string {
		pod, err := client.CoreV1().Pods("quern").Get(t.Context(), "quern-1", metav1.GetOptions{})
		if err != nil || pod.Labels["a"] != "b" {
			t.Fatal(pod, err)
		}
		return pod.Labels[leaderLabel]
	}
	p := &leaderPod{client: client, namespace: "quern", name: "quern-1", log: slog.New(slog.DiscardHandler)}
	p.mark(t.Context(), nil)
	if label() != "" {
		t.Error("the label of an earlier process is still there")
	}
	failure := errors.New("lost")
	ctx, cancel := context.WithCancel(t.Context())
	err := p.lead(ctx, func(context.Context) error {
		if label() != "true" {
			t.Error("the pod has no label while it serves")
		}
		cancel()
		return failure
	})
	if !errors.Is(err, failure) || label() != "" {
		t.Errorf("%v, and the label is %q", err, label())
	}
	gone := &leaderPod{client: client, namespace: "quern", name: "none", log: p.log}
	if err := gone.lead(t.Context(), func(context.Context) error { return nil }); err != nil {
		t.Errorf("a pod that is not there: %v", err)
	}
}
