package manager

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// headroom is the headroom of queues and limits, less the demand of the pods whose condition says that they wait for nodes. Autoscalers add nodes for
// these, so no more pods get that condition than fit into their queues together.
type headroom struct {
	amounts map[bound]int64
	apps    map[bound]map[string]int // the pods of applications that have yet to start
}

// bound is a max of a queue, or of a limit within it.
type bound struct {
	queue string
	of    string // the user or group that is limited, with its kind; empty: the queue is
	typ   string // empty: applications
}

// share is what a pod takes of a bound, of which so much is left for pods that have no node yet.
type share struct {
	bound
	amount int64
	app    string // that takes a place; empty: an amount is meant
	left   int64
}

// take takes the shares of a pod, or names the first that is not there.
func (h *headroom) take(list []share) (lacking *share) {
	for i := range list {
		s := &list[i]
		taken := h.amounts[s.bound]
		if s.app != "" {
			if taken = int64(len(h.apps[s.bound])); h.apps[s.bound][s.app] > 0 {
				taken--
			}
		}
		if resource.Add(taken, s.amount) > s.left {
			return s
		}
	}
	h.count(list, 1)
	return nil
}

// count adds shares, or takes them back.
func (h *headroom) count(list []share, sign int64) {
	if h.amounts == nil {
		h.amounts, h.apps = map[bound]int64{}, map[bound]map[string]int{}
	}
	for i := range list {
		s := &list[i]
		if s.app == "" {
			if h.amounts[s.bound] += sign * s.amount; h.amounts[s.bound] == 0 {
				delete(h.amounts, s.bound)
			}
			continue
		}
		apps := h.apps[s.bound]
		if apps == nil {
			apps = map[string]int{}
			h.apps[s.bound] = apps
		}
		if apps[s.app] += int(sign); apps[s.app] == 0 {
			delete(apps, s.app)
		}
		if len(apps) == 0 {
			delete(h.apps, s.bound)
		}
	}
}

// sharesOf lists what an ask would take of its queues and limits. The max of root is what nodes have, which more nodes would raise.
func sharesOf(s *scheduler.Scheduler, e *explain.AskExplanation) (list []share) {
	a, _ := s.App(e.App)
	waits := a.State == core.StateNew || a.State == core.StateAccepted
	add := func(of bound, used, most resource.Set, apps int, mostApps uint64) {
		for _, need := range e.Resources {
			if limit, bounded := most.Value(need.Type); bounded && need.Value > 0 {
				taken, _ := used.Value(need.Type)
				of.typ = need.Type
				list = append(list, share{bound: of, amount: need.Value, left: resource.Sub(limit, taken)})
			}
		}
		if of.typ = ""; waits && mostApps > 0 {
			list = append(list, share{bound: of, amount: 1, app: e.App, left: int64(mostApps) - int64(apps)})
		}
	}
	for path := e.Queue; ; path = path[:strings.LastIndexByte(path, '.')] {
		if !strings.Contains(path[strings.LastIndexByte(path, ']')+1:], ".") {
			break // root
		}
		if q, ok := s.Queue(path); ok {
			add(bound{queue: path}, q.Used, q.Max, q.Running, q.MaxRunning)
		}
	}
	for _, l := range s.AppLimits(e.App) {
		kind := "user "
		if l.Group {
			kind = "group "
		}
		add(bound{queue: core.ShownPath(l.Partition, l.Queue), of: kind + l.Name}, l.Used, l.Max, l.Applications, l.MaxApplications)
	}
	return list
}

// String says of what there is no share left.
func (s *share) String() string {
	what := s.typ
	if s.app != "" {
		what = "applications"
	}
	if s.of != "" {
		return s.of + ", " + what + " in " + s.queue
	}
	return what + " in " + s.queue
}

// admit has a pod take its shares, or returns the first that is not there.
func (h *headroom) admit(p *pod, shares []share) (lacking *share) {
	h.release(p)
	if lacking := h.take(shares); lacking != nil {
		return lacking
	}
	p.shares = slices.Clip(shares)
	return nil
}

// release gives back what a pod has taken of the headroom: it has a node, or waits for none.
func (h *headroom) release(p *pod) {
	h.count(p.shares, -1)
	p.shares = nil
}
