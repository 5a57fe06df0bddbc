package class

import (
	"slices"
	"sort"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/resource"
)

// Constraint names a node attribute and the values allowed, sorted bytewise. A topology makes those with other flags.
type Constraint struct {
	Attribute string
	Values    readonly.List[string]
	Any       bool // any value of the attribute is allowed
	ByID      bool // the IDs of nodes are restricted, not an attribute
}

// Allows reports whether a node with a value of the attribute meets the constraint.
func (k *Constraint) Allows(value string) bool {
	if k.Any {
		return true
	}
	for i := range k.Values.Len() {
		if k.Values.At(i) == value {
			return true
		}
	}
	return false
}

// Shape holds the properties that asks of one class have in common.
type Shape struct {
	Resources   resource.Set
	Constraints map[string][]string
	Node        string // required node
	Predicate   string // host predicate
	Topology    Topology
	Walltime    time.Duration    // 0: none, or it does not matter where asks of the class may be placed
	Devices     []core.DeviceAsk // by type; Resources count them too
}

// hash mixes the amounts and the constraints of a shape. Different shapes may have equal hashes.
func (s *Shape) hash() uint64 {
	h := uint64(0)
	if len(s.Constraints) > 0 {
		h = hashOf(s.Constraints)
	}
	for i := range s.Resources {
		h = (h ^ uint64(s.Resources[i].Value)) * hashFactor
	}
	return h >> 32
}

// hashOf adds up numbers of the constraints, so that their order does not matter. It only reads the end of each value, where most differ.
func hashOf(constraints map[string][]string) (sum uint64) {
	for attribute, values := range constraints {
		h := uint64(len(attribute))
		for _, v := range values {
			if h *= hashFactor; v != "" {
				h ^= uint64(v[len(v)-1])
			}
		}
		sum += h * hashFactor
	}
	return sum
}

// is reports whether a class has a shape. It may report false for equal shapes with amounts of zero, or whose values are not sorted; these
// are found by key.
func (c *class) is(s *Shape) bool {
	if len(s.Constraints) != c.own.Len() || len(s.Resources) != len(c.resources) || s.Topology != c.topology || len(s.Devices) != len(c.devices) {
		return false
	}
	for i := range s.Resources {
		if s.Resources[i] != c.resources[i] {
			return false
		}
	}
	for k := range c.own.All {
		if values, has := s.Constraints[k.Attribute]; !has || !k.has(values) {
			return false
		}
	}
	return s.Node == c.node && s.Predicate == c.predicate && s.Walltime == c.walltime && (len(s.Devices) == 0 || sameDevices(s.Devices, c.devices))
}

// has reports whether the values allowed are the given ones.
func (k *Constraint) has(values []string) bool {
	if k.Values.Len() != len(values) {
		return false
	}
	for i, v := range values {
		if k.Values.At(i) != v {
			return false
		}
	}
	return true
}

func sortedConstraints(m map[string][]string) []Constraint {
	out := make([]Constraint, 0, len(m))
	for a, values := range m {
		v := slices.Clone(values)
		slices.Sort(v)
		out = append(out, Constraint{Attribute: a, Values: readonly.Of(slices.Compact(v))})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Attribute < out[j].Attribute })
	return out
}

func withoutZeros(s resource.Set) resource.Set {
	return slices.DeleteFunc(slices.Clone(s), func(q resource.Quantity) bool { return q.Value == 0 })
}
