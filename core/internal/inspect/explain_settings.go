package inspect

import (
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/queue"
)

// settings lists the properties in force for a queue, and the queue or template that sets each.
func (s *View) settings(q *queue.Queue) (list []explain.Setting) {
	all := q.Conf.InForce()
	if q.Parent == nil {
		all = append(all,
			config.Setting{Name: "preemption.patience", Value: s.Conf.Patience.String()},
			config.Setting{Name: "reservation.delay", Value: s.Conf.ReservationDelay.String()})
	}
	for _, in := range all {
		out := explain.Setting{Name: in.Name, Value: in.Value}
		if from := setBy(q, in.Name); from != nil {
			out.From = from.Shown
			if t := s.TemplateOf(from); t != nil {
				out.From, out.Template = t.Shown, true
			}
		}
		list = append(list, out)
	}
	return list
}

// setBy returns the queue or ancestor that sets the value of a property in force, or nil if the default is in force.
func setBy(q *queue.Queue, property string) (from *queue.Queue) {
	if _, inForce := q.Conf.Inherited[property]; !inForce {
		return nil
	}
	for at := q; at != nil; at = at.Parent {
		if at.Conf.IsDisabledHere(property) || from == nil && at.Conf.Sets(property) {
			from = at
		}
	}
	return from
}

// fenceOf returns the nearest preemption fence among a queue and its ancestors, or an empty string.
func fenceOf(q *queue.Queue) string {
	for ; q.Parent != nil; q = q.Parent {
		if q.Conf.PreemptionPolicy == config.PreemptionFence {
			return q.Shown
		}
	}
	return ""
}
