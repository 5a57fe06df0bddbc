package class

import (
	"time"

	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/resource"
)

// ID returns the number of the class that is never reused. The first one is 1.
func (c *class) ID() uint64 { return c.id }

// Number returns the number in the rows of asks. It is reused.
func (c *class) Number() int32 { return c.number }

// Resources returns what an ask of the class needs. Decisions share the set, which is never changed.
func (c *class) Resources() resource.Set { return c.resources }

// Demand returns the resources as a vector. A new width of the table of types replaces it.
func (c *class) Demand() resource.Amounts { return c.demand }

// Needs returns the demand as lower bounds of a node's free room, by type.
func (c *class) Needs() readonly.List[index.Need] { return c.needs }

// Constraints returns the constraints, by attribute.
func (c *class) Constraints() readonly.List[Constraint] { return c.constraints }

// Node returns the required node, or an empty string.
func (c *class) Node() string { return c.node }

// Predicate returns the host predicate, or an empty string.
func (c *class) Predicate() string { return c.predicate }

// Walltime returns the walltime of its asks, or 0 if they have none or it does not matter.
func (c *class) Walltime() time.Duration { return c.walltime }

// Bit returns the bit that the class has while it has pending asks.
func (c *class) Bit() uint64 { return c.bit }

// Notes returns what the walk remembers of the class, and may change.
func (c *class) Notes() *Notes { return &c.notes }
