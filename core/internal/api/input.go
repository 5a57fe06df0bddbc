package api

import (
	"time"

	"github.com/quern-project/quern/core/resource"
)

// InputType says what happened. The names are those of the journal.
type InputType string

// The inputs. Each lists the fields of Input that it reads, By apart.
const (
	NodeAdd           InputType = "node.add"           // ID, Partition, Capacity, Occupied, Attributes, Unschedulable
	NodeUpdate        InputType = "node.update"        // ID; those of Capacity, Occupied, Attributes that are not nil
	NodeDrain         InputType = "node.drain"         // ID
	NodeResume        InputType = "node.resume"        // ID
	NodeRemove        InputType = "node.remove"        // ID
	AppAdd            InputType = "app.add"            // ID, Partition, Queue, User, Groups, Tags, Placeholders, Succeeded
	AppRemove         InputType = "app.remove"         // ID
	AppMove           InputType = "app.move"           // ID, Queue
	AskAdd            InputType = "ask.add"            // ID, App, Resources and all of Ask
	AskUpdate         InputType = "ask.update"         // ID; Resources if not nil, Ask.Priority if HasPriority, Ask.Predicate if not empty, Ask.NotPreemptable if HasPreemptable; of an allocation the last one alone, or Leaving
	AskRemove         InputType = "ask.remove"         // ID
	AllocationRelease InputType = "allocation.release" // ID, Failed
	AllocationRestore InputType = "allocation.restore" // as AskAdd, and PlacedOn
	ConfigSet         InputType = "config.set"         // Config, Format, File
	PolicySet         InputType = "policy.set"         // Policy
	PolicyRemove      InputType = "policy.remove"      // Policy.Name
	PolicyAnswers     InputType = "policy.answers"     // Answers
	StateSet          InputType = "state.set"          // State
	Tick              InputType = "tick"               // nothing: time passes
)

// Input is one thing that happened to the cluster. Which fields count is said at its type; the others are zero.
// The scheduler keeps the strings, sets and maps of an input, and its maker must not change them afterwards.
type Input struct {
	At   time.Duration // since the start of the journal, or since the Unix epoch; never goes back
	Type InputType
	ID   string // of the node, application or ask
	By   string // the user who caused it, for the record: the scheduler does not read it

	// NodeAdd and AppAdd: in any case; empty: the first partition.
	Partition string

	// Nodes. In NodeUpdate nil means: as it was; an empty map or set replaces what was there by nothing.
	Capacity      resource.Set
	Occupied      resource.Set // used by others than this scheduler
	Attributes    map[string]string
	Unschedulable bool // NodeAdd only: the node starts drained

	// Applications.
	Queue        string // full name, in any case; in AppAdd it may be empty where rules place the application
	User         string
	Groups       []string
	Tags         map[string]string
	Placeholders *Placeholders  // nil: not a gang application
	Succeeded    map[string]int // AppAdd only: by atomic gang, how many members had succeeded before; each 1 or more

	// Asks.
	App         string
	Resources   resource.Set
	HasPriority bool // AskUpdate only: Ask.Priority is meant
	Ask         Ask
	PlacedOn    string // AllocationRestore only: the node it runs on

	Failed bool // AllocationRelease only: it has not done its work; without it, a member of an atomic gang has succeeded

	HasPreemptable bool // AskUpdate only: Ask.NotPreemptable is meant
	Leaving        bool // AskUpdate only: the allocation is ending, for reasons of its own; nothing else is read

	// Configuration.
	Config string // the text
	Format string // "yaml" (default) or "toml"
	File   string // name for error messages; may be empty

	Policy  *PolicyModule
	Answers *Answers
	State   *StatePart
}

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
