package kubernetes

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/importing"
)

// application is the pods of one.
type application struct {
	core.AddApp
	namespace string // whose quota its queue has; empty: it names a queue itself
	pods      []*pod
	ended     []*pod // that have succeeded
	gang      *gang
	made      []taskGroup // whose placeholders are not in the listing
	runs      bool        // a task of it does
}

// Give gives everything to the sink, after all listings were read. Pods that run come at the time of their creation. Pods that
// wait come at the latest time in the listing, in the order of their creation: until then, not all that runs is there.
func (r *Reader) Give() error {
	slices.SortStableFunc(r.pods, func(a, b *pod) int { return cmp.Compare(a.at, b.at) })
	apps := r.applications()
	r.occupied()
	r.distinctTaints()
	r.topology()
	now := time.Duration(0)
	for i, p := range r.pods {
		if i == 0 || p.at > now {
			now = p.at
		}
		if p.foreign == "" {
			r.constraints(p)
		}
	}
	for _, a := range apps {
		for _, g := range a.made {
			r.constraints(g.like)
		}
	}
	if err := r.giveNodes(); err != nil {
		return err
	}
	if err := r.givePods(apps, now); err != nil {
		return err
	}
	return r.giveMade(apps, now)
}

// applications puts pods together. Queue, user and gang of an application are those of its oldest pod that names some.
func (r *Reader) applications() []*application {
	byID := map[string]*application{}
	var list []*application
	for _, p := range r.pods {
		if p.foreign != "" {
			continue
		}
		a := byID[p.app]
		if a == nil {
			a = &application{AddApp: core.AddApp{ID: p.app, Tags: map[string]string{"namespace": p.namespace}}}
			byID[p.app] = a
			list = append(list, a)
		}
		a.pods = append(a.pods, p)
		if p.group != "" {
			r.join(p)
		}
		if a.Queue == "" || a.namespace != "" && p.queue != "" {
			own := false
			if a.Queue, own = r.queueOf(p); own {
				a.namespace = p.namespace
			} else {
				a.namespace = ""
			}
		}
		if a.User == "" {
			a.User, a.Groups = p.user, p.groups
		}
		if a.gang == nil {
			a.gang = p.gang
		}
	}
	for _, p := range r.ended {
		if a := byID[p.app]; a != nil {
			a.ended = append(a.ended, p)
		}
	}
	for _, a := range list {
		atomic := a.atomic()
		if r.succeeded(a, atomic); !atomic {
			a.Placeholders = r.placeholders(a)
		}
	}
	return list
}

// occupied adds up what pods that are not taken use on nodes, and drops those that wait.
func (r *Reader) occupied() {
	byID := r.byID()
	sums := map[string]amounts{}
	for _, p := range r.pods {
		switch {
		case p.foreign == "":
		case p.node == "":
			r.sink.LeftOut(1, "pod", "pending, and "+p.foreign)
		case byID[p.node] == nil:
			r.sink.LeftOut(1, "pod", notListed)
		default:
			r.sink.Occupied(1, "pod", p.foreign)
			if sums[p.node] == nil {
				sums[p.node] = amounts{}
			}
			for _, q := range p.resources {
				sums[p.node].add(amounts{q.Type: q.Value})
			}
		}
	}
	for id, sum := range sums {
		byID[id].Occupied = sum.set()
	}
}

// notListed is why a pod is left out whose node is not listed.
const notListed = "node not in the listing"

func (r *Reader) byID() map[string]*node {
	all := make(map[string]*node, len(r.nodes))
	for _, n := range r.nodes {
		all[n.ID] = n
	}
	return all
}

// giveNodes gives the nodes. Their taints are an attribute where any node has some.
func (r *Reader) giveNodes() error {
	tainted := slices.ContainsFunc(r.nodes, func(n *node) bool { return len(n.all) > 0 })
	for _, n := range r.nodes {
		if tainted {
			n.attribute(taintsAttribute, n.taints)
		}
		if n.Attributes = n.labels; n.extra != nil {
			n.Attributes = maps.Clone(n.extra)
			for key, value := range n.labels {
				n.Attributes[key] = value
			}
		}
		if err := r.sink.Node(&n.AddNode); err != nil {
			return err
		}
	}
	return nil
}

// givePods gives the pods with their applications.
func (r *Reader) givePods(apps []*application, now time.Duration) error {
	byID, landed := r.byID(), r.landed()
	of := map[string]*application{}
	for _, a := range apps {
		known, err := r.useQueue(a)
		if err != nil {
			return err
		}
		if known {
			of[a.ID] = a
		} else {
			a.made = nil
		}
	}
	for _, p := range r.pods {
		a := of[p.app]
		if p.foreign != "" || a == nil {
			continue
		}
		ask := core.AddAsk{ID: p.name, App: p.app, Resources: p.resources, Ask: p.ask}
		if may, ok := r.classes[p.class]; ok && !may {
			ask.Ask.NotPreemptable = true
		}
		at, in := now, core.Input{Event: &ask}
		switch {
		case p.node == "" && p.ask.Placeholder && a.runs:
			r.sink.LeftOut(1, "pod", "pending placeholder of a gang that runs already")
			continue
		case p.node == "" && p.gated:
			r.sink.LeftOut(1, "pod", "held by scheduling gates")
			continue
		case p.node != "" && byID[p.node] == nil:
			r.sink.LeftOut(1, "pod", notListed)
			continue
		case p.node != "":
			at, in.Event = p.at, &core.RestoreAllocation{AddAsk: ask, PlacedOn: p.node}
			if p.ask.Gang != nil {
				at = landed[keyOfGang(p)]
			}
		}
		if err := r.sink.Job(at, &a.AddApp, journal.Entry{Input: in, Count: 1}); err != nil {
			return err
		}
	}
	return nil
}

// useQueue notes the queue of an application, with the quota of its namespace. It is false where no queue has such a name, and
// the application cannot be taken.
func (r *Reader) useQueue(a *application) (bool, error) {
	if !r.sink.Queues.Use(a.Queue) {
		e := a.pods[0].place
		e.Key += ": queue"
		e.Expected, e.Found = importing.QueueSyntax, importing.Quote(a.Queue)
		r.sink.LeftOut(len(a.pods), "pod", "queue without a valid name")
		return false, r.sink.Bad(&e)
	}
	if n := r.namespaces[a.namespace]; n != nil {
		r.sink.Queues.Amounts(a.Queue, n.amounts)
	}
	return true, nil
}

// giveMade gives the placeholders that have no pods yet.
func (r *Reader) giveMade(apps []*application, now time.Duration) error {
	for _, a := range apps {
		for _, g := range a.made {
			in := core.Input{Event: &core.AddAsk{ID: a.ID + "/" + g.name, App: a.ID, Resources: g.each.set(), Ask: g.like.ask}}
			if err := r.sink.Job(now, &a.AddApp, journal.Entry{Input: in, Count: g.count, Numbered: true}); err != nil {
				return err
			}
			r.sink.Changed(g.count, "ask", "placeholders added for task groups without pods")
		}
	}
	return nil
}
