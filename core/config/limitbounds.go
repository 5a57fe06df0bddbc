package config

import (
	"slices"
	"strconv"

	"github.com/quern-project/quern/core/internal/access"
)

// mostComparisons bounds how often a limit is compared with one above: names times types times levels could be far more
// than the length of the text.
const mostComparisons = 1 << 26

// queueLimits reads the limits of a queue. Those of the partition are those of root.
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

// limitWithinQueue holds a limit against the max and maxapplications of its queue.
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

// limitBelowOthers holds a limit against those that hold for the same users and groups in the queues above.
func (d *decoder) limitBelowOthers(s *scope, i int) {
	l := &s.limits.list[i]
	d.holdLimits(s, i, l.Users, "user ", (*limitTable).ofUser)
	d.holdLimits(s, i, l.Groups, "group ", (*limitTable).ofGroup)
}

// above is a limit of a queue above.
type above struct {
	limit *Limit
	path  string
}

func (d *decoder) holdLimits(s *scope, i int, names []string, whose string, find func(*limitTable, string) *Limit) {
	own, v := &s.limits.list[i], s.limits.values[i]
	told := map[string]bool{} // one error for each type is enough, however many users there are
	var chain []above
	for _, name := range names {
		chain = chain[:0]
		for a := s.nearestLimits(); a != nil; a = a.nearestLimits() {
			if l := find(a.limits, name); l != nil {
				chain = append(chain, above{l, a.queue.Path})
			}
		}
		if name == access.Everybody {
			whose, name = "all "+whose[:len(whose)-1]+"s", ""
		}
		if d.compared += (1 + len(chain)) * (1 + len(own.MaxResources)); d.compared > mostComparisons {
			d.tooManyComparisons(s, v)
			return
		}
		d.holdApplications(s, v, own, chain, "the limit of "+whose+name, told)
		for _, m := range own.MaxResources {
			most, path, ok := nearestBound(chain, m.Type)
			if ok && m.Value > most && !told[m.Type] {
				told[m.Type] = true
				d.tooMuch(s.limits.queue, "maxresources", v.field("maxresources").value, m, most, "the limit of "+whose+name+" in "+d.shown(path))
			}
		}
	}
}

func (d *decoder) holdApplications(s *scope, v *value, own *Limit, chain []above, whose string, told map[string]bool) {
	i := slices.IndexFunc(chain, func(a above) bool { return a.limit.MaxApplications > 0 })
	if i < 0 || own.MaxApplications <= chain[i].limit.MaxApplications || told["maxapplications"] {
		return
	}
	told["maxapplications"] = true
	d.tooMany(s.limits.queue, v, own, chain[i].limit.MaxApplications, whose+" in "+d.shown(chain[i].path))
}

func nearestBound(chain []above, typ string) (most int64, path string, ok bool) {
	for _, a := range chain {
		if most, ok := amount(a.limit.MaxResources, typ); ok {
			return most, a.path, true
		}
	}
	return 0, "", false
}

// tooManyComparisons is said once.
func (d *decoder) tooManyComparisons(s *scope, v *value) {
	if !d.compareEnded {
		d.compareEnded = true
		d.add(v.at, s.limits.queue, "", "at most "+strconv.Itoa(mostComparisons)+" comparisons of limits with those above", "more")
	}
}

// nearestLimits is the nearest queue above that has limits.
func (s *scope) nearestLimits() *scope {
	a := s.above
	for a != nil && a.limits == nil {
		a = a.above
	}
	return a
}
