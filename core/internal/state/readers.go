package state

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/resource"
)

// What other packages read of the state. None of these methods returns a field that could be assigned or cleared.

// Options returns the options that the scheduler was made with.
func (c *Shared) Options() core.Options { return c.options }

// Started reports whether Advance has been called, so that the clock runs.
func (c *Shared) Started() bool { return c.started }

// Now returns the time of the last Advance.
func (c *Shared) Now() time.Duration { return c.now }

// Source returns the configuration as it was provided.
func (c *Shared) Source() core.ConfigSource { return c.source }

// DeviceTypes returns the names of the device types of the configuration, bytewise.
func (c *Shared) DeviceTypes() []string {
	var names []string
	for _, t := range c.deviceTypes {
		names = append(names, t.Name)
	}
	return names
}

// PartitionCount returns the number of partitions, at least one.
func (c *Shared) PartitionCount() int { return len(c.partitions) }

// Partition returns a partition, from 0, in the order of the configuration.
func (c *Shared) Partition(i int) *State { return c.partitions[i] }

// EndedCount returns the number of terminal applications that have not expired yet.
func (c *Shared) EndedCount() int { return len(c.ended) }

// EndedAt returns a terminal application, from 0, in the order in which they ended.
func (c *Shared) EndedAt(i int) EndedApp { return c.ended[i] }

// AnyModule reports whether a policy module or a host predicate may be called.
func (c *Shared) AnyModule() bool { return c.modules.Any() }

// PolicyFaults returns the number of faults of policies so far.
func (c *Shared) PolicyFaults() uint64 { return c.modules.Faults }

// Name returns the name of the partition in lower case.
func (s *State) Name() string { return s.name }

// Shown returns the name of the partition as decisions and dumps show it: empty for the first.
func (s *State) Shown() string { return s.shown }

// ShrinkEpoch returns the number of a period in which room only shrinks: what failed in it cannot succeed later in it. Every input and every
// timer begins a new one.
func (s *State) ShrinkEpoch() uint64 { return s.shrinkEpoch }

// Types returns the reader of the resource types.
func (s *State) Types() resource.TypeView { return s.types.View() }

// Classes returns the classes of asks.
func (s *State) Classes() class.View { return s.classes.View() }

// Nodes returns the index that finds nodes for asks; it is a view of all nodes as well.
func (s *State) Nodes() node.Finder { return s.finder.Finder() }

// Asks returns the reader of asks, pending and allocated, and of their applications.
func (s *State) Asks() app.Asks { return s.orders.Asks() }

// Conf returns the settings of the partition.
func (s *State) Conf() config.Partition { return *s.conf }

// ReservationDelay returns how long an ask waits before a node may be reserved for it; 0: reservations are off. The walk reads it for each ask.
func (s *State) ReservationDelay() instant.Delay { return s.conf.ReservationDelay }

// LowestAllocated returns the lowest priority allocated at a time or later, or math.MaxInt32 if there was no allocation.
func (s *State) LowestAllocated(since time.Duration) int32 { return s.precedence.Lowest(since) }

// JudgesApps reports whether a module orders applications in some leaf.
func (s *State) JudgesApps() bool { return s.policies.JudgeApps }

// Filters reports whether node.filter policies are called for every ask.
func (s *State) Filters() bool { return s.policies.Filtered }
