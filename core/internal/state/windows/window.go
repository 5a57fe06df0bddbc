// Package windows owns the windows of a partition: when each is open, which nodes belong to it, and which applications it names.
//
// Windows is the owner. Package state has one for each partition, and only state changes it. Other packages read it through a View. A window has
// one occurrence at a time: the one that is open, or else the next.
package windows

import (
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
)

// Spec describes a window with its present occurrence. Its lists are never changed in place, since versions of the state share them.
type Spec struct {
	ID          string
	From, Until time.Duration // of the occurrence; Until is instant.Never if it stays open, and From if there is none to come
	Every       time.Duration // from one occurrence to the next; 0: there is one
	Opened      bool          // From has come

	Nodes  []string // the IDs of its nodes, sorted, as far as these are fixed
	Queues []string // in lower case
	Users  []string
	Groups []string

	conf *config.Window // nil unless it is in the configuration
}

// names reports whether an application is named: by its queue or one above, by its user, or by a group.
func (w *Spec) names(queue, user string, groups []string) bool {
	for _, q := range w.Queues {
		if strings.HasPrefix(queue, q) && (len(queue) == len(q) || queue[len(q)] == '.') {
			return true
		}
	}
	return slices.Contains(w.Users, user) || slices.ContainsFunc(groups, func(g string) bool { return slices.Contains(w.Groups, g) })
}

// at returns the first occurrence that ends after an instant, or one that begins at instant.Never.
func (w *Spec) at(after time.Duration) (from, until time.Duration) {
	switch {
	case w.Until > after && (w.From <= after || w.conf == nil && w.Every == 0):
		return w.From, w.Until
	case w.conf != nil:
		from = w.conf.Next(w.conf.Duration.Before(after))
		return from, w.conf.Duration.After(from)
	case w.Every == 0:
		return instant.Never, instant.Never
	}
	return w.recurrence(after)
}

// recurrence is at for a window that comes again and again at equal intervals.
func (w *Spec) recurrence(after time.Duration) (from, until time.Duration) {
	if w.Until > after {
		return w.From, w.Until
	}
	past := instant.Sub(after, w.Until)
	shift := instant.Sub(past, past%w.Every) // the occurrence at which that much has passed ends at after or before
	from, until = instant.Add(instant.Add(w.From, shift), w.Every), instant.Add(instant.Add(w.Until, shift), w.Every)
	if until == instant.Never {
		return instant.Never, instant.Never
	}
	return from, until
}

// fixed reports whether the nodes of a window are those of its list.
func (w *Spec) fixed() bool { return w.conf == nil || w.conf.Nodes != nil }

// has reports whether a node belongs to a window, and whether it must be added to its list for that.
func (w *Spec) has(id string, attribute func(string) (string, bool)) (member, joins bool) {
	if !w.fixed() && w.conf.Count == 0 {
		return w.meets(attribute), false
	}
	if _, listed := slices.BinarySearch(w.Nodes, id); listed {
		return true, false
	}
	joins = !w.fixed() && len(w.Nodes) < w.conf.Count && w.meets(attribute)
	return joins, joins
}

// meets reports whether attributes meet the constraints of a configured window.
func (w *Spec) meets(attribute func(string) (string, bool)) bool {
	return Meets(w.conf.Constraints, attribute)
}

// Meets reports whether attributes meet constraints: each is there with one of the values.
func Meets(constraints map[string][]string, attribute func(string) (string, bool)) bool {
	for name, values := range constraints {
		if value, has := attribute(name); !has || !slices.Contains(values, value) {
			return false
		}
	}
	return true
}
