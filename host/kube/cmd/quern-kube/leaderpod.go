package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

// leaderLabel is on the pod of the replica that schedules, so that a Service leads there: the others serve no interface but that for their health.
const leaderLabel = "quern/leads"

// leaderPod keeps the label of a replica's own pod.
type leaderPod struct {
	client          kubernetes.Interface
	namespace, name string
	log             *slog.Logger
}

// unmarkWithin bounds how long a replica that ends waits for the API server to remove its label.
const unmarkWithin = 2 * time.Second

// lead has the pod labelled while serve runs. Without the label, the replica still schedules.
func (p *leaderPod) lead(ctx context.Context, serve func(context.Context) error) error {
	p.mark(ctx, "true")
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unmarkWithin)
		defer cancel()
		p.mark(ctx, nil)
	}()
	return serve(ctx)
}

// mark sets the label; nil removes it.
func (p *leaderPod) mark(ctx context.Context, value any) {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": map[string]any{leaderLabel: value}}})
	if err == nil {
		_, err = p.client.CoreV1().Pods(p.namespace).Patch(ctx, p.name, types.MergePatchType, patch, metav1.PatchOptions{})
	}
	if err != nil {
		p.log.Warn("the label of the leading pod could not be written", "pod", p.namespace+"/"+p.name, "label", fmt.Sprintf("%s=%v", leaderLabel, value), "error", err)
	}
}
