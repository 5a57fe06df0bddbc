package manager

import (
	"context"
	"time"

	"github.com/quern-project/quern/host/server"
)

// newRun makes a run with a scheduler.
func newRun(ctx context.Context, m *Manager, live *server.Server) *run {
	return wire(m, &session{ctx: ctx, live: live, source: live.Source(), inbox: m.inbox, batch: &batch{}, log: m.o.Log, turns: m.turns})
}

// wire wires a run. No reconciler knows one that is wired after it, but for the nodes, which read the pods on them.
func wire(m *Manager, s *session) *run {
	o, b := &m.o, s.batch
	r := &run{Manager: m, session: s}
	r.writes = &writer{ctx: s.ctx, jobs: newJobs(writesAtOnce, evictionsAtOnce, groupsAtOnce), status: &m.status, groups: &m.ofGroup, inbox: m.inbox, log: o.Log}
	events := newEvents(r.writes.event)
	view := &clusterView{cluster: &m.cluster, settings: &o.Settings, repelling: newRepelling(), devices: newDevices()}
	headroom := &headroom{}

	r.nodes = &nodes{source: &m.cluster, settings: &o.Settings, filters: o.Filters, send: b.add, log: o.Log,
		later: func(name string, in time.Duration) { time.AfterFunc(in, func() { m.inbox.node(name) }) },
		known: map[string]*node{}, stale: map[string]bool{}, devices: view.devices}
	r.pods = &pods{view: view, nodes: r.nodes, filters: o.Filters, headroom: headroom, batch: b, log: o.Log, byKey: map[string]*pod{}}
	r.nodes.pods = r.pods
	r.apps = newApps(view, r.pods, &placeholders{nodes: r.nodes, filters: o.Filters, batch: b, byID: map[string]*placeholder{}}, &events, m.inbox)
	r.protection = newProtections(view, r.pods, r.apps, b)
	r.wirePods(&events, headroom)
	return r
}

// wirePods wires what becomes of pods.
func (r *run) wirePods(events *events, headroom *headroom) {
	ctx, view, m, o := r.session.ctx, r.pods.view, r.Manager, &r.o
	reasons := &reasons{live: r.session.live, pods: r.pods, nodes: r.nodes, headroom: headroom, budgets: r.protection.budgets}
	r.groupStatus = &groupStatus{ctx: ctx, status: view.statusOf, above: view.aboveOf, waits: r.pods.waitingPod, write: r.writes.group, log: o.Log, states: map[groupID]*groupState{},
		later: func(id groupID) {
			time.AfterFunc(groupRetry, func() { m.inbox.put(func(all *mail) { all.scheduled[id] = true }) })
		}}
	r.conditions = &conditions{pods: r.pods, why: reasons.of, write: r.writes.condition, group: r.groupStatus.waiting, events: events}
	r.bindings = &bindings{ctx: ctx, jobs: newJobs(o.Binds, preparedAtOnce), binder: &m.binder, filters: o.Filters, pods: r.pods, events: events, inbox: m.inbox, log: o.Log}
	r.evictions = &evictions{ctx: ctx, view: view, pods: r.pods, protection: r.protection, writes: r.writes, events: events, inbox: m.inbox, log: o.Log}
	r.failures = &failures{ctx: ctx, pods: r.pods, write: r.writes.fail, later: m.inbox.podLater, log: o.Log}
	r.reconciler = &reconciler{view: view, pods: r.pods, apps: r.apps, nodes: r.nodes, protection: r.protection, conditions: r.conditions, groupStatus: r.groupStatus, writes: r.writes, events: events, batch: r.session.batch,
		predicates: &predicates{view: view, pods: r.pods, filters: o.Filters, batch: r.session.batch},
		deletions:  &deletions{view: view, pods: r.pods, overdue: o.overdue, later: m.inbox.podLater, room: r.nodes.occupancyChanged, batch: r.session.batch, log: o.Log},
		obstacles:  &obstacles{view: view, apps: r.apps, failures: r.failures, filters: o.Filters, lone: o.LoneMembers, later: m.inbox.podLater, events: events, log: o.Log}}
}
