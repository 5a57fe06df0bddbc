// Package config holds the queue configuration: its model, its decoding from YAML and TOML, and its validation.
//
// Decode is the way in. It is strict: every key must be known, every value must make sense, and all that is wrong with
// a text is reported at once, each with file, line, column, queue and key. What comes out is complete: defaults are
// filled in and inherited values are in force, so that whoever reads a Config never has to look at a parent.
package config

import (
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/access"
	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/resource"
)

// What holds where a configuration says nothing.
const (
	DefaultPartition        = "default"
	DefaultReservationDelay = instant.Delay(2 * time.Second)
	DefaultPreemptionDelay  = instant.Delay(30 * time.Second)
	DefaultPatience         = instant.Delay(30 * time.Second)
)

// The policies that are always there. Any other name is that of a policy module.
const (
	Fair       = "fair"       // children, applications, nodes
	FIFO       = "fifo"       // applications, asks
	StateAware = "stateaware" // applications
	BinPacking = "binpacking" // nodes
)

// The values of `preemption.policy`.
const (
	PreemptionDefault  = "default"
	PreemptionFence    = "fence"
	PreemptionDisabled = "disabled"
)

// Config is a valid configuration. It is never changed once it was made.
type Config struct {
	Partitions []*Partition // at least one, in the order of the file; the first is for whatever names none
	Warnings   []Warning    // by partition, by queue in the order of the file, then by key
}

// Rule is a placement rule.
type Rule = placement.Rule

// Partition is the configuration of one partition.
type Partition struct {
	Name              string // unlike that of any other partition in lower case
	Root              *Queue // with the limits of the partition
	Rules             []*Rule
	NodeSort          NodeSort
	PreemptionEnabled bool
	PreemptionObserve bool          // look for victims and report them, without taking any
	QuotaPreemption   bool          // take from queues that are over their max
	ReservationDelay  instant.Delay // 0: no reservations
	Patience          instant.Delay // how long an ask waits for its victims before it may land on another node; 0: not at all
	Resolver          string        // of users and groups: ResolveOS, ResolveLDAP or ResolveNone
	AccessControl     bool          // a queue has an access list; otherwise all queues are open to all users
}

// The values of `usergroupresolver.type`.
const (
	ResolveNone = ""
	ResolveOS   = "os"
	ResolveLDAP = "ldap"
)

// NodeSort says how nodes are ordered.
type NodeSort struct {
	Policy  string   // Fair, BinPacking, or the name of a module
	Weights []Weight // bytewise by type
}

// Weight is how much one type counts in the utilisation of a node.
type Weight struct {
	Type        string
	Thousandths int64 // never negative
}

// Queue is one queue, with everything that is in force in it.
type Queue struct {
	Name, Path string // in lower case; the path starts at root
	Children   []*Queue
	Leaf       bool // applications go here; a parent may be without children

	Guaranteed, Max resource.Set // as configured here; always empty on root
	MaxApplications uint64       // 0: no bound of its own

	Properties map[string]string // as written here; maps may be shared between queues
	Inherited  map[string]string // in force: those of Properties, and what comes down from above

	AppSort      string // FIFO, Fair, StateAware, or the name of a module; counts in leaves
	QueueSort    string // Fair, or the name of a module; counts in parents
	AskSort      string // FIFO, or the name of a module; counts in leaves
	PrioritySort bool   // priority is the first sort key

	PriorityFence  bool // never on root
	PriorityOffset int32

	PreemptionPolicy string // never other than default on root
	PreemptionDelay  instant.Delay
	IntraQueue       bool          // asks may preempt within the leaf
	QuotaDelay       instant.Delay `json:",omitempty"` // from going over the max to preemption by quota; 0: none

	SubmitACL, AdminACL *access.List `json:",omitempty"` // nil: not configured here
	Limits              []Limit      `json:",omitempty"`
	Template            *Template    `json:",omitempty"` // nil: none configured here
}

// Default is the configuration of a scheduler that was given none: one leaf, root.default.
func Default() *Config {
	c, err := Decode([]byte("partitions: [{queues: [{name: default}]}]"), Options{})
	if err != nil {
		panic(err) // our bug: the text is right
	}
	return c
}

// Limit bounds what users and groups use in a queue: each user that it names, and each group as a whole.
type Limit struct {
	Description     string       `json:",omitempty"`
	Users, Groups   []string     `json:",omitempty"` // as written; access.Wildcard alone, for those that no other limit of the queue names
	MaxResources    resource.Set `json:",omitempty"`
	MaxApplications uint64       `json:",omitempty"` // 0: no bound
}

// Template is what dynamic leaves below a queue have as their own settings.
type Template struct {
	MaxApplications uint64            `json:",omitempty"`
	Guaranteed, Max resource.Set      `json:",omitempty"`
	Properties      map[string]string `json:",omitempty"`
}

// Warning is something in a valid configuration that does not do what it seems to.
type Warning struct {
	File         string
	Line, Column int    // as in an Error
	Queue        string // its path
	Key          string
	Text         string
}

// String is one line: `file:line:column: queue: key: text`.
func (w Warning) String() string {
	return location(w.File, w.Line, w.Column) + ": " + w.Queue + ": " + w.Key + ": " + w.Text
}
