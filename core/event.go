package core

import (
	"time"

	"github.com/quern-project/quern/core/resource"
)

// Event describes what happened. Each kind is a type of this package, used by pointer, with exactly the fields that the scheduler
// reads. The scheduler keeps the strings, sets and maps of an event but not the event itself. The caller must not change them
// afterwards.
type Event interface {
	// Type returns the kind, as the journal names it.
	Type() InputType

	id() string // of the node, application, ask or window; empty if it has none
	clone() Event
}

// Events returns an empty event of each kind, in the order of the input types.
func Events() []Event {
	return []Event{
		&AddNode{}, &UpdateNode{}, &DrainNode{}, &ResumeNode{}, &RemoveNode{}, &AddApp{}, &RemoveApp{}, &MoveApp{}, &AddAsk{}, &UpdateAsk{}, &RemoveAsk{},
		&ReleaseAllocation{}, &RestoreAllocation{}, &AddWindow{}, &RemoveWindow{}, &SetConfig{}, &SetPolicy{}, &RemovePolicy{}, &RecordAnswers{}, &SetState{}, &Tick{},
	}
}

// AddNode adds a node to a partition.
type AddNode struct {
	ID              string
	Partition       string // in any case; empty for the first partition
	Capacity        resource.Set
	Occupied        resource.Set // used by others than this scheduler
	Attributes      map[string]string
	Unschedulable   bool             // the node starts drained
	Devices         []Devices        // by type, bytewise; their sums are part of the node's capacity, which does not name them
	OccupiedDevices []OccupiedDevice // by type and ID, bytewise
}

// UpdateNode changes a node. A nil field leaves the value unchanged; an empty map or set replaces it by nothing.
type UpdateNode struct {
	ID              string
	Capacity        resource.Set
	Occupied        resource.Set
	Attributes      map[string]string
	Devices         []Devices // of the types whose list is replaced, bytewise
	OccupiedDevices []OccupiedDevice
}

// DrainNode excludes a node from new allocations.
type DrainNode struct{ ID string }

// ResumeNode ends the draining of a node.
type ResumeNode struct{ ID string }

// RemoveNode removes a node with all its allocations.
type RemoveNode struct{ ID string }

// AddApp submits an application.
type AddApp struct {
	ID           string
	Partition    string // in any case; empty for the first partition
	Queue        string // full name, in any case; may be empty if placement rules apply
	User         string
	Groups       []string
	Tags         map[string]string
	Placeholders *Placeholders  // nil if it is not a gang application
	Succeeded    map[string]int // by atomic gang, the number of members that had succeeded before; each 1 or more
}

// RemoveApp ends an application with all its asks and allocations.
type RemoveApp struct{ ID string }

// MoveApp moves an application to another queue of its partition.
type MoveApp struct {
	ID    string
	Queue string // full name, in any case
}

// AddAsk adds a pending ask to an application.
type AddAsk struct {
	ID        string
	App       string
	Resources resource.Set
	Ask
}

// UpdateAsk changes a pending ask. For an allocation, it only changes Preemptable and Walltime, or sets Leaving. Nil and empty fields leave
// values unchanged.
type UpdateAsk struct {
	ID          string
	Resources   resource.Set
	Priority    *int32
	Preemptable *bool
	Predicate   string
	Walltime    time.Duration // 0: unchanged
	Devices     []DeviceAsk   // by type, bytewise
	Leaving     bool          // the allocation is ending for reasons outside of the scheduler; no other field is read
}

// RemoveAsk withdraws a pending ask.
type RemoveAsk struct{ ID string }

// ReleaseAllocation ends an allocation.
type ReleaseAllocation struct {
	ID     string
	Failed bool // its work failed; otherwise, a member of an atomic gang has succeeded
}

// RestoreAllocation adds an ask that is already running on a node.
type RestoreAllocation struct {
	AddAsk
	PlacedOn      string          // ID of the node
	Since         *time.Duration  `json:",omitempty"` // when it was made, from which its walltime counts; nil: now
	PlacedDevices []PlacedDevices `json:",omitempty"` // by type, bytewise; nil: the scheduler chooses the devices
}

// SetConfig replaces the configuration.
type SetConfig struct {
	Config string // the text
	Format string // "yaml" (default) or "toml"
	File   string // for error messages; may be empty
}

// SetPolicy announces a policy, or a new version of it.
type SetPolicy struct{ PolicyModule }

// RemovePolicy withdraws a policy.
type RemovePolicy struct{ Name string }

// RecordAnswers replays what a policy answered to one call.
type RecordAnswers struct{ Answers }

// SetState loads a part of a snapshot.
type SetState struct{ StatePart }

// Tick lets time pass without another event.
type Tick struct{}

// Type implements Event.
func (*AddNode) Type() InputType           { return NodeAdd }
func (*UpdateNode) Type() InputType        { return NodeUpdate }
func (*DrainNode) Type() InputType         { return NodeDrain }
func (*ResumeNode) Type() InputType        { return NodeResume }
func (*RemoveNode) Type() InputType        { return NodeRemove }
func (*AddApp) Type() InputType            { return AppAdd }
func (*RemoveApp) Type() InputType         { return AppRemove }
func (*MoveApp) Type() InputType           { return AppMove }
func (*AddAsk) Type() InputType            { return AskAdd }
func (*UpdateAsk) Type() InputType         { return AskUpdate }
func (*RemoveAsk) Type() InputType         { return AskRemove }
func (*ReleaseAllocation) Type() InputType { return AllocationRelease }
func (*RestoreAllocation) Type() InputType { return AllocationRestore }
func (*SetConfig) Type() InputType         { return ConfigSet }
func (*SetPolicy) Type() InputType         { return PolicySet }
func (*RemovePolicy) Type() InputType      { return PolicyRemove }
func (*RecordAnswers) Type() InputType     { return PolicyAnswers }
func (*SetState) Type() InputType          { return StateSet }
func (*Tick) Type() InputType              { return TickInput }

func (e *AddNode) id() string           { return e.ID }
func (e *UpdateNode) id() string        { return e.ID }
func (e *DrainNode) id() string         { return e.ID }
func (e *ResumeNode) id() string        { return e.ID }
func (e *RemoveNode) id() string        { return e.ID }
func (e *AddApp) id() string            { return e.ID }
func (e *RemoveApp) id() string         { return e.ID }
func (e *MoveApp) id() string           { return e.ID }
func (e *AddAsk) id() string            { return e.ID }
func (e *UpdateAsk) id() string         { return e.ID }
func (e *RemoveAsk) id() string         { return e.ID }
func (e *ReleaseAllocation) id() string { return e.ID }
func (*SetConfig) id() string           { return "" }
func (*SetPolicy) id() string           { return "" }
func (*RemovePolicy) id() string        { return "" }
func (*RecordAnswers) id() string       { return "" }
func (*SetState) id() string            { return "" }
func (*Tick) id() string                { return "" }

func cloned[E any](e *E) *E { return new(*e) }

func (e *AddNode) clone() Event           { return cloned(e) }
func (e *UpdateNode) clone() Event        { return cloned(e) }
func (e *DrainNode) clone() Event         { return cloned(e) }
func (e *ResumeNode) clone() Event        { return cloned(e) }
func (e *RemoveNode) clone() Event        { return cloned(e) }
func (e *AddApp) clone() Event            { return cloned(e) }
func (e *RemoveApp) clone() Event         { return cloned(e) }
func (e *MoveApp) clone() Event           { return cloned(e) }
func (e *AddAsk) clone() Event            { return cloned(e) }
func (e *UpdateAsk) clone() Event         { return cloned(e) }
func (e *RemoveAsk) clone() Event         { return cloned(e) }
func (e *ReleaseAllocation) clone() Event { return cloned(e) }
func (e *RestoreAllocation) clone() Event { return cloned(e) }
func (e *SetConfig) clone() Event         { return cloned(e) }
func (e *SetPolicy) clone() Event         { return cloned(e) }
func (e *RemovePolicy) clone() Event      { return cloned(e) }
func (e *RecordAnswers) clone() Event     { return cloned(e) }
func (e *SetState) clone() Event          { return cloned(e) }
func (e *Tick) clone() Event              { return cloned(e) }
