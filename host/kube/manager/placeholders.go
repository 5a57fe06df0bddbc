package manager

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/translate"
)

// placeholder is one that the scheduler has.
type placeholder struct {
	app   string
	since since
	like  *corev1.Pod // that plugins judge; nil: they are not asked

	selectors []*nodefit.Selector
}

// placeholders are those that the scheduler has.
type placeholders struct {
	nodes   attributeUse
	filters Filters // nil without scheduler plugins
	batch   *batch
	byID    map[string]*placeholder
}

// at returns a placeholder; nil: the scheduler has none of this ID.
func (s *placeholders) at(id string) *placeholder { return s.byID[id] }

// ask asks for a placeholder of an application.
func (s *placeholders) ask(app string, ask *translate.Ask) {
	s.nodes.use(ask.Selectors)
	h := &placeholder{app: app, since: soon, selectors: ask.Selectors}
	if s.filters != nil && len(ask.Plugins) > 0 {
		h.like = ask.Like
		ask.Predicate = s.filters.Name(h.like)
	}
	s.byID[ask.ID] = h
	s.batch.add(ask.Input())
}

// drop forgets the placeholders of an application, and reports whether there were any.
func (s *placeholders) drop(app string) (any bool) {
	for id, h := range s.byID {
		if h.app == app {
			s.forget(id, h)
			any = true
		}
	}
	return any
}

func (s *placeholders) forget(id string, h *placeholder) {
	delete(s.byID, id)
	s.nodes.unuse(h.selectors)
	if h.like != nil {
		s.filters.Forget(h.like)
	}
}

// decided acts on a decision about a placeholder. A preempted, replaced or timed-out one is released at once, since no pod has to end for that.
func (s *placeholders) decided(h *placeholder, d *core.Decision) {
	switch {
	case !h.since.knownTo(d.At):
	case d.Type == core.Release, d.Type == core.AskRejected, d.Type == core.TimedOut && d.Node == "":
		s.forget(d.ID, h)
	case d.Type == core.Replaced, d.Type == core.TimedOut, d.Type == core.Exceeded, d.Type == core.Preemption:
		s.batch.add(core.Input{Event: &core.ReleaseAllocation{ID: d.ID}})
	}
}
