package app

import "github.com/quern-project/quern/core/policy"

// Column returns the value of a column for an ask, pending or allocated. Policies that order asks or rank victims read it.
func (a Ask) Column(c *policy.Column) float64 {
	switch c.Kind {
	case policy.Submitted:
		return float64(a.Seq())
	case policy.AskPriority:
		return float64(a.Priority())
	case policy.Asked:
		if t, ok := c.TypeIn(a.App().leaf.types.View()); ok {
			return float64(a.Class().Demand().At(t))
		}
		return c.Default
	case policy.GangSize, policy.GangMin, policy.GangSurplus:
		return a.Atomic().column(c)
	case policy.Walltime:
		return policy.Seconds(int64(a.Walltime().Limit), c.Default)
	case policy.SubmittedAt:
		return a.Created().Seconds()
	case policy.Placeholder:
		if a.IsPlaceholder() {
			return 1
		}
		return 0
	}
	return a.App().column(c)
}

// column returns the value of a column that applications and their asks have in common: of tags, user, group and limits.
func (a *application) column(c *policy.Column) float64 {
	switch c.Kind {
	case policy.Tag:
		return policy.Number(a.Tag(c.Arg), c.Default)
	case policy.TagCode:
		return c.Code(a.Tag(c.Arg))
	case policy.UserCode:
		return c.Code(a.User())
	case policy.GroupCode:
		if a.limits != nil {
			return c.Code(a.limits.group)
		}
		return 0
	case policy.UserLimitShare, policy.GroupLimitShare:
		if a.limits == nil {
			return c.Default
		}
		if share, bounded := a.limits.trackers.Share(c.Kind == policy.GroupLimitShare); bounded {
			return float64(share)
		}
	}
	return c.Default
}

// column returns the value of a column for a gang, or 0 for nil.
func (g *atomicGang) column(c *policy.Column) float64 {
	switch {
	case g == nil:
		return 0
	case c.Kind == policy.GangMin:
		return float64(g.row.Min)
	case c.Kind == policy.GangSurplus:
		return float64(g.Surplus())
	}
	return float64(g.row.Members)
}

// firstWaiting returns the application's first atomic gang that has not been allocated yet, or nil.
func (a *application) firstWaiting() *atomicGang {
	for _, g := range a.atomicGangs {
		if g.Waits() {
			return g
		}
	}
	return nil
}

// ReadsLimits reports whether the policy that orders applications reads the usage of their limits.
func (l *leaf) ReadsLimits() bool { return l.readsLimits }

// LimitUsed must be called when the usage of one of the application's limits changes. It reports whether the application's place in
// the order may change. Without pending asks, it matters only to policies whose answers depend on siblings.
func (l *leaf) LimitUsed(a App) bool {
	if !l.readsLimits || a.waits == 0 && l.table.Acting().Spec().Depends == policy.OnRow {
		return false
	}
	l.queue(a.application)
	return true
}
