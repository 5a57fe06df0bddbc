package state

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/internal/state/aged"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/departures"
	"github.com/quern-project/quern/core/internal/state/gangs"
	"github.com/quern-project/quern/core/internal/state/nodes"
	"github.com/quern-project/quern/core/internal/state/plans"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/internal/state/replacements"
	"github.com/quern-project/quern/core/internal/state/windows"
	"github.com/quern-project/quern/core/resource"
)

// Frozen is an immutable version of the whole state. Any goroutines may fork it at the same time, and while the original changes.
//
// It shares the rows of nodes, applications, asks, queues, reservations and claims with the original, which copies their pages when it
// changes them. Atomic gangs and the names of task groups (without their asks), classes, modules and settings of leaves are not rows, so it has copies of them.
type Frozen struct {
	now         time.Duration
	started     bool
	seq         uint64
	counters    Counters
	source      core.ConfigSource
	deviceTypes []config.DeviceType
	modules     []moduleMemory
	ended       []EndedApp
	gone        []departures.Departure
	parts       []string
	judged      bool

	restoredAt *time.Duration
	partitions []frozenPartition
}

// frozenPartition is the version of a State.
type frozenPartition struct {
	name, shown              string
	shrinkEpoch, retryEpochs uint64
	logEnd                   uint64
	types                    *resource.Types
	conf                     *config.Partition
	precedence               Precedence
	quotas                   quotas
	budgets                  budgets
	classes                  *class.Frozen
	devices                  devices
	orders                   *app.Frozen
	leaves                   []frozenLeaf
	sorted                   readonly.List[int32] // nodes by ID; may be empty
	accumulation             *frozenAccumulation  // nil if no gang accumulates

	queues       *queues.Frozen
	nodes        *nodes.Frozen
	apps         *apps.Frozen
	asks         *asks.Frozen
	departures   *departures.Frozen
	reservations *claims.FrozenReservations
	claims       *claims.FrozenClaims
	replacements *replacements.Frozen
	gangs        *gangs.Frozen
	aged         *aged.Frozen
	windows      windows.Windows
	plans        *plans.Frozen
	slips        Slip
	unplanned    []endedPlan
}

// frozenLeaf has the facts of a leaf queue that are not in the rows of queues.
type frozenLeaf struct {
	queue       queues.ID
	bannedUntil time.Duration
	expiredAt   uint64
	dynamic     bool
	quota       placement.Quota
	empty       bool
	emptySince  time.Duration
}

// Freeze returns an immutable version of the state. Followers must have read the whole log, and decisions and answers must have been taken:
// a fork starts without them. The time depends on the numbers of applications, classes and queues, and not on those of asks and nodes.
func (c *Shared) Freeze() *Frozen {
	f := &Frozen{
		now: c.now, started: c.started, seq: c.seq, counters: c.counters, source: c.source, deviceTypes: c.deviceTypes, modules: c.rememberModules(),
		ended: slices.Clip(c.ended), gone: slices.Clip(c.gone), parts: slices.Clone(c.parts), judged: c.judged, restoredAt: c.restoredAt,
		partitions: make([]frozenPartition, 0, len(c.partitions)),
	}
	for _, s := range c.partitions {
		f.partitions = append(f.partitions, s.freeze())
	}
	return f
}

// Size returns the approximate number of bytes that the version would take if it shared no page.
func (f *Frozen) Size() int {
	size := 512 + 100*len(f.ended) + 400*len(f.gone)
	for i := range f.partitions {
		p := &f.partitions[i]
		size += 300*p.asks.Len() + 250*p.nodes.Len() + 150*p.apps.Len()
	}
	return size
}

func (s *State) freeze() frozenPartition {
	s.TrimLog()
	f := frozenPartition{
		name: s.name, shown: s.shown, shrinkEpoch: s.shrinkEpoch, retryEpochs: s.retryEpochs, logEnd: s.LogEnd(), types: s.types.Clone(), conf: s.conf,
		precedence: slices.Clone(s.precedence), quotas: s.quotas, devices: devices{s.devices.types, slices.Clone(s.devices.placed)}, classes: s.classes.Freeze(), orders: s.orders.Freeze(),
		sorted: s.finder.Sorted(), accumulation: s.freezeAccumulation(), apps: s.apps.Freeze(), departures: s.departures.Freeze(),
		queues: s.queues.Freeze(), nodes: s.nodes.Freeze(), asks: s.asks.Freeze(), reservations: s.reservations.Freeze(),
		claims: s.claims.Freeze(), replacements: s.replacements.Freeze(), gangs: s.gangs.Freeze(), aged: s.aging.ledger.Freeze(), budgets: s.budgets.clone(), windows: s.windows.Clone(),
		plans: s.planned.Freeze(), slips: s.planned.slips, unplanned: slices.Clone(s.planned.ended),
	}
	f.quotas.noted = slices.Clone(f.quotas.noted)
	for q, l := range s.leaves {
		if l == nil {
			continue
		}
		to := frozenLeaf{queue: queues.ID(q), bannedUntil: l.BannedUntil(), expiredAt: l.ExpiredAt()}
		if d := l.dynamic; d != nil {
			to.dynamic, to.quota, to.empty, to.emptySince = true, d.quota, d.empty, d.since
		}
		f.leaves = append(f.leaves, to)
	}
	return f
}
