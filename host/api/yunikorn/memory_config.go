package yunikorn

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// configure learns of another configuration, and tells what it changes of queues and of the limits of users and groups.
func (m *Memory) configure(at time.Duration, in *core.SetConfig) {
	m.configured = at
	m.tell(at, event{kind: eventQueue, object: "root", change: changeSet, detail: queueConfig, message: "the configuration was replaced"})
	c, err := config.Decode([]byte(in.Config), config.Options{Format: config.Format(in.Format), Policies: func(string, string) bool { return true }})
	if err != nil {
		return // it cannot be: the scheduler has decoded the same text
	}
	was, is := queuesOf(m.present), queuesOf(c)
	m.present = c
	for _, path := range sortedKeys(is) {
		before, existed := was[path]
		if !existed {
			before = &config.Queue{Leaf: is[path].Leaf}
		}
		m.tellSettings(at, path, before, is[path])
		m.tellLimits(at, path, before, is[path])
	}
	for _, path := range sortedKeys(was) {
		if is[path] == nil {
			m.tellLimits(at, path, was[path], &config.Queue{})
		}
	}
}

// queuesOf are the queues of a configuration, by the names that events have for them.
func queuesOf(c *config.Config) map[string]*config.Queue {
	byName := map[string]*config.Queue{}
	for i, p := range c.Partitions {
		shown := ""
		if i > 0 {
			shown = lower(p.Name)
		}
		for left := []*config.Queue{p.Root}; len(left) > 0; left = left[1:] {
			byName[core.ShownPath(shown, left[0].Path)] = left[0]
			left = append(left, left[0].Children...)
		}
	}
	return byName
}

func (m *Memory) tellSettings(at time.Duration, path string, was, is *config.Queue) {
	set := event{kind: eventQueue, object: path, change: changeSet}
	if was.Leaf != is.Leaf {
		set.detail, set.message = queueType, fmt.Sprint("leaf: ", is.Leaf)
		m.tell(at, set)
	}
	set.message = ""
	if !slices.Equal(was.Max, is.Max) {
		set.detail, set.resources = queueMax, is.Max
		m.tell(at, set)
	}
	if !slices.Equal(was.Guaranteed, is.Guaranteed) {
		set.detail, set.resources = queueGuaranteed, is.Guaranteed
		m.tell(at, set)
	}
}

// limited is a user or a group.
type limited struct {
	name  string
	group bool
}

// compare orders users before groups.
func (l limited) compare(o limited) int {
	switch {
	case l.group == o.group:
		return strings.Compare(l.name, o.name)
	case l.group:
		return 1
	}
	return -1
}

// limitsOf are the limits of a queue, by user and group.
func limitsOf(q *config.Queue) map[limited]config.Limit {
	all := map[limited]config.Limit{}
	for _, l := range q.Limits {
		for _, name := range l.Users {
			all[limited{name, false}] = l
		}
		for _, name := range l.Groups {
			all[limited{name, true}] = l
		}
	}
	return all
}

func (m *Memory) tellLimits(at time.Duration, path string, from, to *config.Queue) {
	was, is := limitsOf(from), limitsOf(to)
	all := maps.Clone(was)
	maps.Copy(all, is)
	for _, who := range slices.SortedFunc(maps.Keys(all), limited.compare) {
		before, existed := was[who]
		now, exists := is[who]
		e := event{kind: eventUserGroup, object: who.name, other: path, change: changeSet, detail: userLimit, resources: now.MaxResources}
		if who.group {
			e.detail = groupLimit
		}
		switch {
		case !exists:
			e.change = changeRemove
		case existed && slices.Equal(before.MaxResources, now.MaxResources) && before.MaxApplications == now.MaxApplications:
			continue
		case now.MaxApplications > 0:
			e.message = fmt.Sprint("maxapplications: ", now.MaxApplications)
		}
		m.tell(at, e)
	}
}
