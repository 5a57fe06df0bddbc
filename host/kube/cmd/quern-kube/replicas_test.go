package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// start starts a replica, and waits until its health is served there.
func (w *world) start(ctx context.Context, flags ...string) error {
	w.started++
	health := w.plane.freeAddress()
	p := w.plane.program(fmt.Sprint("quern-", w.started), append([]string{"kube", "--kubeconfig", w.kubeconfig, "--config", w.queues(),
		"--http", "127.0.0.1:0", "--grpc", "127.0.0.1:0", "--health", health}, flags...)...)
	w.replicas = append(w.replicas, p)
	if err := p.Start(ctx); err != nil {
		return err
	}
	return eventually(ctx, soon, func() error { return healthy(ctx, health) })
}

// healthy asks whether a replica serves its health.
func healthy(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/healthz", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("/healthz is answered with %s", answer.Status)
	}
	return nil
}

func (w *world) run(ctx context.Context) error { return w.start(ctx, "--leader-elect=false") }

func (w *world) leads(ctx context.Context, seconds int) error {
	if err := w.start(ctx, "--lease-duration", fmt.Sprintf("%ds", seconds)); err != nil {
		return err
	}
	return eventually(ctx, soon, func() error { return w.held(ctx) })
}

// held reports whether somebody holds the lease.
func (w *world) held(ctx context.Context) error {
	lease, err := w.client.CoordinationV1().Leases("kube-system").Get(ctx, "quern", getNow)
	if err == nil && (lease.Spec.HolderIdentity == nil || *lease.Spec.HolderIdentity == "") {
		err = errors.New("nobody holds the lease")
	}
	return err
}

func (w *world) standsBy(ctx context.Context) error { return w.start(ctx, "--lease-duration", "3s") }

func (w *world) killLeader() error { return w.replicas[0].Kill() }

// kill ends all replicas as `kill -9` does.
func (w *world) kill() (err error) {
	for _, p := range w.replicas {
		err = errors.Join(err, p.Kill())
	}
	return err
}
