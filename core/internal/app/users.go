package app

import (
	"slices"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/state/aged"
	"github.com/quern-project/quern/core/policy"
)

// UsageOf returns the usage by which a leaf compares a user now. ok is false if the user has used nothing.
type UsageOf func(user string) (r aged.Reader, ok bool)

// UserUsage is how a leaf compares the usage of its users.
type UserUsage struct {
	Of       UsageOf
	HalfLife instant.Delay // 0: their usage does not age
}

// users holds the applications of a leaf by user, if it compares the usage of users: all applications of a user have equal keys.
type users struct {
	usage UserUsage
	of    map[string]*user
}

type user struct {
	apps    []*application
	keys    []int64 // negated shares, largest share first
	current bool    // keys are up to date
}

// groupByUser makes the users of all applications.
func (l *leaf) groupByUser(usage UserUsage) {
	l.users = &users{usage: usage, of: map[string]*user{}}
	for _, a := range l.apps.Items {
		if a != nil {
			l.users.add(a)
		}
	}
}

func (u *users) add(a *application) {
	name := a.User()
	of := u.of[name]
	if of == nil {
		of = &user{}
		u.of[name] = of
	}
	of.apps = append(of.apps, a)
}

func (u *users) remove(a *application) {
	name := a.User()
	of := u.of[name]
	of.apps = slices.DeleteFunc(of.apps, func(other *application) bool { return other == a })
	if len(of.apps) == 0 {
		delete(u.of, name)
	}
}

// UserChanged must be called when the usage of a user changes, since the places of all applications of that user may change.
func (l *OwnedLeaf) UserChanged(name string) {
	if l.users == nil {
		return
	}
	of := l.users.of[name]
	if of == nil || l.table != nil && l.users.usage.HalfLife > 0 { // a module reads aged usage, which changes with time alone
		return
	}
	of.current = false
	for _, a := range of.apps {
		if a.waits > 0 || l.table != nil && l.table.Acting().Spec().Depends == policy.OnSiblings {
			l.queue(a)
		}
	}
}

// outdate makes the next Sync compute the keys of all users.
func (u *users) outdate() {
	for _, of := range u.of {
		of.current = false
	}
}

// setUserShares writes the shares of an application's user to its keys.
func (l *leaf) setUserShares(a *application) {
	of := l.users.of[a.User()]
	if !of.current {
		of.current = true
		l.listUserShares(a.User())
		of.keys = append(of.keys[:0], l.shares...)
	}
	putKeys(l.keysOf(a.slot), of.keys)
}

// listUserShares is listShares for a user.
func (l *leaf) listUserShares(name string) {
	l.shares = l.shares[:0]
	usage, ok := l.users.usage.Of(name)
	if !ok {
		return
	}
	for t := range l.denominators {
		if used := usage.Type(t); !used.IsZero() {
			l.shares = append(l.shares, -used.Share(l.denominators[t]))
		}
	}
	slices.Sort(l.shares)
}

// userColumn returns the value of a column about the usage of an application's user.
func (l *leaf) userColumn(a *application, c *policy.Column) float64 {
	if c.Kind == policy.HalfLife {
		return policy.Seconds(int64(l.users.usage.HalfLife), c.Default)
	}
	t, known := c.TypeIn(l.types.View())
	if !known {
		return c.Default
	}
	usage, ok := l.users.usage.Of(a.User())
	if !ok {
		return 0
	}
	if l.users.usage.HalfLife == 0 {
		used := usage.Type(t)
		return used.Float()
	}
	past := usage.Aged(t)
	return past.Float()
}
