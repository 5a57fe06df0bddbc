package app

import "github.com/quern-project/quern/core/policy"

// Column is what a column says of an ask, pending or allocated, to a policy that orders asks or ranks victims.
func (a *Ask) Column(c *policy.Column) float64 {
	switch c.Kind {
	case policy.Submitted:
		return float64(a.Seq)
	case policy.AskPriority:
		return float64(a.Priority)
	case policy.Asked:
		if t, ok := c.TypeIn(a.App.Leaf.Types); ok {
			return float64(a.Class.Demand[t])
		}
		return c.Default
	case policy.GangSize, policy.GangMin:
		return a.Atomic.column(c)
	case policy.Placeholder:
		if a.IsPlaceholder() {
			return 1
		}
		return 0
	}
	return a.App.column(c)
}

// column is what a column says of an application wherever one of its asks is described as well: its tags, its user, its group.
func (a *App) column(c *policy.Column) float64 {
	switch c.Kind {
	case policy.Tag:
		return policy.Number(a.Tags[c.Arg], c.Default)
	case policy.TagCode:
		return c.Code(a.Tags[c.Arg])
	case policy.UserCode:
		return c.Code(a.User)
	case policy.GroupCode:
		if a.Limits != nil {
			return c.Code(a.Limits.Group)
		}
		return 0
	case policy.UserLimitShare, policy.GroupLimitShare:
		if a.Limits == nil {
			return c.Default
		}
		if share, bounded := a.Limits.Trackers.Share(c.Kind == policy.GroupLimitShare); bounded {
			return float64(share)
		}
	}
	return c.Default
}

// column is what a column says of a gang; nil is none.
func (g *AtomicGang) column(c *policy.Column) float64 {
	switch {
	case g == nil:
		return 0
	case c.Kind == policy.GangMin:
		return float64(g.Min)
	}
	return float64(g.Members)
}

// firstWaiting is the first atomic gang of the application that has yet to be placed, or nil.
func (a *App) firstWaiting() *AtomicGang {
	for _, g := range a.AtomicGangs {
		if g.Waits() {
			return g
		}
	}
	return nil
}

// ReadsLimits reports whether the policy that orders applications reads how much of their limits is used.
func (l *Leaf) ReadsLimits() bool { return l.readsLimits }

// LimitUsed says that more or less is used of a limit that counts the application, and reports whether its place may be another
// one. An answer about an application without pending asks matters to the others only where the policy looks at siblings.
func (l *Leaf) LimitUsed(a *App) bool {
	if !l.readsLimits || a.Asks == 0 && l.table.Acting().Spec().Depends == policy.OnRow {
		return false
	}
	l.queue(a)
	return true
}
