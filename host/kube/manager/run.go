package manager

import (
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

// run is one time in which this replica leads. It wires what reconciles the cluster with the scheduler, and is used by one goroutine.
type run struct {
	*Manager
	session *session
	writes  *writer

	nodes       *nodes
	pods        *pods
	apps        *apps
	reconciler  *reconciler
	bindings    *bindings
	evictions   *evictions
	failures    *failures
	groupStatus *groupStatus
	protection  *protections
	conditions  *conditions
}

// end waits until nothing runs beside the loop any more. The context has ended.
func (r *run) end() {
	r.session.close()
	r.bindings.jobs.wait()
	r.writes.jobs.wait()
}

// begin removes all nodes and applications from the scheduler, and queues all nodes, pods and budgets to be submitted.
func (r *run) begin() error {
	if err := r.session.wipe(); err != nil {
		return err
	}
	r.apps.before = r.apps.view.succeededBefore()
	r.inbox.begin() // what is there is of a run before, or of objects that are looked at now anyway
	if err := r.session.follow(); err != nil {
		return err
	}
	time.AfterFunc(idle, func() {
		if r.session.ctx.Err() == nil { // the inbox serves later runs, too
			r.inbox.put(func(m *mail) { m.idle = true })
		}
	})
	r.inbox.put(func(m *mail) {
		for _, name := range r.cluster.nodes.ListKeys() {
			m.nodes[name] = true
		}
		for _, key := range r.cluster.pods.ListKeys() {
			m.pods[key] = true
		}
		for _, namespace := range r.cluster.budgets.ListIndexFuncValues(cache.NamespaceIndex) {
			m.budgets[namespace] = true
		}
	})
	return nil
}

// The pauses of the loop.
const (
	noteEvery  = 250 * time.Millisecond // a few pods are looked at, to say why they wait
	sweepEvery = time.Minute            // attributes that no ask needs are taken from nodes
)

// loop goes on until the context ends, or nothing can be decided any more.
func (r *run) loop() error {
	note, sweep := time.NewTicker(noteEvery), time.NewTicker(sweepEvery)
	defer note.Stop()
	defer sweep.Stop()
	for {
		r.turns()
		select {
		case <-r.session.ctx.Done():
			return nil
		case <-r.inbox.wake:
			if err := r.step(); err != nil {
				return err
			}
		case <-note.C:
			r.conditions.events.tick()
			r.conditions.explainSome(r.bindings.jobs.busy(sending))
		case <-sweep.C:
			r.nodes.sweep()
			r.protection.relax()
			if err := r.submit(); err != nil {
				return err
			}
		}
	}
}

// step processes the mail that has gathered, and submits the resulting inputs.
func (r *run) step() error {
	all := r.inbox.take()
	if all.failure != nil {
		return all.failure
	}
	for i := range turn {
		turn[i].do(r, &all)
	}
	return r.submit()
}

// submit submits the batch.
func (r *run) submit() error { return r.session.submit(r.submitted, r.refused) }

// succeeded remembers, for this turn, which pods had succeeded when they were deleted. Once idle is over, what had succeeded before the run counts no
// more.
func (r *run) succeeded(done map[types.UID]bool, idle bool) {
	if r.pods.succeeded = done; idle {
		r.apps.before = nil
	}
}
