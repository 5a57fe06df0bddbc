package oracle

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/access"
	"github.com/quern-project/quern/core/resource"
)

// appliedLimit is a limit that applies to an application in a queue. It bounds the applications that count together.
type appliedLimit struct {
	queue  *queue
	limit  *config.Limit
	counts func(a *app) bool
	group  bool // it is a limit of a group
}

// boundsOf lists the limits that apply to an application, from its leaf to root.
func (p *partition) boundsOf(a *app) []appliedLimit {
	var all []appliedLimit
	group := a.group()
	for _, q := range a.queue.chain() {
		if l := q.limitOfUser(a.user); l != nil {
			all = append(all, appliedLimit{queue: q, limit: l, counts: func(other *app) bool { return other.user == a.user }})
		}
		if l := q.limitOfGroup(group); l != nil {
			all = append(all, appliedLimit{queue: q, limit: l, group: true, counts: func(other *app) bool { return other.group() == group }})
		}
	}
	return all
}

// limitOfUser returns the limit that names the user, or else that of all users, or nil.
func (q *queue) limitOfUser(user string) *config.Limit {
	for _, name := range []string{user, access.Wildcard} {
		for i := range q.settings.Limits {
			if slices.Contains(q.settings.Limits[i].Users, name) {
				return &q.settings.Limits[i]
			}
		}
	}
	return nil
}

// limitOfGroup returns the limit that names the group, or nil.
func (q *queue) limitOfGroup(group string) *config.Limit {
	for i := range q.settings.Limits {
		if slices.Contains(q.settings.Limits[i].Groups, group) {
			return &q.settings.Limits[i]
		}
	}
	return nil
}

// group returns the group that the application counts for, or "". The nearest queue with a limit for a group of its user decides. A limit
// for all groups counts as one.
func (a *app) group() string {
	for _, q := range a.queue.chain() {
		all := false
		for _, l := range q.settings.Limits {
			for _, group := range l.Groups {
				if group != access.Wildcard && slices.Contains(a.groups, group) {
					return group
				}
				all = all || group == access.Wildcard
			}
		}
		if all {
			return access.Wildcard
		}
	}
	return ""
}

// withinLimits reports whether the limits of the ask's user and group hold with the ask in addition to the usage and these claims.
func (p *partition) withinLimits(k *ask, claims []*claim) bool {
	for _, b := range p.boundsOf(k.app) {
		usage := p.usedOrClaimedBy(b.queue, b.counts, claims)
		usage.addAll(p.view.in(b.queue, b.counts))
		for _, need := range k.resources {
			most, set := b.limit.MaxResources.Value(need.Type)
			if need.Value > 0 && set && resource.Sub(most, usage[need.Type]) < need.Value {
				return false
			}
		}
	}
	return true
}

// usedOrClaimedBy is usedOrClaimed for the applications that count, with these claims.
func (p *partition) usedOrClaimedBy(q *queue, counts func(a *app) bool, claims []*claim) amounts {
	usage := p.sum(q, func(k *ask) bool { return k.node != nil && counts(k.app) })
	later := p.sum(q, func(k *ask) bool { return k.node != nil && !k.isLeaving() && counts(k.app) })
	for _, c := range claims {
		if counts(c.ask.app) && q.holds(c.ask.app.queue) {
			later.add(c.ask.resources)
		}
	}
	later.addAll(p.replacingAmounts(q, counts))
	for typ, value := range later {
		usage[typ] = max(usage[typ], value)
	}
	return usage
}

// placesOf returns the number of applications in the queue's subtree that count and hold a place under maxapplications.
func (p *partition) placesOf(q *queue, counts func(a *app) bool) uint64 {
	var places uint64
	for _, a := range p.liveApps(q) {
		if counts(a) && p.holdsPlace(a) {
			places++
		}
	}
	return places
}

// LimitUsage lists the usage of users and groups with live applications in the queues that limit them: by partition, by queue, users before
// groups, by name.
func (o *Oracle) LimitUsage() []core.LimitUsage {
	var all []core.LimitUsage
	for _, p := range o.partitions {
		all = append(all, p.limitUsage()...)
	}
	return all
}

func (p *partition) limitUsage() []core.LimitUsage {
	var users, groups []core.LimitUsage
	for _, a := range p.liveApps(p.root) {
		for _, b := range p.boundsOf(a) {
			used := p.sum(b.queue, func(k *ask) bool { return k.node != nil && b.counts(k.app) })
			u := core.LimitUsage{
				Partition: p.shownName(), Queue: b.queue.path(), Group: b.group, Name: a.user, Used: used.set(), Max: b.limit.MaxResources,
				Applications: int(p.placesOf(b.queue, b.counts)), MaxApplications: b.limit.MaxApplications,
			}
			if b.group {
				u.Name = a.group()
				groups = append(groups, u)
			} else {
				users = append(users, u)
			}
		}
	}
	byName := func(a, b core.LimitUsage) int {
		return cmp.Or(cmp.Compare(a.Queue, b.Queue), cmp.Compare(a.Name, b.Name))
	}
	slices.SortFunc(users, byName)
	slices.SortFunc(groups, byName)
	all := append(users, groups...)
	slices.SortStableFunc(all, func(a, b core.LimitUsage) int { return cmp.Compare(a.Queue, b.Queue) })
	return slices.CompactFunc(all, func(a, b core.LimitUsage) bool { return a.Queue == b.Queue && a.Group == b.Group && a.Name == b.Name })
}
