package core

import (
	"time"

	"github.com/quern-project/quern/core/resource"
)

// Input is one thing that happened to the cluster.
type Input struct {
	At    time.Duration // since the start of the journal, or since the Unix epoch; never goes back
	By    string        // the user who caused it, for the record: the scheduler does not read it
	Event Event
}

// Type is the type of the event; empty: there is none.
func (in Input) Type() InputType {
	if in.Event == nil {
		return ""
	}
	return in.Event.Type()
}

// ID is the ID of the node, application or ask of which the event tells; empty: it tells of none.
func (in Input) ID() string {
	if in.Event == nil {
		return ""
	}
	return in.Event.id()
}

// Ask is the ask that the event adds, pending or as an allocation; nil: it adds none.
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

// Clone is the input with an event of its own: for what keeps an input whose maker reuses the event.
func (in Input) Clone() Input {
	if in.Event != nil {
		in.Event = in.Event.clone()
	}
	return in
}

// InputType names a kind of event. The names are those of the journal.
type InputType string

// The inputs, each with the event that it stands for.
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
	PolicySet         InputType = "policy.set"         // SetPolicy
	PolicyRemove      InputType = "policy.remove"      // RemovePolicy
	PolicyAnswers     InputType = "policy.answers"     // RecordAnswers
	StateSet          InputType = "state.set"          // SetState
	TickInput         InputType = "tick"               // Tick
)

// Ask is what an ask may say beside its resources.
type Ask struct {
	Priority        int32               `json:",omitempty"`
	Node            string              `json:",omitempty"` // required node; empty: any
	Constraints     map[string][]string `json:",omitempty"` // node attribute to the values allowed; every one named must be present
	Predicate       string              `json:",omitempty"` // id of a host predicate; empty: none
	Originator      bool                `json:",omitempty"`
	NoPreemptOthers bool                `json:",omitempty"` // `preempt_others: false`
	NotPreemptable  bool                `json:",omitempty"` // `preemptable: false`
	TaskGroup       string              `json:",omitempty"`
	Placeholder     bool                `json:",omitempty"`
	Gang            *Gang               `json:",omitempty"` // nil: the ask is placed by itself
}

// Placeholders make an application a gang: placeholders hold the room of its tasks until all of them fit.
type Placeholders struct {
	Ask     resource.Set  // the sum of the placeholders; empty, or all zero: the application is no gang
	Hard    bool          // if the gang is not formed in time, the application fails; otherwise its tasks go on without a gang
	Timeout time.Duration // from the first placeholder allocated; 0: 15 minutes
}

// Gang makes an ask a member of an atomic gang: the first Min members are placed by one decision, or none of them.
type Gang struct {
	ID       string        // within the application
	Min      int           // 1 or more
	Timeout  time.Duration // from the first member; 0: the gang waits for good
	Fallback bool          `json:",omitempty"` // after Timeout its members are placed by themselves; otherwise they are rejected
}

// PolicyModule announces that a policy exists from now on.
type PolicyModule struct {
	Name     string
	SHA256   string
	Manifest string // JSON
}

// StatePart is a part of a snapshot, which is taken over with the last one. The inputs before it have to tell of the same nodes,
// applications and asks: it adds what they cannot tell, such as waiting times and reservations.
type StatePart struct {
	Part, Parts int    // from 1
	Snapshot    string // a part of its text; it may be cut anywhere between two characters
}

// Last reports whether it is the last part, with which the state is taken in.
func (p *StatePart) Last() bool { return p.Part == p.Parts }

// Answers are what a policy that is not a pure function, or a host predicate, answered to one call: recorded after
// the input that caused the call, served from there when the journal is replayed.
type Answers struct {
	Policy string
	Point  string
	Call   uint64 // counts the calls to this policy from 1
	Digest string // of the batch it was asked; another digest on replay means that the runs diverged
	Keys   []float64
	Fault  string // the reason, where the call failed; then Keys is empty
}
