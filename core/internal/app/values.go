package app

import (
	"time"

	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/resource"
)

// AppWithID returns the live application with an ID, or none.
func (s *reader) AppWithID(id string) App { return App{s.apps[s.values.Find(id)]} }

// Apps calls yield with every live application, in no particular order. Callers must sort what depends on it.
func (s *reader) Apps(yield func(App) bool) {
	s.values.All(func(number apps.ID) bool { return yield(App{s.apps[number]}) })
}

// Leaf returns its leaf.
func (a *application) Leaf() Leaf { return Leaf{a.leaf} }

// AtomicGangs calls yield with its atomic gangs that have members, in the order of their first members.
func (a *application) AtomicGangs(yield func(AtomicGang) bool) {
	for _, g := range a.atomicGangs {
		if !yield(AtomicGang{g}) {
			return
		}
	}
}

// Number returns the number that rows of its asks contain.
func (a *application) Number() apps.ID { return a.number }

// Ended reports whether the application is in a terminal state.
func (a *application) Ended() bool { return a.number == apps.None || a.State().Terminal() }

// ID returns the ID that its submitter has given it.
func (a *application) ID() string { return a.asks.values.ID(a.number) }

// Seq returns its number in the order of submission over the partition, from 1.
func (a *application) Seq() uint64 { return a.asks.values.Seq(a.number) }

// State returns its state.
func (a *application) State() apps.State { return a.asks.values.State(a.number) }

// Since returns when it got its state.
func (a *application) Since() time.Duration { return a.asks.values.Since(a.number) }

// Submitted returns when it was submitted.
func (a *application) Submitted() time.Duration { return a.asks.values.At(a.number).Submitted }

// PendingAsks returns the number of its pending asks.
func (a *application) PendingAsks() int { return a.asks.values.Pending(a.number) }

// Allocations returns the number of its allocations.
func (a *application) Allocations() int { return a.asks.values.Allocations(a.number) }

// AllocationsMade returns the number of allocations that it ever got, restored ones included.
func (a *application) AllocationsMade() int { return int(a.asks.values.Made(a.number)) }

// Preempted returns how many of its allocations were preempted.
func (a *application) Preempted() int64 { return a.asks.values.Preempted(a.number) }

// Claims returns the number of its asks with a claim. With a claim, it counts under maxapplications.
func (a *application) Claims() int { return a.asks.values.Claims(a.number) }

// User returns its user.
func (a *application) User() string { return a.asks.values.User(a.number) }

// Groups returns the groups of its user. The caller owns the slice.
func (a *application) Groups() []string { return a.asks.values.Groups(a.number) }

// Tag returns the value of a tag, or an empty string.
func (a *application) Tag(name string) string { return a.asks.values.Tag(a.number, name) }

// Tags returns all tags. The caller owns the map.
func (a *application) Tags() map[string]string { return a.asks.values.Tags(a.number) }

// Placement returns how the placement rules chose its queue, or nil if they did not.
func (a *application) Placement() *placement.Outcome { return a.asks.values.Placement(a.number) }

// Used returns the amounts that its allocations use. The caller owns the vector.
func (a *application) Used() resource.Vec { return a.asks.values.Used(a.number) }

// Waiting returns the amounts that its pending asks ask for. The caller owns the vector.
func (a *application) Waiting() resource.Vec { return a.asks.values.Waiting(a.number) }
