// Package limit counts the usage of users and groups in the queues that limit them.
//
// A queue with limits has a Table. All applications of a user, or of a group, below the queue share a Tracker, which exists while there
// are any. So memory depends on the number of active users, not on the names in a configuration. Package state has the Registry, through
// which alone trackers change. Package schedule blocks asks until the usage of a tracker falls.
package limit

import (
	"math"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/access"
)

// Table holds the limits of a queue. It is immutable. The zero value has none.
type Table struct{ *table }

// IsNone reports whether there are no limits.
func (t Table) IsNone() bool { return t.table == nil }

type table struct {
	queue         string // path of the queue
	users, groups entries
}

// entries are the limits of users, or of groups, by name.
type entries map[string]entry

// entry is the limit of a name.
type entry struct {
	limit *config.Limit
	place int // position among the names, in the order of the configuration
}

// NewTable makes the table of a queue. It returns none if there are no limits.
func NewTable(queue string, limits []config.Limit) Table {
	if len(limits) == 0 {
		return Table{}
	}
	t := &table{queue: queue, users: entries{}, groups: entries{}}
	for i := range limits {
		t.users.add(limits[i].Users, &limits[i])
		t.groups.add(limits[i].Groups, &limits[i])
	}
	return Table{t}
}

func (e entries) add(names []string, l *config.Limit) {
	for _, name := range names {
		if _, taken := e[name]; !taken {
			e[name] = entry{l, len(e)}
		}
	}
}

// GroupOf returns the group of a user that the queue's limits name first, or else the wildcard if they name it, or else "".
func (t *table) GroupOf(groups []string) string {
	first, chosen := math.MaxInt, ""
	for _, g := range groups {
		if e, named := t.groups[g]; named && g != access.Wildcard && e.place < first {
			first, chosen = e.place, g
		}
	}
	if _, all := t.groups[access.Wildcard]; all && chosen == "" {
		return access.Wildcard
	}
	return chosen
}

// eachHolding calls do with the limits that apply to a user and to a group, which is empty for none.
func (t *table) eachHolding(user, group string, do func(l *config.Limit, name string, ofGroup bool)) {
	e, named := t.users[user]
	if !named {
		e, named = t.users[access.Wildcard]
	}
	if named {
		do(e.limit, user, false)
	}
	if e, named = t.groups[group]; named {
		do(e.limit, group, true)
	}
}

// Of lists the limits that apply to a user and to a group, which is empty for none.
func (t *table) Of(user, group string) (limits []config.Limit) {
	t.eachHolding(user, group, func(l *config.Limit, _ string, _ bool) { limits = append(limits, *l) })
	return limits
}
