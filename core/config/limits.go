package config

import (
	"slices"
	"strconv"

	"github.com/quern-project/quern/core/internal/access"
)

// limitTable holds the limits of a queue while it is read.
type limitTable struct {
	queue         string // its queue; InPartition for those of the partition
	list          []Limit
	values        []*value // by limit, for places
	users, groups map[string]int
}

// ofUser returns the limit for a user, by name or by wildcard, or nil.
func (t *limitTable) ofUser(name string) *Limit {
	i, ok := t.users[name]
	if !ok {
		i, ok = t.users[access.Wildcard]
	}
	if !ok {
		return nil
	}
	return &t.list[i]
}

// ofGroup returns the limit for a group by name, or nil.
func (t *limitTable) ofGroup(name string) *Limit {
	if i, ok := t.groups[name]; ok {
		return &t.list[i]
	}
	return nil
}

// limits reads the limits of a queue or a partition. It returns nil if there are none.
func (d *decoder) limits(queue string, v *value) *limitTable {
	items := d.items(queue, "limits", v)
	if len(items) == 0 {
		return nil
	}
	t := &limitTable{queue: queue, list: make([]Limit, len(items)), users: map[string]int{}, groups: map[string]int{}}
	for i, item := range items {
		t.values = append(t.values, item.value)
		d.below(index("limits", i)+".", func() { d.limit(t, i) })
	}
	d.checkLast(t, "users", func(l *Limit) []string { return l.Users })
	d.checkLast(t, "groups", func(l *Limit) []string { return l.Groups })
	return t
}

// limit reads one limit of a table.
func (d *decoder) limit(t *limitTable, i int) {
	l, v := &t.list[i], t.values[i]
	named, bounded, errors := false, false, len(d.errors)
	for _, f := range d.fields(t.queue, "", v) {
		switch f.name {
		case "limit":
			l.Description = d.text(t.queue, f.name, f.value)
		case "users":
			named = true
			l.Users = d.limitNames(t, i, f, t.users, access.ValidUser, access.UserSyntax)
		case "groups":
			named = true
			l.Groups = d.limitNames(t, i, f, t.groups, access.ValidGroup, access.GroupSyntax)
		case "maxresources":
			l.MaxResources = d.quantities(t.queue, f.name, f.value)
			if len(l.MaxResources) > 0 && l.MaxResources.IsZero() {
				bounded = true
				d.add(f.at, t.queue, f.name, "an amount above 0", "only zeros")
			}
		case "maxapplications":
			l.MaxApplications = d.count(t.queue, f.name, f.value)
		default:
			d.unknown(InLimit, t.queue, "", f)
		}
	}
	if len(d.errors) > errors {
		return
	}
	if len(l.Users)+len(l.Groups) == 0 {
		found := "neither"
		if named {
			found = "empty lists"
		}
		d.add(v.at, t.queue, "", "users or groups", found)
	}
	if !bounded && len(l.MaxResources) == 0 && l.MaxApplications == 0 {
		d.add(v.at, t.queue, "", "maxresources or maxapplications above 0", "neither")
	}
}

// limitNames reads the users or groups of a limit. Each may occur once in a queue.
func (d *decoder) limitNames(t *limitTable, i int, f field, seen map[string]int, valid func(string) bool, syntax string) []string {
	list := d.names(t.queue, f.name, f.value)
	list = d.valid(t.queue, list, func(name string) bool { return name == access.Wildcard || valid(name) }, syntax)
	var names []string
	for _, n := range list {
		if n.name == access.Wildcard && len(f.value.fields) > 1 {
			d.add(n.at, t.queue, n.key, `"*" alone`, strconv.Itoa(len(f.value.fields))+" names")
			continue
		}
		if n.name == access.Wildcard && f.name == "groups" && len(seen) == 0 {
			d.add(n.at, t.queue, n.key, `a limit of a named group before that of "*"`, "none")
		}
		if first, ok := seen[n.name]; ok {
			d.add(n.at, t.queue, n.key, "each name once in the queue", quote(n.name)+" again, after "+index("limits", first))
			continue
		}
		seen[n.name] = i
		names = append(names, n.name)
	}
	return names
}

// checkLast refuses a limit with the wildcard before another limit of users, or of groups.
func (d *decoder) checkLast(t *limitTable, key string, names func(*Limit) []string) {
	last := len(t.list) - 1
	for last >= 0 && len(names(&t.list[last])) == 0 {
		last--
	}
	for i := range max(last, 0) {
		if slices.Equal(names(&t.list[i]), []string{access.Wildcard}) {
			at := t.values[i].field(key).value.fields[0].value.at
			d.add(at, t.queue, index("limits", i)+"."+index(key, 0), `"*" in the last limit with `+key, index("limits", last)+" after it")
		}
	}
}

// sameLimits reports whether two tables have equal bounds. Descriptions may differ.
func sameLimits(a, b *limitTable) bool {
	return slices.EqualFunc(a.list, b.list, func(a, b Limit) bool {
		return slices.Equal(a.Users, b.Users) && slices.Equal(a.Groups, b.Groups) &&
			slices.Equal(a.MaxResources, b.MaxResources) && a.MaxApplications == b.MaxApplications
	})
}
