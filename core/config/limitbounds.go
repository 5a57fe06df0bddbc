package config

import (
	"math/bits"
	"slices"
	"strconv"

	"github.com/quern-project/quern/core/internal/access"
)

// mostSteps bounds the comparison of limits with those above, since names times types times levels can be much more than the length of the
// text. A hundred thousand users with four types, below four levels of limits, need a tenth of it.
const mostSteps = 1 << 25

// queueLimits reads the limits of a queue. Root has the limits of the partition.
func (d *decoder) queueLimits(s *scope, f *field) {
	q := s.queue
	if f != nil {
		s.limits = d.limits(q.Path, f.value)
	}
	if q.isRoot() && d.rootLimits != nil {
		if s.limits != nil && !sameLimits(s.limits, d.rootLimits) {
			d.add(f.at, q.Path, "limits", "the limits of the partition, or none", "other limits")
		}
		if s.limits == nil {
			s.limits = d.rootLimits
		}
	}
	if s.limits == nil {
		return
	}
	q.Limits = s.limits.list
	for i := range q.Limits {
		d.below(index("limits", i)+".", func() {
			d.limitWithinQueue(s, i)
			d.limitBelowOthers(s, i)
		})
	}
}

// limitWithinQueue compares a limit with the max and maxapplications of its queue.
func (d *decoder) limitWithinQueue(s *scope, i int) {
	q, t := s.queue, s.limits
	l, v := &t.list[i], t.values[i]
	if q.MaxApplications > 0 && l.MaxApplications > q.MaxApplications {
		d.tooMany(t.queue, v, l, q.MaxApplications, "the maxapplications of the queue")
	}
	for _, m := range l.MaxResources {
		if most, ok := amount(q.Max, m.Type); ok && m.Value > most {
			d.tooMuch(t.queue, "maxresources", v.field("maxresources").value, m, most, "the max of the queue")
		}
	}
}

func (d *decoder) tooMany(queue string, v *value, l *Limit, most uint64, whose string) {
	d.add(v.field("maxapplications").value.at, queue, "maxapplications", "at most "+utoa(most)+", "+whose, utoa(l.MaxApplications))
}

// limitBelowOthers compares a limit with those for the same users and groups in the queues above.
func (d *decoder) limitBelowOthers(s *scope, i int) {
	l := &s.limits.list[i]
	c := comparison{d: d, at: s, limit: l, value: s.limits.values[i], reported: map[string]bool{}}
	c.names("user", l.Users, (*limitTable).ofUser)
	c.names("group", l.Groups, (*limitTable).ofGroup)
}

// comparison compares one limit with those above it.
type comparison struct {
	d        *decoder
	at       *scope
	limit    *Limit
	value    *value          // of the limit
	reported map[string]bool // keys with an error; one is reported, even if it holds for several users or groups
	above    []limitAbove    // limits of the current name, from the nearest queue upwards
}

type limitAbove struct {
	*Limit
	path string
}

func (c *comparison) names(kind string, names []string, find func(*limitTable, string) *Limit) {
	clear(c.reported)
	for _, name := range names {
		c.above = c.above[:0]
		for a := c.at.nearestLimits(); a != nil; a = a.nearestLimits() {
			c.d.steps++
			if l := find(a.limits, name); l != nil {
				c.above = append(c.above, limitAbove{l, a.queue.Path})
				c.d.steps += len(c.limit.MaxResources) * bits.Len(uint(len(l.MaxResources)))
			}
		}
		if c.d.steps > mostSteps {
			c.end()
			return
		}
		if len(c.above) > 0 {
			c.applications(kind, name)
			c.resources(kind, name)
		}
	}
}

func (c *comparison) applications(kind, name string) {
	i := slices.IndexFunc(c.above, func(a limitAbove) bool { return a.MaxApplications > 0 })
	if i < 0 || c.limit.MaxApplications <= c.above[i].MaxApplications || c.reported["maxapplications"] {
		return
	}
	c.reported["maxapplications"] = true
	c.d.tooMany(c.at.limits.queue, c.value, c.limit, c.above[i].MaxApplications, c.whose(kind, name, c.above[i].path))
}

func (c *comparison) resources(kind, name string) {
	for _, m := range c.limit.MaxResources {
		most, path, ok := nearestBound(c.above, m.Type)
		if !ok || m.Value <= most || c.reported["maxresources."+m.Type] {
			continue
		}
		c.reported["maxresources."+m.Type] = true
		c.d.tooMuch(c.at.limits.queue, "maxresources", c.value.field("maxresources").value, m, most, c.whose(kind, name, path))
	}
}

// whose describes the limit above that is exceeded, for the end of an error.
func (c *comparison) whose(kind, name, path string) string {
	named := kind + " " + name
	if name == access.Wildcard {
		named = "all " + kind + "s"
	}
	return "the limit of " + named + " in " + c.d.shown(path)
}

// end ends the comparison, and reports that once.
func (c *comparison) end() {
	if !c.d.stepsEnded {
		c.d.stepsEnded = true
		c.d.add(c.value.at, c.at.limits.queue, "", "at most "+strconv.Itoa(mostSteps)+" steps to compare limits with those above", "more")
	}
}

// nearestBound returns the bound of a type in the nearest limit that has one.
func nearestBound(list []limitAbove, typ string) (most int64, path string, ok bool) {
	for _, a := range list {
		if most, ok := amount(a.MaxResources, typ); ok {
			return most, a.path, true
		}
	}
	return 0, "", false
}

// nearestLimits returns the nearest queue above with limits.
func (s *scope) nearestLimits() *scope {
	a := s.above
	for a != nil && a.limits == nil {
		a = a.above
	}
	return a
}
