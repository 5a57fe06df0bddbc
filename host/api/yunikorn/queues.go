package yunikorn

import (
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/scheduler"
)

// queueOf makes one of a state, except what depends on others. It is called while the view is held.
func (a *API) queueOf(s *scheduler.Scheduler, p *partition, q *core.QueueDump) *partitionQueue {
	out := &partitionQueue{
		QueueName: q.Path, Status: strings.ToUpper(q.State[:1]) + q.State[1:], Partition: p.name, PendingResource: amountsOf(q.Pending),
		MaxResource: amountsOf(q.Max), GuaranteedResource: amountsOf(q.Guaranteed), AllocatedResource: amountsOf(q.Used),
		PreemptingResource: amountsOf(q.Leaving), Headroom: amountsOf(q.Headroom), IsLeaf: q.Leaf, IsManaged: !q.Dynamic,
		Properties: orEmptyMap(q.Properties), Children: []*partitionQueue{}, ChildNames: []string{}, MaxRunningApps: q.MaxRunning,
		RunningApps: uint64(q.Running), CurrentPriority: math.MinInt32, AllocatingAcceptedApps: []string{}, SortingPolicy: q.AppSort,
	}
	if i := strings.LastIndexByte(q.Path, '.'); i >= 0 {
		out.Parent = q.Path[:i]
	}
	if q.HasPriority {
		out.CurrentPriority = q.Priority
	}
	if c := s.QueueSettings(core.ShownPath(q.Partition, q.Path)); c != nil {
		out.settings(p, c)
	}
	if q.Leaf {
		for r := range a.memory.allocating[queueID{q.Partition, q.Path}] {
			out.AllocatingAcceptedApps = append(out.AllocatingAcceptedApps, r.id)
		}
		slices.Sort(out.AllocatingAcceptedApps)
	}
	return out
}

// settings adds what is configured.
func (out *partitionQueue) settings(p *partition, c *config.Queue) {
	out.PrioritySorting, out.IsPriorityFence, out.PriorityOffset = c.PrioritySort, c.PriorityFence, c.PriorityOffset
	out.PreemptionEnabled = p.conf.PreemptionEnabled && c.PreemptionPolicy != config.PreemptionDisabled
	out.IsPreemptionFence = c.PreemptionPolicy == config.PreemptionFence
	out.PreemptionDelay, out.QuotaPreemptionDelay = c.PreemptionDelay.String(), c.QuotaDelay.String()
	if !c.Leaf {
		out.SortingPolicy = c.QueueSort
	}
	if t := c.Template; t != nil {
		out.Template = &template{t.MaxApplications, amountsOf(t.Max), amountsOf(t.Guaranteed), orEmptyMap(t.Properties)}
	}
}

// tree reads the queues of a partition, and returns root with all below it, and all by path.
func (a *API) tree(p *partition) (root *partitionQueue, byPath map[string]*partitionQueue) {
	byPath = map[string]*partitionQueue{}
	effective := map[string]amounts{} // the max of each queue, or of the nearest above
	var part []*partitionQueue
	a.parts(core.Where{}, func(s *scheduler.Scheduler, page *core.Page) (core.Key, bool) {
		if page.After == (core.Key{}) {
			page.After.Partition = p.shown
		}
		list := s.Queues(page)
		for i := range list.Items {
			if q := &list.Items[i]; q.Partition == p.shown {
				part = append(part, a.queueOf(s, p, q))
			}
		}
		return list.Next, list.More && list.Next.Partition == p.shown
	}, func() bool {
		for _, q := range part {
			byPath[q.QueueName] = q
			above := byPath[q.Parent]
			if root == nil {
				root = q
			} else if above != nil { // otherwise it has gone while this was read
				above.Children = append(above.Children, q)
				above.ChildNames = append(above.ChildNames, q.QueueName)
			}
			q.AbsUsedCapacity = q.share(effective)
		}
		part = part[:0]
		return true
	})
	return root, byPath
}

// share is how much of the nearest max of each type is used, in per cent.
func (q *partitionQueue) share(effective map[string]amounts) amounts {
	most := amounts{}
	for typ, amount := range effective[q.Parent] {
		most[typ] = amount
	}
	for typ, amount := range q.MaxResource {
		if above, bounded := most[typ]; !bounded || amount < above {
			most[typ] = amount
		}
	}
	effective[q.QueueName] = most
	return q.AllocatedResource.percentOf(most)
}

// queues answers all queues of a partition.
func (a *API) queues(w http.ResponseWriter, r *http.Request) error {
	p, err := a.partition(r)
	if err != nil {
		return err
	}
	root, _ := a.tree(&p)
	return answer(w, root)
}

// queue answers one queue, with those below it where subtree is among the parameters.
func (a *API) queue(w http.ResponseWriter, r *http.Request) error {
	p, err := a.partition(r)
	if err != nil {
		return err
	}
	name, err := queueName(r)
	if err != nil {
		return err
	}
	_, byPath := a.tree(&p)
	q := byPath[name]
	if q == nil {
		return noQueue(name)
	}
	if !r.URL.Query().Has("subtree") {
		q.Children = []*partitionQueue{}
	}
	return answer(w, q)
}

func noQueue(name string) error { return notFound("Queue not found: there is no queue %q", name) }

// findQueue finds a queue by its full name.
func (a *API) findQueue(p *partition, path string) (q core.QueueDump, err error) {
	ok := false
	a.view.Read(func(s *scheduler.Scheduler) { q, ok = s.Queue(core.ShownPath(p.shown, path)) })
	if !ok {
		return q, noQueue(path)
	}
	return q, nil
}
