package core

import (
	"time"

	"github.com/quern-project/quern/core/resource"
)

// Input is an event with its time and author.
type Input struct {
	At    time.Duration // since the start of the journal, or since the Unix epoch; never decreases
	By    string        // the user who caused it, for the record; the scheduler does not read it
	Event Event
}

// Type returns the type of the event, or an empty string if there is none.
func (in Input) Type() InputType {
	if in.Event == nil {
		return ""
	}
	return in.Event.Type()
}

// ID returns the ID of the node, application, ask or window that the event is about, or an empty string if it is about none of them.
func (in Input) ID() string {
	if in.Event == nil {
		return ""
	}
	return in.Event.id()
}

// Ask returns the ask that the event adds, as pending or as an allocation, or nil if it adds none.
func (in Input) Ask() *AddAsk {
	switch e := in.Event.(type) {
	case *AddAsk:
		return e
	case *RestoreAllocation:
		return &e.AddAsk
	default:
		return nil
	}
}

// Clone returns the input with its own copy of the event, for callers that keep it while the event is reused.
func (in Input) Clone() Input {
	if in.Event != nil {
		in.Event = in.Event.clone()
	}
	return in
}

// InputType names a kind of event. The names are those of the journal.
type InputType string

// The inputs, each with its event type.
const (
	NodeAdd           InputType = "node.add"           // AddNode
	NodeUpdate        InputType = "node.update"        // UpdateNode
	NodeDrain         InputType = "node.drain"         // DrainNode
	NodeResume        InputType = "node.resume"        // ResumeNode
	NodeRemove        InputType = "node.remove"        // RemoveNode
	AppAdd            InputType = "app.add"            // AddApp
	AppRemove         InputType = "app.remove"         // RemoveApp
	AppMove           InputType = "app.move"           // MoveApp
	AskAdd            InputType = "ask.add"            // AddAsk
	AskUpdate         InputType = "ask.update"         // UpdateAsk
	AskRemove         InputType = "ask.remove"         // RemoveAsk
	AllocationRelease InputType = "allocation.release" // ReleaseAllocation
	AllocationRestore InputType = "allocation.restore" // RestoreAllocation
	ConfigSet         InputType = "config.set"         // SetConfig
	WindowAdd         InputType = "window.add"         // AddWindow
	WindowRemove      InputType = "window.remove"      // RemoveWindow
	PolicySet         InputType = "policy.set"         // SetPolicy
	PolicyRemove      InputType = "policy.remove"      // RemovePolicy
	PolicyAnswers     InputType = "policy.answers"     // RecordAnswers
	StateSet          InputType = "state.set"          // SetState
	TickInput         InputType = "tick"               // Tick
)

// Ask holds the properties of an ask apart from its resources.
type Ask struct {
	Priority        int32               `json:",omitempty"`
	Node            string              `json:",omitempty"` // required node; empty for any
	Constraints     map[string][]string `json:",omitempty"` // allowed values by node attribute; a node must have all of these attributes
	Predicate       string              `json:",omitempty"` // ID of a host predicate; empty if none
	Originator      bool                `json:",omitempty"`
	NoPreemptOthers bool                `json:",omitempty"` // `preempt_others: false`
	NotPreemptable  bool                `json:",omitempty"` // `preemptable: false`
	TaskGroup       string              `json:",omitempty"`
	Placeholder     bool                `json:",omitempty"`
	Gang            *Gang               `json:",omitempty"` // nil if the ask is placed individually
	Topology        Topology            `json:",omitzero"`
	Walltime        time.Duration       `json:",omitempty"` // its allocation promises to end that long after it was made; 0: as its queue says
	Overrun         Overrun             `json:",omitempty"` // what happens to an allocation that stays longer
	MinRuntime      time.Duration       `json:",omitempty"` // how long its allocation runs before it may be preempted, up to the most that its queue permits; 0: as its queue says
	Movable         bool                `json:",omitempty"` // once allocated, it may be moved to another node: package consolidation proposes moves
	Devices         []DeviceAsk         `json:",omitempty"` // by type, bytewise; each type once, and none of them in the resources
}

// Overrun says what happens to an allocation that stays after its promised end.
type Overrun string

// The overruns, as the journal names them. The default, OverrunInQueue, is written by leaving the key out.
const (
	OverrunInQueue Overrun = ""      // as the property walltime.overrun of the queue says
	OverrunEnd     Overrun = "end"   // it is asked to leave
	OverrunAllow   Overrun = "allow" // it may stay
)

// Topology says which domain of nodes an ask is placed in: at most one of Required and Preferred is given. The members of a gang that are placed together
// are placed in one domain; an individual ask is placed on a node that is in a domain.
type Topology struct {
	Required  string `json:",omitempty"` // the level of the domain
	Preferred string `json:",omitempty"` // the level of the domain, if there is room in one; otherwise a wider one, or any nodes
	Slice     Slice  `json:",omitzero"`  // of the members of a gang
}

// IsZero reports whether an ask says nothing about domains. It costs less than a comparison with the zero value.
func (t *Topology) IsZero() bool {
	return t.Required == "" && t.Preferred == "" && t.Slice.Size == 0 && t.Slice.Level == ""
}

// Slice divides the members of a gang, in order, into slices of equal size. Each slice is placed in one domain of a level, which lies below
// that of the whole gang.
type Slice struct {
	Level string
	Size  int // 1 or more; 0 if there are no slices
}

// Placeholders make an application a gang: placeholders reserve room until all of its tasks fit.
type Placeholders struct {
	Ask     resource.Set  // sum of the placeholders; if it is empty or all zero, the application is not a gang
	Hard    bool          // if the gang does not form in time, the application fails; otherwise its tasks continue without a gang
	Timeout time.Duration // from the first allocated placeholder; 0 is 15 minutes
	// Unit has the application preempted as one, once its gang is formed: victims leave it allocations that add up to Ask, or none.
	Unit bool `json:",omitempty"`
}

// Gang makes an ask a member of an atomic gang: the first Min members are placed by one decision, or none of them is.
type Gang struct {
	ID       string        // within the application
	Min      int           // 1 or more
	Timeout  time.Duration // from the first member; 0 lets the gang wait without limit
	Fallback bool          `json:",omitempty"` // after Timeout, its members are placed individually; otherwise they are rejected

	Disruption Disruption `json:",omitempty"`
	Repair     Repair     `json:",omitzero"`
	Set        string     `json:",omitempty"` // of gangs of the application that start together; empty if it starts by itself
	SetMin     int        `json:",omitempty"` // number of gangs of the set that start together; 1 or more if Set is not empty
	Max        int        `json:",omitempty"` // the most members at a time, at least Min; 0: no bound, and no member is preempted to start another gang
}

// Disruption says what a set of victims may take from a gang that is allocated.
type Disruption string

// The disruptions, as the journal names them. The default, DisruptUnit, is written by leaving the key out.
const (
	DisruptUnit   Disruption = ""       // members beyond Min, or all members
	DisruptWhole  Disruption = "whole"  // all members
	DisruptMember Disruption = "member" // any member
)

// Repair bounds how long a gang may be broken before its last members must leave.
type Repair struct {
	Bounded bool          // otherwise a broken gang waits for its repair without limit
	Within  time.Duration // if Bounded; 0 ends a broken gang at once
}

// PolicyModule describes an announced policy.
type PolicyModule struct {
	Name     string
	SHA256   string
	Manifest string // JSON
}

// StatePart is a part of a snapshot, which is loaded with its last part. The inputs before it must describe the same nodes,
// applications and asks. It adds what they cannot describe, such as waiting times and reservations.
type StatePart struct {
	Part, Parts int    // from 1
	Snapshot    string // a part of its text, cut between any two characters
}

// Last reports whether p is the last part, with which the snapshot is loaded.
func (p *StatePart) Last() bool { return p.Part == p.Parts }

// Answers holds what an impure policy or a host predicate answered to one call. It is recorded after the input that caused the call. In
// a replay, the recorded answer is used instead of a call.
type Answers struct {
	Policy string
	Point  string
	Call   uint64 // the number of the call to this policy, from 1
	Digest string // of the batch in the call; if it differs in a replay, the runs have diverged
	Keys   []float64
	Fault  string // the reason if the call failed; Keys is empty then
}
