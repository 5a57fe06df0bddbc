package manager

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/disruption"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/translate"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/state"
)

// run is what one goroutine knows while this replica leads.
type run struct {
	*Manager
	live      *server.Server
	source    *server.Source
	log       *slog.Logger
	ctx       context.Context // ends with the run; jobs stop then
	binds     *jobs
	writes    writer
	following sync.WaitGroup // has the goroutine that follows decisions

	nodes        nodes
	pods         map[string]*pod
	apps         map[string]*app
	placeholders map[string]*placeholder
	empty        []*app                // applications that have lost their last pod
	before       map[string]doneBefore // by application: pods that had succeeded when the run began; dropped once the scheduler before would have dropped them
	saidUnserved bool                  // that pods name pod groups which the API server does not have
	done         map[types.UID]bool    // pods that had succeeded when they were deleted
	ending       int                   // pods in the state Ending

	budgets     *disruption.Budgets
	unprotected map[string]bool // pods of which it has to be looked at whether they ask not to be preempted

	selected   uint64 // by the filters, when names were last looked at
	repelling  repelling
	batch      batch
	headroom   headroom
	events     events
	conditions conditions
}

func newRun(ctx context.Context, m *Manager, live *server.Server) *run {
	r := &run{Manager: m, live: live, source: live.Source(), log: m.o.Log, ctx: ctx, binds: newJobs(m.o.Binds, preparedAtOnce),
		pods: map[string]*pod{}, apps: map[string]*app{}, placeholders: map[string]*placeholder{},
		unprotected: map[string]bool{}, repelling: newRepelling()}
	r.budgets = disruption.New(&m.cluster, func(key string) { r.unprotected[key] = true })
	r.nodes = nodes{source: &m.cluster, pods: r, settings: &m.o.Settings, filters: m.o.Filters, send: func(in core.Input) { r.batch.add(in) }, log: m.o.Log,
		later: func(name string, in time.Duration) { time.AfterFunc(in, func() { m.inbox.node(name) }) },
		known: map[string]*node{}, stale: map[string]bool{}, devices: newDevices()}
	r.writes = writer{ctx: ctx, jobs: newJobs(writesAtOnce, evictionsAtOnce), status: &m.status, inbox: m.inbox, log: m.o.Log}
	r.events = newEvents(r.writes.event)
	r.conditions = conditions{pods: r, why: r.whyWaiting, write: r.writes.condition, events: &r.events}
	return r
}

// end waits until nothing runs beside the loop any more. The context has ended.
func (r *run) end() {
	r.source.Close()
	r.following.Wait()
	r.binds.wait()
	r.writes.jobs.wait()
}

// begin drops what the scheduler knows, and has it told of everything that is there.
func (r *run) begin() error {
	if err := r.wipe(); err != nil {
		return err
	}
	decisions, err := r.live.FollowDecisions(r.live.View().NextDecision())
	if err != nil {
		return err
	}
	r.rememberSucceeded()
	r.inbox.begin() // what is there is of a run before, or of objects that are looked at now anyway
	r.following.Go(func() {
		err := followDecisions(r.ctx, decisions, r.inbox)
		if closed := decisions.Close(); err == nil {
			err = closed
		}
		if err != nil {
			r.inbox.put(func(m *mail) { m.failure = err })
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

// wipe removes the applications and nodes that a durable record has brought back: what the API server has counts.
func (r *run) wipe() error {
	var inputs []core.Input
	view := r.live.View()
	for a := range state.Each(view, (*scheduler.Scheduler).Apps, core.Where{}) {
		if !ended(a.State) {
			inputs = append(inputs, core.Input{Event: &core.RemoveApp{ID: a.ID}})
		}
	}
	for n := range state.Each(view, (*scheduler.Scheduler).Nodes, core.Where{}) {
		inputs = append(inputs, core.Input{Event: &core.RemoveNode{ID: n.ID}})
	}
	for chunk := range slices.Chunk(inputs, server.RequestInputs) {
		given, err := r.request(chunk)
		if err != nil {
			return err
		}
		if err := view.Await(r.ctx, given.Batch); err != nil {
			return err
		}
	}
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
		case <-r.ctx.Done():
			return nil
		case <-r.inbox.wake:
			if err := r.step(); err != nil {
				return err
			}
		case <-note.C:
			r.events.tick()
			r.conditions.explainSome(r.binds.busy(binding))
		case <-sweep.C:
			r.nodes.sweep()
			r.budgets.Relax()
			r.refreshProtection()
			if err := r.submit(); err != nil {
				return err
			}
		}
	}
}

// step takes what has gathered, and tells the scheduler what follows from it.
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

// inOrder sorts pods: those that hold or free room first, then those that wait, in the order of creation.
func (r *run) inOrder(keys map[string]bool) []string {
	type entry struct {
		key     string
		waits   bool
		created time.Time
	}
	list := make([]entry, 0, len(keys))
	for key := range keys {
		e := entry{key: key}
		if pod := r.cluster.Pod(key); pod != nil {
			e.waits, e.created = r.o.Settings.StageOf(pod) == translate.Waiting, pod.CreationTimestamp.Time
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b entry) int {
		switch {
		case a.waits != b.waits && b.waits:
			return -1
		case a.waits != b.waits:
			return 1
		}
		if c := a.created.Compare(b.created); c != 0 {
			return c
		}
		return cmp.Compare(a.key, b.key)
	})
	sorted := make([]string, len(list))
	for i := range list {
		sorted[i] = list[i].key
	}
	return sorted
}

// namespacesChanged has the pods of namespaces looked at that wait: they may belong to other applications. What a namespace says of its queue
// counts from the next application on.
func (r *run) namespacesChanged(names, pods map[string]bool) {
	for name := range names {
		for _, pod := range r.cluster.PodsIn(name) {
			if r.o.Settings.StageOf(pod) == translate.Waiting {
				pods[translate.Key(pod)] = true
			}
		}
	}
}

// context is what the translation of a pod needs besides it and its application.
func (r *run) context(pod *corev1.Pod) *translate.Context {
	c := &translate.Context{Namespace: r.cluster.namespace(pod.Namespace), Cluster: nodefit.Cluster{Repelling: r.repelling.near(pod.Namespace), Devices: r.nodes.devices.standing}}
	c.PodGroup = r.cluster.group(translate.PodGroupKey(pod))
	if pod.Spec.PriorityClassName != "" {
		c.Class = r.cluster.class(pod.Spec.PriorityClassName)
	}
	return c
}
