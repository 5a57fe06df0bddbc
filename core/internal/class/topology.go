package class

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/readonly"
)

// Topology is the part of a shape that follows from the topology of the partition. Shapes share it, and it never changes. The zero value is
// that of asks that give no level.
type Topology struct{ *topology }

// IsNone reports whether the asks give no level.
func (t Topology) IsNone() bool { return t.topology == nil }

type topology struct {
	required, preferred string
	where               []Constraint
	prefer              []string
}

// Require makes the topology of a shape with a required level. Its nodes must meet some constraints.
func Require(level string, where ...Constraint) Topology {
	return Topology{&topology{required: level, where: where}}
}

// Prefer makes the topology of a shape with a preferred level. Nodes with all of the attributes come first, then those with all but the
// last, and so on.
func Prefer(level string, attributes ...string) Topology {
	return Topology{&topology{preferred: level, prefer: attributes}}
}

// With returns a topology with further constraints. The topology may be none.
func (t Topology) With(where ...Constraint) Topology {
	var more topology
	if !t.IsNone() {
		more = *t.topology
	}
	more.where = append(slices.Clip(more.where), where...)
	return Topology{&more}
}

// And returns a topology with the constraints of another one as well.
func (t Topology) And(other Topology) Topology { return t.With(other.where...) }

// Required returns the level that is required, or an empty string.
func (t Topology) Required() string {
	if t.IsNone() {
		return ""
	}
	return t.required
}

// Preferred returns the level that is preferred, or an empty string.
func (t Topology) Preferred() string {
	if t.IsNone() {
		return ""
	}
	return t.preferred
}

// AnyValue returns the constraint that a node has an attribute.
func AnyValue(attribute string) Constraint { return Constraint{Attribute: attribute, Any: true} }

// Value returns the constraint that an attribute of a node has a value.
func Value(attribute, value string) Constraint {
	return Constraint{Attribute: attribute, Values: readonly.Of([]string{value})}
}

// OnNode returns the constraint that allows only the node with an ID.
func OnNode(id string) Constraint {
	return Constraint{ByID: true, Values: readonly.Of([]string{id})}
}

// appendTopology encodes a topology. The first number cannot be the length of a text, as which constraints start.
func appendTopology(buf []byte, t *topology) []byte {
	buf = binary.AppendUvarint(buf, math.MaxUint64)
	buf = appendText(appendText(buf, t.required), t.preferred)
	buf = binary.AppendUvarint(buf, uint64(len(t.where)))
	for i := range t.where {
		c := &t.where[i]
		switch {
		case c.Any:
			buf = append(buf, 1)
		case c.ByID:
			buf = append(buf, 2)
		default:
			buf = append(buf, 0)
		}
		buf = appendConstraints(buf, t.where[i:i+1])
	}
	for _, attribute := range t.prefer {
		buf = appendText(buf, attribute)
	}
	return buf
}

// Topology returns the topology of the shape.
func (c *class) Topology() Topology { return c.topology }

// Own returns the constraints that asks of the class have given, without those of the topology.
func (c *class) Own() readonly.List[Constraint] { return c.own }

// join joins the constraints of the shape and of its topology.
func (c *class) join() {
	c.constraints = c.own
	if !c.topology.IsNone() && len(c.topology.where) > 0 {
		c.constraints = readonly.Of(append(c.own.Clone(), c.topology.where...))
	}
}

// Preferences returns the number of attributes that nodes should have.
func (c *class) Preferences() int {
	if c.topology.IsNone() {
		return 0
	}
	return len(c.topology.prefer)
}

// Preference returns the constraints with which the nodes are searched that have the first few preferred attributes.
func (c *class) Preference(attributes int) readonly.List[Constraint] {
	list := slices.Clip(c.constraints.Clone())
	for _, attribute := range c.topology.prefer[:attributes] {
		list = append(list, AnyValue(attribute))
	}
	return readonly.Of(list)
}
