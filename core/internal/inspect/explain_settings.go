package inspect

import (
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// settings lists the properties in force for a queue, and the queue or template that sets each.
func (s *View) settings(q queues.ID) (list []explain.Setting) {
	tree := s.Queues()
	all := tree.Conf(q).InForce()
	if tree.Parent(q) == queues.None {
		all = append(all,
			config.Setting{Name: "gang.accumulate-after", Value: s.Conf().AccumulateAfter.String()},
			config.Setting{Name: "gang.accumulate-for", Value: s.Conf().AccumulateFor.String()},
			config.Setting{Name: "preemption.patience", Value: s.Conf().Patience.String()},
			config.Setting{Name: "reservation.delay", Value: s.ReservationDelay().String()})
	}
	for _, in := range all {
		out := explain.Setting{Name: in.Name, Value: in.Value}
		if from := setBy(tree, q, in.Name); from != queues.None {
			out.From = tree.Shown(from)
			if t := s.TemplateOf(from); t != queues.None {
				out.From, out.Template = tree.Shown(t), true
			}
		}
		list = append(list, out)
	}
	return list
}

// setBy returns the queue or ancestor that sets the value of a property in force, or None if the default is in force.
func setBy(tree queues.View, q queues.ID, property string) (from queues.ID) {
	if _, inForce := tree.Conf(q).Inherited[property]; !inForce {
		return queues.None
	}
	for at := q; at != queues.None; at = tree.Parent(at) {
		if conf := tree.Conf(at); conf.IsDisabledHere(property) || from == queues.None && conf.Sets(property) {
			from = at
		}
	}
	return from
}

// fenceOf returns the nearest preemption fence among a queue and its ancestors, or an empty string.
func fenceOf(tree queues.View, q queues.ID) string {
	for ; tree.Parent(q) != queues.None; q = tree.Parent(q) {
		if tree.Conf(q).PreemptionPolicy == config.PreemptionFence {
			return tree.Shown(q)
		}
	}
	return ""
}
