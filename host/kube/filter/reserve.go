package filter

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/translate"
)

// reservation is what plugins keep for a pod that is placed and not yet bound.
type reservation struct {
	pod   *corev1.Pod // with the node as its own, as plugins expect it
	node  string
	state fwk.CycleState
	err   error // why they could not; then nothing is kept
	bound bool  // PreBind has begun
	busy  bool  // PreBind is under way: what the plugins keep is theirs until it has returned
	left  bool  // it was let go meanwhile
}

// begin forgets what the scheduler before has placed: the next one says all again.
func (f *Filters) begin() {
	for key := range f.reserved {
		f.unreserve(key)
	}
	f.cluster.untry()
}

// placed takes in what the scheduler has placed. Volumes and devices are reserved at once, since the next pod of the cycle may want them.
func (f *Filters) placed(p *core.Placed) {
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.cluster.pods[p.Ask]
	if p.Ended {
		f.unreserve(p.Ask)
		f.cluster.tryPod(p.Ask, "")
		return
	}
	if known != nil && known.current != nil && known.current.Spec.NodeName == "" && f.predicates[p.Ask] != "" && needsReserving(known.current) {
		f.reserve(p.Ask, known.current, p.Node)
	}
	f.cluster.tryPod(p.Ask, p.Node)
}

// needsReserving reports whether a pod may get volumes or devices when it is placed.
func needsReserving(pod *corev1.Pod) bool {
	return len(pod.Spec.ResourceClaims) > 0 || slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool {
		return v.PersistentVolumeClaim != nil || v.Ephemeral != nil
	}) || len(extended(&pod.Spec)) > 0
}

// reserve keeps for a pod what it gets on a node, unless it is kept already.
func (f *Filters) reserve(key string, pod *corev1.Pod, node string) *reservation {
	if r := f.reserved[key]; r != nil && r.node == node && r.pod.UID == pod.UID {
		return r
	}
	f.unreserve(key)
	ctx := klog.NewContext(context.Background(), f.log)
	r := &reservation{pod: placedOn(pod, node), node: node}
	f.reserved[key] = r
	j, err := f.prepare(ctx, pod)
	if err != nil {
		r.err = err
		return r
	}
	switch against, err := j.on(ctx, f, pod, node); {
	case err != nil:
		r.err = err
	case against != nil:
		r.err = errors.New(sentence(against))
	default:
		if status := f.framework.RunReservePluginsReserve(ctx, j.state, r.pod, node); !status.IsSuccess() {
			f.framework.RunReservePluginsUnreserve(ctx, j.state, r.pod, node)
			r.err = status.AsError()
		} else {
			r.state = j.state
		}
	}
	f.cluster.changed() // what is left for others is not what it was
	return r
}

// unreserve lets go what is kept for a pod.
func (f *Filters) unreserve(key string) {
	r := f.reserved[key]
	if r == nil {
		return
	}
	delete(f.reserved, key)
	switch {
	case r.state == nil:
		return
	case r.busy:
		r.left = true
	case r.bound: // the API server may have to be told, which the scheduler does not wait for
		go func() { f.undo(r); f.noteStale() }()
	default:
		f.undo(r)
	}
	f.cluster.changed()
}

// undo has the plugins keep nothing for a pod any more.
func (f *Filters) undo(r *reservation) {
	f.framework.RunReservePluginsUnreserve(klog.NewContext(context.Background(), f.log), r.state, r.pod, r.node)
}

// prebound notes that PreBind has returned, and undoes what was let go meanwhile.
func (f *Filters) prebound(r *reservation) {
	f.mu.Lock()
	r.busy = false
	left := r.left
	f.mu.Unlock()
	if left {
		f.undo(r)
		f.noteStale()
	}
}

// Reserve makes sure that volumes and devices are kept for a pod that the scheduler has placed. An error says why the pod cannot be bound
// there.
func (f *Filters) Reserve(_ context.Context, pod *corev1.Pod, node string) error {
	if !needsReserving(pod) {
		return nil
	}
	key := translate.Key(pod)
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.reserved[key]; r == nil {
		f.cluster.tryPod(key, "") // the plugins judge a pod that has no node yet
	}
	r := f.reserve(key, pod, node)
	f.cluster.tryPod(key, node)
	if r.err != nil {
		return fmt.Errorf("pod %s on node %q: volumes and devices: %w", key, node, r.err)
	}
	return nil
}

// PreBind binds the volumes and devices that are reserved for a pod, and waits until they are. After an error nothing is reserved.
func (f *Filters) PreBind(ctx context.Context, pod *corev1.Pod, node string) error {
	if !needsReserving(pod) {
		return nil
	}
	key := translate.Key(pod)
	f.mu.Lock()
	r := f.reserved[key]
	kept := r != nil && r.node == node && r.pod.UID == pod.UID && r.state != nil
	if kept {
		r.bound, r.busy = true, true
	}
	f.mu.Unlock()
	if !kept {
		return fmt.Errorf("pod %s on node %q: volumes and devices: expected a reservation, found none", key, node)
	}
	defer f.prebound(r)
	ctx = klog.NewContext(ctx, f.log)
	status := f.framework.RunPreBindPreFlights(ctx, r.state, r.pod, node)
	if status.IsSkip() {
		return nil
	}
	if status.IsSuccess() {
		status = f.framework.RunPreBindPlugins(ctx, r.state, r.pod, node)
	}
	if status.IsSuccess() {
		return nil
	}
	f.Unreserve(pod, node)
	return fmt.Errorf("pod %s on node %q: volumes and devices: %w", key, node, status.AsError())
}

// Unreserve lets go what is reserved for a pod on a node: it will not be bound there. What is reserved for a later pod of its name stays.
func (f *Filters) Unreserve(pod *corev1.Pod, node string) {
	key := translate.Key(pod)
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.reserved[key]; r != nil && r.node == node && r.pod.UID == pod.UID {
		f.unreserve(key)
	}
}
