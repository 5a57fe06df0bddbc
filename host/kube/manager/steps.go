package manager

// step is one part of a turn of the loop. It may add pods to those that are looked at in this turn, as long as the step "pods" comes later.
type step struct {
	name  string
	reads []string // fields of mail
	after []string // steps whose effects it needs
	do    func(*run, *mail)
}

// turn is the order in which a turn of the loop works through what has gathered. Decisions and outcomes come first, since the looks that follow compare
// objects with what the scheduler has now. All steps that mark pods come before "pods". What pods change of nodes and budgets comes last.
var turn = [...]step{
	{"excessive sets of victims", []string{"decisions", "pods"}, nil,
		func(r *run, m *mail) { r.protection.undoExcessive(m.decisions, m.pods) }},
	{"decisions", []string{"decisions", "pods"}, []string{"excessive sets of victims"}, // a preemption that was undone must not evict
		func(r *run, m *mail) { r.decisionsMade(m.decisions, m.pods) }},
	{"bindings", []string{"outcomes", "pods"}, []string{"decisions"}, // the outcome of a binding that a decision has ended does not count
		func(r *run, m *mail) { r.bindings.ended(m.outcomes, m.pods) }},
	{"conditions", []string{"written"}, []string{"decisions", "bindings"}, // no event says that a pod waits which has been placed
		func(r *run, m *mail) { r.conditions.written(m.written) }},
	{"evictions", []string{"attempts", "evictions", "pods"}, []string{"decisions"},
		func(r *run, m *mail) {
			r.evictions.tried(m.attempts, m.pods)
			r.evictions.again(m.evictions)
		}},
	{"refused applications", []string{"apps", "pods"}, []string{"decisions"}, // which may refuse them again
		func(r *run, m *mail) { r.apps.readmit(m.apps, m.pods) }},
	{"namespaces", []string{"namespaces", "pods"}, nil,
		func(r *run, m *mail) { r.pods.namespacesChanged(m.namespaces, m.pods) }},
	{"pod groups", []string{"groups", "composites", "moved", "pods"}, []string{"decisions"}, // a pod that was just placed does not ask again
		func(r *run, m *mail) { r.pods.groupsChanged(m.groups, m.composites, m.moved, m.pods) }},
	{"status of pod groups", []string{"groups", "composites", "grouped", "scheduled"}, []string{"decisions"}, // a group that was just scheduled is not said to wait
		func(r *run, m *mail) {
			r.groupStatus.changed(m.groups, m.composites)
			r.groupStatus.written(m.grouped)
			for id := range m.scheduled {
				r.groupStatus.scheduled(id)
			}
		}},
	{"owners", []string{"owners", "pods"}, []string{"decisions"},
		func(r *run, m *mail) { r.apps.ownersChanged(m.owners, m.pods) }},
	{"failed pods", []string{"failed"}, nil,
		func(r *run, m *mail) { r.failures.recorded(m.failed) }},
	{"succeeded pods", []string{"done", "idle"}, []string{"owners"}, // which count those that had succeeded before
		func(r *run, m *mail) { r.succeeded(m.done, m.idle) }},
	{"budgets", []string{"budgets"}, []string{"decisions", "evictions"}, // which count disruptions
		func(r *run, m *mail) { r.protection.budgetsChanged(m.budgets) }},
	{"priority classes", []string{"classes"}, nil,
		func(r *run, m *mail) { r.protection.classesChanged(m.classes) }},
	{"nodes", []string{"nodes", "pods"}, []string{"decisions"}, // a node that the scheduler refused is not compared, but added
		func(r *run, m *mail) { r.nodes.compare(m.nodes, m.pods) }},
	{"devices", []string{"pods"}, []string{"nodes"}, // whose amounts decide what devices stand for
		func(r *run, m *mail) { r.pods.devicesChanged(m.pods) }},
	{"pods", []string{"pods"}, []string{"excessive sets of victims", "decisions", "bindings", "evictions", "refused applications", "namespaces", "pod groups", "owners",
		"succeeded pods", "budgets", "nodes", "devices"},
		func(r *run, m *mail) { r.reconciler.changed(m.pods) }},
	{"node updates", nil, []string{"nodes", "pods"},
		func(r *run, _ *mail) { r.nodes.refresh() }},
	{"protection", nil, []string{"decisions", "evictions", "budgets", "priority classes", "pods"},
		func(r *run, _ *mail) { r.protection.refresh() }},
}
