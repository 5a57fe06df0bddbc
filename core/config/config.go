// Package config defines the queue configuration: its model, its decoding from YAML and TOML, and its validation.
//
// Decode reads a configuration. It is strict: all keys must be known and all values valid. It reports all errors at once, each with file,
// line, column, queue and key. The result is complete: defaults and inherited values are filled in, so that readers of a Config need
// not look at parents.
package config

import (
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/access"
	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/resource"
)

// The defaults of a configuration.
const (
	DefaultPartition        = "default"
	DefaultReservationDelay = instant.Delay(2 * time.Second)
	DefaultPreemptionDelay  = instant.Delay(30 * time.Second)
	DefaultPatience         = instant.Delay(30 * time.Second)
	DefaultAccumulateAfter  = instant.Delay(time.Minute)
	DefaultAccumulateFor    = instant.Delay(15 * time.Minute)
)

// The built-in policies. All other names are of policy modules.
const (
	Fair       = "fair"       // children, applications, nodes
	FIFO       = "fifo"       // applications, asks
	FairUsers  = "fair-users" // applications
	StateAware = "stateaware" // applications
	BinPacking = "binpacking" // nodes
)

// The values of `preemption.policy`.
const (
	PreemptionDefault  = "default"
	PreemptionFence    = "fence"
	PreemptionDisabled = "disabled"
)

// Config is a valid configuration. It is immutable: a scheduler, its forks and the readers of its state share it and all that it leads to, and
// a reload brings another one.
type Config struct {
	Partitions []*Partition // at least one, in the order of the file; the first is the default of objects that name none
	Devices    []DeviceType // bytewise by name
	Warnings   []Warning    // by partition, by queue in the order of the file, then by key
}

// Rule is a placement rule.
type Rule = placement.Rule

// Partition is the configuration of one partition.
type Partition struct {
	Name              string // unique among partitions, regardless of case
	Root              *Queue // with the limits of the partition
	Rules             []*Rule
	NodeSort          NodeSort
	PreemptionEnabled bool
	PreemptionObserve bool          // report the victims that would be preempted, without preempting
	QuotaPreemption   bool          // preempt in queues that use more than their max
	ReservationDelay  instant.Delay // 0: no reservations
	AccumulateAfter   instant.Delay // how long a gang waits before it may accumulate room; 0: never
	AccumulateFor     instant.Delay // how long a gang may accumulate room, and how long it may not afterwards
	Patience          instant.Delay // how long an ask waits for its victims before it may be allocated on another node; 0: not at all
	Resolver          string        // of users and groups: ResolveOS, ResolveLDAP or ResolveNone
	AccessControl     bool          // at least one queue has an access list; otherwise all queues are open to all users
	Topology          []Level       `json:",omitempty"` // from the widest to the narrowest, and then those that are made

	Windows                []*Window `json:",omitempty"` // in the order of the file
	UnboundedBeforeWindows bool      `json:",omitempty"` // asks without a walltime may be placed on nodes before a window: they leave when it opens
	Backfill               Backfill  `json:",omitzero"`
}

// The values of `usergroupresolver.type`.
const (
	ResolveNone = ""
	ResolveOS   = "os"
	ResolveLDAP = "ldap"
)

// NodeSort defines the order of nodes.
type NodeSort struct {
	Policy  string   // Fair, BinPacking, or the name of a module
	Weights []Weight // sorted bytewise by type
}

// Weight is the weight of a type in the utilisation of a node.
type Weight struct {
	Type        string
	Thousandths int64 // never negative
}

// Queue is one queue, with all settings in force.
type Queue struct {
	Name, Path string // in lower case; the path starts at root
	Children   []*Queue
	Leaf       bool // it contains applications; a parent may have no children

	Guaranteed, Max resource.Set // as configured here; always empty on root
	MaxApplications uint64       // 0: no limit of its own

	Properties map[string]string // as written here; maps may be shared between queues
	Inherited  map[string]string // in force: Properties, and those inherited from above

	AppSort      string // FIFO, Fair, FairUsers, StateAware, or the name of a module; only used in leaves
	QueueSort    string // Fair, or the name of a module; only used in parents
	AskSort      string // FIFO, or the name of a module; only used in leaves
	PrioritySort bool   // priority is the first sort key

	PriorityFence  bool // never on root
	PriorityOffset int32

	PreemptionPolicy string // never other than default on root
	PreemptionDelay  instant.Delay
	IntraQueue       bool          // asks may preempt within the leaf
	GangsByMember    bool          `json:",omitempty"` // victims may be single members of gangs that are otherwise units
	KeepsSurplus     bool          `json:",omitempty"` // the surplus of its elastic gangs is no more exposed to preemption than other allocations
	QuotaDelay       instant.Delay `json:",omitempty"` // from exceeding the max to preemption by quota; 0: no preemption by quota
	Walltime         Walltime      `json:",omitzero"`
	MinRuntime       MinRuntime    `json:",omitzero"` // of victims
	Budget           Budget        `json:",omitzero"` // of the victims in it and below it; not inherited

	HalfLife     instant.Delay  `json:",omitempty"` // of the aged usage of its children or, in a leaf, of its users; 0: usage does not age
	OwnLookAhead *instant.Delay `json:",omitempty"` // nil: a tenth of the half-life; see LookAhead

	SubmitACL, AdminACL *access.List `json:",omitempty"` // nil if not configured here
	Limits              []Limit      `json:",omitempty"`
	Template            *Template    `json:",omitempty"` // nil if not configured here
}

// Default returns the configuration of a scheduler without one: a single leaf, root.default.
func Default() *Config {
	c, err := Decode([]byte("partitions: [{queues: [{name: default}]}]"), Options{})
	if err != nil {
		panic(err) // our bug: the text is valid
	}
	return c
}

// Limit limits the usage of users and groups in a queue: of each user that it names, and of each group as a whole.
type Limit struct {
	Description     string       `json:",omitempty"`
	Users, Groups   []string     `json:",omitempty"` // as written; only access.Wildcard for those that no other limit of the queue names
	MaxResources    resource.Set `json:",omitempty"`
	MaxApplications uint64       `json:",omitempty"` // 0: unlimited
}

// Template holds the settings of dynamic leaves below a queue.
type Template struct {
	MaxApplications uint64            `json:",omitempty"`
	Guaranteed, Max resource.Set      `json:",omitempty"`
	Properties      map[string]string `json:",omitempty"`
}

// Warning is about a setting of a valid configuration that does not have the effect that it seems to have.
type Warning struct {
	File         string
	Line, Column int    // as in an Error
	Queue        string // path of the queue
	Key          string
	Text         string
}

// String formats the warning as one line: `file:line:column: queue: key: text`.
func (w Warning) String() string {
	return location(w.File, w.Line, w.Column) + ": " + w.Queue + ": " + w.Key + ": " + w.Text
}
