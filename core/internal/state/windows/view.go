package windows

import (
	"time"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/readonly"
)

// View reads the windows of a partition.
type View struct{ o *Windows }

// Len returns the number of windows.
func (v View) Len() int { return len(v.o.list) }

// At returns a window, by index. It is valid until the next change.
func (v View) At(i int) Window { return Window{&v.o.list[i]} }

// Find returns the index of the window with an ID, or -1.
func (v View) Find(id string) int {
	for i := range v.o.list {
		if v.o.list[i].ID == id {
			return i
		}
	}
	return -1
}

// On returns the indices of the windows that a node belongs to.
func (v View) On(slot int32) readonly.List[int32] {
	if int(slot) >= len(v.o.on) {
		return readonly.List[int32]{}
	}
	return readonly.Of(v.o.on[slot])
}

// Version returns a number that changes with the windows.
func (v View) Version() uint64 { return v.o.version }

// Next returns the next instant at which a window opens or closes.
func (v View) Next() (at time.Duration, ok bool) {
	for i := range v.o.list {
		at, ok = instant.Sooner(at, ok, v.o.list[i].next())
	}
	return at, ok
}

// next returns when the window opens or, if it is open, closes.
func (w *Spec) next() time.Duration {
	if w.Opened {
		return w.Until
	}
	return w.From
}

// Window reads one window.
type Window struct{ w *Spec }

// ID returns its ID.
func (w Window) ID() string { return w.w.ID }

// From returns when its present occurrence begins, or instant.Never if there is none to come.
func (w Window) From() time.Duration { return w.w.From }

// Until returns when its present occurrence ends, or instant.Never.
func (w Window) Until() time.Duration { return w.w.Until }

// Every returns how long after an occurrence the next begins, or 0 if that is not said so.
func (w Window) Every() time.Duration { return w.w.Every }

// IsOpen reports whether its occurrence has begun.
func (w Window) IsOpen() bool { return w.w.Opened }

// Next returns when it opens or, if it is open, closes.
func (w Window) Next() time.Duration { return w.w.next() }

// IsRecurring reports whether it opens again and again.
func (w Window) IsRecurring() bool { return w.w.conf != nil || w.w.Every > 0 }

// Configured returns the window of the configuration, or nil if an input has added it.
func (w Window) Configured() *config.Window { return w.w.conf }

// Occurrence returns the first occurrence that ends after an instant, or one that begins at instant.Never.
func (w Window) Occurrence(after time.Duration) (from, until time.Duration) { return w.w.at(after) }

// Names reports whether an application is named: by its queue or one above, by its user, or by a group.
func (w Window) Names(queue, user string, groups []string) bool {
	return w.w.names(queue, user, groups)
}

// Nodes returns the IDs of its nodes, sorted, as far as these are fixed.
func (w Window) Nodes() readonly.List[string] { return readonly.Of(w.w.Nodes) }

// Queues returns the queues that it names.
func (w Window) Queues() readonly.List[string] { return readonly.Of(w.w.Queues) }

// Users returns the users that it names.
func (w Window) Users() readonly.List[string] { return readonly.Of(w.w.Users) }

// Groups returns the groups that it names.
func (w Window) Groups() readonly.List[string] { return readonly.Of(w.w.Groups) }
