package manager

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// predicates keeps the predicate of each ask that waits equal to the scheduler plugins that its pod needs, which other pods can change.
type predicates struct {
	view     *clusterView
	pods     *pods
	filters  Filters // nil without scheduler plugins
	batch    *batch
	selected uint64 // by the filters, when names were last looked at
}

// observe passes a change of a pod to the filters; nil: the pod is not there.
func (s *predicates) observe(old, current *corev1.Pod) {
	if s.filters != nil && changeOf(old, current) != absent {
		s.filters.Pod(old, current)
	}
}

// affected lists the pods that wait whose plugins or predicates may be others now, beside those that are looked at anyway.
func (s *predicates) affected(looked map[string]bool) (list []string) {
	if changes := s.view.repelling.changes(); len(changes) > 0 {
		list = s.replugged(changes, looked)
	}
	return append(list, s.renamed(looked)...)
}

// replugged lists the pods that wait and have other plugins now because others repel them.
func (s *predicates) replugged(changes []*corev1.Pod, looked map[string]bool) []string {
	return s.pods.keysOf(func(p *pod) bool {
		if looked[p.key] || p.state != podstate.Asking {
			return false
		}
		if !slices.ContainsFunc(changes, func(o *corev1.Pod) bool { return nodefit.MayRepel(o, p.submitted) }) {
			return false
		}
		c := s.view.context(p.submitted)
		plugins := nodefit.Plugins(p.submitted, &c.Cluster)
		return !slices.Equal(plugins, p.demand.plugins) && (len(plugins) > 0 || s.filters == nil)
	})
}

// renamed lists the pods that wait whose predicates may be others now, since plugins read more of pods.
func (s *predicates) renamed(looked map[string]bool) []string {
	if s.filters == nil || s.filters.Selected() == s.selected {
		return nil
	}
	s.selected = s.filters.Selected()
	return s.pods.keysOf(func(p *pod) bool { return p.demand.predicate != "" && p.state == podstate.Asking && !looked[p.key] })
}

// refresh has the ask of a pod judged by the plugins that it needs now, or as the pod that it has become. The ask keeps its place. A predicate
// that it needs no more lets it in, too.
func (s *predicates) refresh(p *pod, current *corev1.Pod, c *translate.Context) {
	if changeOf(p.submitted, current) != kept || p.state != podstate.Asking || s.view.stageOf(current) != translate.Waiting {
		return
	}
	plugins := nodefit.Plugins(current, &c.Cluster)
	if len(plugins) == 0 {
		return
	}
	p.demand.plugins = plugins
	if name := s.filters.Name(current); name != p.demand.predicate {
		p.demand.predicate = name
		s.batch.add(core.Input{Event: &core.UpdateAsk{ID: p.key, Predicate: name}})
	}
}

// name has an ask that begins name its predicate, if it needs one.
func (s *predicates) name(p *pod, of *corev1.Pod, in *core.AddAsk) {
	if len(p.demand.plugins) > 0 {
		in.Predicate = s.filters.Name(of)
		p.demand.predicate = in.Predicate
	}
}
