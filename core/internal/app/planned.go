package app

import (
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// OrdersByUsage reports whether usage orders the applications, by a built-in rule.
func (l *leaf) OrdersByUsage() bool { return l.fair }

// SharesUsage reports whether two applications are ordered by the same usage: they are one, or of one user whose usage is compared.
func (l *leaf) SharesUsage(a, b App) bool {
	return a == b || l.users != nil && a.User() == b.User()
}

// CompareWith compares two turns with pending asks of a leaf that OrdersByUsage, as if their applications or users used more.
func (l *leaf) CompareWith(a Turn, moreA resource.Vec, b Turn, moreB resource.Vec) int {
	return slices.Compare(l.keyWith(a, moreA), l.keyWith(b, moreB))
}

// keyWith returns the key of a turn as if its application or user used more.
func (l *leaf) keyWith(t Turn, more resource.Vec) []int64 {
	key := l.orderOf(t).Key(t.slot)
	if more == nil {
		return key
	}
	key = slices.Clone(key)
	l.shares = l.shares[:0]
	if l.users == nil {
		for i := range l.denominators {
			if used := resource.Add(t.asks.values.UsedOf(t.number, i), more[i]); used > 0 {
				l.shares = append(l.shares, -resource.Share(used, l.denominators[i]))
			}
		}
	} else if usage, ok := l.users.usage.Of(t.User()); ok {
		for i := range l.denominators {
			if used := usage.TypeWith(i, more[i]); !used.IsZero() {
				l.shares = append(l.shares, -used.Share(l.denominators[i]))
			}
		}
	}
	slices.Sort(l.shares)
	putKeys(key[1:1+l.keyLen], l.shares)
	return key
}
