package nodes

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// attributeSets stores each set of attributes once, for all nodes that have it, and removes it with the last of them. So it never has more
// sets than there are nodes.
type attributeSets struct {
	sets  *table.Table[attributeSet]
	pairs *table.Table[attribute]
	texts *table.Strings // names and values
	byKey *table.Index   // see keyOf
}

type attributeSet struct {
	first table.ID // its attributes are chained in the order of their names
	nodes uint32   // number of nodes that have it
}

type attribute struct{ name, value, next table.ID }

func newAttributeSets() attributeSets {
	return attributeSets{table.New[attributeSet](), table.New[attribute](), table.NewStrings(), table.NewIndex()}
}

// hold adds a node to those that have some attributes, and returns the ID of their set, which is None if attributes is nil.
func (x *attributeSets) hold(attributes map[string]string) table.ID {
	if attributes == nil {
		return table.None
	}
	names := slices.Sorted(maps.Keys(attributes))
	key := keyOf(names, attributes)
	id := x.byKey.Find(key, func(id table.ID) bool { return x.equals(id, attributes) })
	if id == table.None {
		id = x.sets.Add(attributeSet{first: x.chain(names, attributes)})
		x.byKey.Add(key, id)
	}
	x.sets.Edit(id).nodes++
	return id
}

// chain stores attributes and returns the ID of the first one.
func (x *attributeSets) chain(names []string, attributes map[string]string) (first table.ID) {
	for _, name := range slices.Backward(names) {
		first = x.pairs.Add(attribute{x.texts.Hold(name), x.texts.Hold(attributes[name]), first})
	}
	return first
}

// release removes a node from those that have a set.
func (x *attributeSets) release(id table.ID) {
	if id == table.None {
		return
	}
	set := x.sets.Edit(id)
	if set.nodes--; set.nodes > 0 {
		return
	}
	attributes := x.all(id)
	x.byKey.Remove(keyOf(slices.Sorted(maps.Keys(attributes)), attributes), id)
	for at := x.sets.At(id).first; at != table.None; {
		a := x.pairs.At(at)
		x.texts.Release(a.name)
		x.texts.Release(a.value)
		x.pairs.Free(at)
		at = a.next
	}
	x.sets.Free(id)
}

// keyOf returns a text that differs for different sets. names lists the attributes in order.
func keyOf(names []string, attributes map[string]string) string {
	var key strings.Builder
	for _, name := range names {
		key.WriteString(strconv.Quote(name))
		key.WriteString(strconv.Quote(attributes[name]))
	}
	return key.String()
}

// equals reports whether a set has some attributes and no others.
func (x *attributeSets) equals(id table.ID, attributes map[string]string) bool {
	count := 0
	for at := x.sets.At(id).first; at != table.None; count++ {
		a := x.pairs.At(at)
		if value, has := attributes[x.texts.String(a.name)]; !has || value != x.texts.String(a.value) {
			return false
		}
		at = a.next
	}
	return count == len(attributes)
}

// find returns the value of an attribute, and whether the set has the attribute.
func (x *attributeSets) find(id table.ID, name string) (value string, has bool) {
	if id == table.None {
		return "", false
	}
	for at := x.sets.At(id).first; at != table.None; {
		a := x.pairs.At(at)
		if x.texts.String(a.name) == name {
			return x.texts.String(a.value), true
		}
		at = a.next
	}
	return "", false
}

// all returns the attributes of a set, or nil for None.
func (x *attributeSets) all(id table.ID) map[string]string {
	if id == table.None {
		return nil
	}
	attributes := map[string]string{}
	for at := x.sets.At(id).first; at != table.None; {
		a := x.pairs.At(at)
		attributes[x.texts.String(a.name)] = x.texts.String(a.value)
		at = a.next
	}
	return attributes
}
