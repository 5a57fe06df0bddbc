package inspect

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/decay"
	"github.com/quern-project/quern/core/internal/state/aged"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// addAging adds the usage that orders by aged usage compare to the description of a queue.
func (s *View) addAging(d *core.QueueDump, q queues.ID) {
	tree := s.Queues()
	if id := s.AgedOf(q); id != aged.None {
		of := s.readAged(id, s.ShownUsage(q), q, tree.Conf(tree.Parent(q)))
		of.BelowGuaranteed = tree.IsBelowGuaranteed(q)
		d.Aged = &of
	}
	if !s.ComparesUsers(q) {
		return
	}
	for _, id := range s.Aged().Users(tree.Path(q)) {
		user := s.Aged().Name(id).User
		usage, _ := s.UserUsage(q, user)
		if of := s.readAged(id, usage, q, tree.Conf(q)); len(of.Types) > 0 {
			d.Users = append(d.Users, core.AgedUser{User: user, Aged: of})
		}
	}
}

// readAged describes a record. Its shares are those of a queue; the settings are those of the order that compares it.
func (s *View) readAged(id aged.ID, compared aged.Reader, q queues.ID, by *config.Queue) core.Aged {
	d := core.Aged{HalfLife: time.Duration(s.Aged().HalfLife(id)), LookAhead: time.Duration(by.LookAhead())}
	total := s.Nodes().Total()
	for t := range s.Types().Len() {
		now, shown := decay.Amount{}, compared.Type(t)
		if d.HalfLife > 0 {
			now = s.Aged().At(id, t, s.Now())
		}
		used := s.Aged().Usage(id, t)
		if used == 0 && now.IsZero() && shown.IsZero() {
			continue
		}
		d.Types = append(d.Types, core.AgedAmount{Type: s.Types().Name(t), Used: used, Aged: fraction(now), Compared: fraction(shown)})
		if !shown.IsZero() {
			d.Share = max(d.Share, shown.Share(s.Queues().Denominator(q, t, total)))
		}
	}
	slices.SortFunc(d.Types, func(a, b core.AgedAmount) int { return cmp.Compare(a.Type, b.Type) })
	return d
}

func fraction(a decay.Amount) core.Fraction {
	units, part := a.Units()
	return core.Fraction{Units: units, Part: part}
}
