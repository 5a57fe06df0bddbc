package manager

import (
	"log/slog"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// attributeUse counts the asks that need attributes of nodes.
type attributeUse interface {
	use([]*nodefit.Selector)
	unuse([]*nodefit.Selector)
}

// pods are the pods that the manager follows, with what the scheduler has of each. Only its methods change the state of a pod.
type pods struct {
	view     *clusterView
	nodes    attributeUse
	filters  Filters // nil without scheduler plugins
	headroom *headroom
	batch    *batch
	log      *slog.Logger

	byKey     map[string]*pod
	ending    int                // pods in the state Ending
	succeeded map[types.UID]bool // pods that had succeeded when they were deleted, of those that this turn looks at
}

// at returns a pod; nil: it is not followed.
func (s *pods) at(key string) *pod { return s.byKey[key] }

// add follows a pod, unless it is followed already.
func (s *pods) add(key string) *pod {
	p := s.byKey[key]
	if p == nil {
		p = newPod(key)
		s.byKey[key] = p
	}
	return p
}

func (s *pods) remove(key string) { delete(s.byKey, key) }

// keysOf lists the pods that a condition holds for, in a fixed order.
func (s *pods) keysOf(holds func(*pod) bool) (list []string) {
	for key, p := range s.byKey {
		if holds(p) {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return list
}

// fire changes the state of a pod after an event, and reports whether it is another one now. An event that the table of states excludes is
// reported and changes nothing.
func (s *pods) fire(p *pod, e podstate.Event) (changed bool) {
	next, ok := p.state.After(e)
	if !ok {
		s.log.Error(impossible, "pod", p.key, "state", p.state, "event", e)
		return false
	}
	if changed = next != p.state; !changed {
		return false
	}
	if p.state == podstate.Ending {
		s.ending--
	}
	if next == podstate.Ending {
		s.ending++
	}
	p.state = next
	return true
}

// impossible is the message about an event that cannot happen in the state of a pod. It never appears unless this package has a mistake.
const impossible = "a pod's state does not allow an event; it stays as it is"

// asks records the ask or restored allocation that is submitted for a pod.
func (s *pods) asks(p *pod, in *core.AddAsk, ask *translate.Ask) {
	s.nodes.use(ask.Selectors)
	p.demand = demand{since: soon, resources: in.Resources, selectors: ask.Selectors, plugins: ask.Plugins, protection: protection{on: in.NotPreemptable}}
	if in.Gang != nil {
		p.demand.gang = in.Gang.ID
	}
	p.shown.asked, p.backoff = time.Now(), backoff{}
}

// allocated records that the scheduler has chosen a node for a pod.
func (s *pods) allocated(p *pod, d *core.Decision) {
	s.fire(p, podstate.AllocationDecided)
	p.demand.node, p.demand.resources = d.Node, d.Resources
	s.headroom.release(p)
}

// withdraw ends what the scheduler has of a pod. An ask may have been allocated meanwhile: one of the two inputs has no effect then.
func (s *pods) withdraw(p *pod) {
	if !p.state.Placed() {
		s.batch.add(core.Input{Event: &core.RemoveAsk{ID: p.key}})
	}
	s.batch.add(core.Input{Event: &core.ReleaseAllocation{ID: p.key, Failed: !p.done}})
	s.forget(p, podstate.Withdrawn)
}

// forget records that the scheduler has nothing of a pod any more, after an event that ends it.
func (s *pods) forget(p *pod, end podstate.Event) {
	s.nodes.unuse(p.demand.selectors)
	if s.filters != nil && len(p.demand.plugins) > 0 {
		s.filters.Forget(p.submitted)
	}
	s.fire(p, end)
	p.submitted, p.demand = nil, demand{}
	s.headroom.release(p)
	p.binding.number++ // what is under way is of no interest any more
	p.binding.cancel()
	p.binding.cancel = noBinding
}

// hasSucceeded reports whether a pod has succeeded, if its present version is to take the place of the one that was seen.
func (s *pods) hasSucceeded(p *pod, current *corev1.Pod) bool {
	if translate.Succeeded(current) {
		return true
	}
	c := changeOf(p.seen, current)
	return (c == removed || c == recreated) && (s.succeeded[p.seen.UID] || translate.Succeeded(p.seen))
}

// condemn records that a pod that waits is to fail.
func (s *pods) condemn(p *pod, why string) {
	if p == nil {
		return
	}
	if p.state == podstate.Duplicate { // an ask that the manager does not know must not stay behind
		s.withdraw(p)
	}
	if s.fire(p, podstate.FailureDecided) {
		p.why = why
	}
}

// stays reports whether a pod was deleted and does not end, so that the scheduler does not have it and its room is still in use.
func (s *pods) stays(pod *corev1.Pod) bool {
	p := s.byKey[translate.Key(pod)]
	return p != nil && p.deletion.stays && changeOf(p.seen, pod) == kept
}

// seenOn are the pods on a node as they were looked at last: what changes of them is compared with that. Of one that comes and goes between two looks
// the loop would know nothing.
func (s *pods) seenOn(node string) (list []*corev1.Pod) {
	for _, pod := range s.view.podsOn(node) {
		if p := s.byKey[translate.Key(pod)]; p != nil {
			list = append(list, p.seen)
		}
	}
	return list
}

// nodeLost forgets what the scheduler had on a node, and returns the keys of these pods.
func (s *pods) nodeLost(node string) (keys []string) {
	keys = s.keysOf(func(p *pod) bool {
		return p.state.Placed() && p.demand.node == node || p.submitted != nil && p.submitted.Spec.NodeName == node
	})
	for _, key := range keys {
		s.forget(s.byKey[key], podstate.Released)
	}
	return keys
}

// waitingPod returns a pod, and whether it waits.
func (s *pods) waitingPod(key string) (p *pod, waits bool) {
	p = s.byKey[key]
	return p, p != nil && s.waits(p)
}

// waits reports whether a pod waits: it has asked, or is held.
func (s *pods) waits(p *pod) bool {
	return p.state.Waits() && s.view.stageOf(p.seen) == translate.Waiting
}

// waiting lists the pods that wait, in a fixed order.
func (s *pods) waiting() []string { return s.keysOf(s.waits) }
