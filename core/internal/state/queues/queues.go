// Package queues owns the queues of a partition: the tree, the limits of each queue, and the sums over the allocations and pending asks in
// it.
//
// Queues is the owner. Package state has one, and only state changes it. Other packages read it through View, which returns values and
// identifies queues by ID. Each method of the owner changes all sums that depend on a fact, in the queue and those above it.
//
// Package queue derives the orders of children and the rows that describe their pending asks.
//
// With 10,000 queues none of them is in the cache when it is needed. So an allocation touches, at each level, a row of one cache line, and
// a block with the amounts that every allocation reads, which is another line with two resource types.
package queues

import (
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// ID identifies a queue. A queue keeps it while configurations change. It is reused after Release.
type ID table.ID

// None is the ID that no queue has.
const None ID = 0

// Queues is the owner. Make it with New.
type Queues struct {
	types *resource.Types
	width int // number of types in the vectors below
	root  ID

	rows   *table.Dense[row]
	free   []ID                  // IDs that may be reused
	hot    *table.Dense[amounts] // by queue and type
	cold   *table.Dense[limits]  // by queue and type
	future *table.Vectors        // the kinds from leaving on; zero in most queues
	// carries counts the multiples of 2^63 that waiting lacks, since pending asks may add up to more. It is zero unless carried is set.
	carries *table.Vectors
	carried bool

	paths    *table.Index
	children [][]ID          // by queue: its children, by path
	confs    []*config.Queue // by queue; never written, only replaced
	limits   []limit.Table   // by queue; none if it has no limits of users and groups
	prefix   string          // of paths in texts
	removed  []ID            // until Release
	shared   bool            // versions may share free, children and confs; see own

	over    *table.Table[excess]
	overOf  *table.Column[table.ID]
	victims *table.Column[int32] // victims of its quota rounds that are still leaving
}

// row holds the properties of a queue other than amounts.
type row struct {
	openedAt    uint64 // the shrink epoch in which its own headroom last grew, if asks may have waited for that
	maxRunning  uint64 // maxapplications; 0: unlimited
	running     int64  // applications Starting, Running or Resuming in the subtree
	asks        int64  // pending, in the subtree
	allocations int64  // in the subtree
	live        int64  // applications in the subtree that have not ended
	parent      ID     // None for root, and after Remove
	offset      int32  // priority.offset
	depth       int16  // root has 0; unused if the ID is free
	leaf        bool
	fenced      bool // priority.policy is fence
	bounded     bool // max has a value for some type
	draining    bool
	dynamic     bool
	limited     bool // there are limits of users or groups
}

// Kind is the kind of a queue.
type Kind struct {
	Dynamic  bool // a placement rule has made it
	Draining bool // the configuration no longer names it
}

// New makes an owner without queues. The types of all amounts must be known to types.
func New(types *resource.Types) *Queues {
	o := &Queues{
		types: types, rows: table.NewDense[row](), paths: table.NewIndex(), over: table.New[excess](),
		overOf: table.NewColumn[table.ID](), victims: table.NewColumn[int32](),
	}
	o.rows.Grow(1) // for None
	o.newAmounts()
	return o
}
