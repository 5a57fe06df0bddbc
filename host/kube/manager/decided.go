package manager

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/podstate"
)

// decisionsMade acts on decisions, in the order in which they were made.
func (r *run) decisionsMade(list []*core.Decision, looked map[string]bool) {
	for _, d := range list {
		r.decided(d, looked)
	}
	r.evictions.preemptGroups()
}

// decided acts on a decision. Pods to be looked at afterwards are added to a set.
func (r *run) decided(d *core.Decision, looked map[string]bool) {
	switch d.Type {
	case core.AppState:
		r.apps.changed(d, looked)
		return
	case core.AppRejected:
		r.apps.rejected(d)
		return
	case core.NodeRejected:
		r.nodes.refused(d.ID, fmt.Sprintf("%s: %s", d.Reason, d.Message))
		return
	case core.ConfigAccepted:
		r.apps.readmitAll(looked)
		return
	case core.GangFallback:
		r.apps.fellBack(d)
		return
	case core.GangEnded:
		r.gangEnded(d)
		return
	case core.Lapsed:
		r.evictions.nominate(d.For, "")
		return
	}
	if h := r.apps.placeholders.at(d.ID); h != nil {
		r.apps.placeholders.decided(h, d)
		return
	}
	if p := r.pods.at(d.ID); p != nil && p.state.Known() {
		r.podDecided(p, d, looked)
	}
}

// gangEnded evicts the members of a gang that has ended. Those that end anyway need nothing.
func (r *run) gangEnded(d *core.Decision) {
	a := r.apps.byID[d.App]
	if a == nil || !a.since.knownTo(d.At) {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(a.pods)) {
		p := r.pods.at(key)
		if runs := p != nil && (p.state == podstate.Allocated || p.state == podstate.Bound); runs && p.demand.gang == d.Gang && p.demand.since.knownTo(d.At) {
			r.evictions.endMember(p, d)
		}
	}
}

func (r *run) podDecided(p *pod, d *core.Decision, looked map[string]bool) {
	switch {
	case !p.demand.since.knownTo(d.At):
	case d.Type == core.Allocation && p.state == podstate.Asking:
		r.pods.allocated(p, d)
		r.protection.check(p.submitted)
		r.groupStatus.placed(p.submitted)
		if n := r.nodes.known[d.Node]; n != nil && n.since.knownTo(d.At) {
			r.bindings.begin(p)
		} // or else the node is gone, which a release will say
	case d.Type == core.Release && p.demand.since.before(d.At): // by another client, or with its node
		r.pods.forget(p, podstate.Released)
		looked[p.key] = true
	case d.Type == core.AskRejected:
		r.askRefused(p, d.Reason, d.Message)
		looked[p.key] = true
	case d.Type == core.Preemption:
		r.evictions.preempt(p, d)
	case d.Type == core.Exceeded:
		r.evictions.endOverrun(p)
	}
}

// askRetry is how long a pod waits whose ask was refused.
const askRetry = 10 * time.Second

// askRefused acts on the rejection of an ask or of a restored allocation.
func (r *run) askRefused(p *pod, reason core.Reason, message string) {
	r.pods.forget(p, podstate.Refused)
	a := r.apps.of(p)
	switch {
	case reason == core.ReasonUnknownApplication && a != nil:
		a.fire(appMissing) // it has ended just before
	case reason == core.ReasonGangTimeout:
		r.pods.condemn(p, "The pod fails, since its gang was not placed in time: "+message+".")
	default:
		if reason == core.ReasonDuplicate {
			r.pods.fire(p, podstate.DuplicateReported)
		}
		p.backoff = backoff{until: time.Now().Add(askRetry), cause: askRefused, why: fmt.Sprintf("The scheduler does not take the pod (%s): %s.", reason, message)}
	}
}

// submitted records when an object was submitted. Decisions up to that time are about an earlier object of the same ID.
func (r *run) submitted(in *core.Input, at time.Duration) {
	switch e := in.Event.(type) {
	case *core.AddAsk, *core.RestoreAllocation:
		if p := r.pods.at(in.ID()); p != nil {
			p.demand.since = submittedAt(at)
		} else if h := r.apps.placeholders.at(in.ID()); h != nil {
			h.since = submittedAt(at)
		}
	case *core.UpdateAsk:
		if p := r.pods.at(e.ID); p != nil && e.Preemptable != nil {
			p.demand.protection.since = submittedAt(at)
		}
	case *core.AddNode:
		if n := r.nodes.known[e.ID]; n != nil {
			n.since = submittedAt(at)
		}
	case *core.AddApp:
		if a := r.apps.byID[e.ID]; a != nil {
			a.since = submittedAt(at)
		}
	default:
	}
}

// refused acts on an input that was left out.
func (r *run) refused(in *core.Input, at time.Duration, why string) {
	switch in.Type() {
	case core.NodeAdd:
		r.nodes.refused(in.ID(), why)
	case core.NodeUpdate:
		r.o.Log.Error("the scheduler refuses a change of a node", "node", in.ID(), "error", why)
	default:
		r.inbox.put(func(m *mail) {
			d := &core.Decision{Type: core.AskRejected, At: at, ID: in.ID(), Reason: core.ReasonAmountOverflow, Message: why}
			if in.Type() == core.AppAdd {
				d.Type = core.AppRejected
			}
			m.decisions = append(m.decisions, d)
		})
	}
}
