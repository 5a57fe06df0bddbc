package yunikorn

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// memberGroup counts the members of an atomic gang that name one task group, or the gang if they name none. Clients of YuniKorn look for gangs
// in the placeholders of an application, and an atomic gang has none: a member that is placed counts as a placeholder that was replaced.
type memberGroup struct {
	gang, name string
	min        int64 // of the gang
	resources  resource.Set
	asked      int64
	placed     int64
	timedOut   int64
}

// joins counts a new member of an atomic gang.
func (r *appRecord) joins(k *askRecord, in *core.AddAsk) {
	k.member = in.TaskGroup
	if k.member == "" {
		k.member = in.Gang.ID
	}
	k.gang = in.Gang.ID
	g := r.membersOf(k)
	if g == nil {
		r.members = append(r.members, memberGroup{gang: k.gang, name: k.member, min: int64(in.Gang.Min), resources: k.resources})
		g = &r.members[len(r.members)-1]
	}
	g.asked++
}

// membersOf is the count of a member's group; nil: it is of no atomic gang.
func (r *appRecord) membersOf(k *askRecord) *memberGroup {
	for i := range r.members {
		if g := &r.members[i]; g.gang == k.gang && g.name == k.member {
			return g
		}
	}
	return nil
}

// atomicGroups lists the groups of atomic gangs as placeholders. A gang of one group needs its minimum; how many a gang of several needs of each is
// not known, so that those count which have asked.
func (r *appRecord) atomicGroups() (list []placeholders) {
	groups := map[string]int{}
	for i := range r.members {
		groups[r.members[i].gang]++
	}
	for i := range r.members {
		g := &r.members[i]
		count := g.asked
		if groups[g.gang] == 1 {
			count = g.min
		}
		replaced := min(g.placed, count)
		list = append(list, placeholders{TaskGroupName: g.name, Count: count, MinResource: amountsOf(g.resources), Replaced: replaced, TimedOut: min(g.timedOut, count-replaced)})
	}
	return list
}

// rejects forgets an ask that was accepted and has been rejected since: the time of its gang is over.
func (m *Memory) rejects(at time.Duration, id string) {
	k := m.asks[id]
	if k == nil || k.node != "" {
		return
	}
	if g := k.app.membersOf(k); g != nil {
		g.timedOut++
	}
	m.tell(at, event{kind: eventApp, object: k.app.id, other: k.id, change: changeRemove, detail: requestTimeout, resources: k.resources})
	m.leave(k)
}
