// Package domain keeps the tree of the domains of a topology. A domain of a level is the set of nodes that have equal values of the attributes
// of this level and of all wider ones. Levels that are not nested come after those that are: their domains follow from one attribute.
//
// Package node owns the tree of a partition and files each node in it. Others read it through a View. The package knows neither attributes nor
// nodes, only values and slots.
package domain

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core/internal/readonly"
)

// ID identifies a domain. IDs are dense, and reused once a domain has no nodes.
type ID int32

// None is the ID of no domain. As a parent, it stands for the whole partition.
const None ID = -1

// Tree is the tree of a topology. Make it with New.
type Tree struct {
	levels   int
	nested   int // the first of them
	rows     []row
	free     []ID
	byLevel  [][]ID
	children map[child]ID
	of       []ID // by slot and level
}

// child names a domain below another.
type child struct {
	parent ID
	level  int
	value  string
}

type row struct {
	child
	nodes int  // number of nodes, never 0 while the domain exists
	below []ID // the domains of the next level
	at    int  // index in byLevel
	name  string
}

// New makes a tree without nodes, for a number of levels of which the first are nested.
func New(levels, nested int) *Tree {
	return &Tree{levels: levels, nested: nested, byLevel: make([][]ID, levels), children: map[child]ID{}}
}

// File files a node by its values, from the widest nested level on. It may have fewer values than there are such levels. The node must not be
// filed.
func (t *Tree) File(slot int32, values []string) {
	parent := None
	for level, value := range values {
		parent = t.file(slot, child{parent, level, value})
	}
}

// FileAt files a node by its value at a level that is not nested. The node must not be filed there.
func (t *Tree) FileAt(slot int32, level int, value string) { t.file(slot, child{None, level, value}) }

func (t *Tree) file(slot int32, in child) ID {
	for len(t.of) < (int(slot)+1)*t.levels {
		t.of = append(t.of, None)
	}
	id, known := t.children[in]
	if !known {
		id = t.add(row{child: in})
	}
	t.rows[id].nodes++
	t.of[int(slot)*t.levels+in.level] = id
	return id
}

// Drop removes a node. It has no effect if the node is not filed.
func (t *Tree) Drop(slot int32) {
	if len(t.of) < (int(slot)+1)*t.levels {
		return
	}
	of := t.of[int(slot)*t.levels:][:t.levels]
	for level := t.levels - 1; level >= 0; level-- {
		id := of[level]
		if of[level] = None; id == None {
			continue
		}
		if t.rows[id].nodes--; t.rows[id].nodes == 0 {
			t.remove(id)
		}
	}
}

func (t *Tree) add(r row) ID {
	id := ID(len(t.rows))
	if last := len(t.free) - 1; last >= 0 {
		id, t.free = t.free[last], t.free[:last]
	} else {
		t.rows = append(t.rows, row{})
	}
	r.at, r.name = len(t.byLevel[r.level]), t.nameOf(r.child)
	t.rows[id] = r
	t.byLevel[r.level] = append(t.byLevel[r.level], id)
	t.children[r.child] = id
	if r.parent != None {
		p := &t.rows[r.parent]
		p.below = append(p.below, id)
	}
	return id
}

func (t *Tree) nameOf(c child) string {
	name := strings.ReplaceAll(strings.ReplaceAll(c.value, `\`, `\\`), "/", `\/`)
	if c.parent != None {
		name = t.rows[c.parent].name + "/" + name
	}
	return name
}

func (t *Tree) remove(id ID) {
	r := t.rows[id]
	list := t.byLevel[r.level]
	last := list[len(list)-1]
	list[r.at], t.rows[last].at = last, r.at
	t.byLevel[r.level] = list[:len(list)-1]
	delete(t.children, r.child)
	if r.parent != None {
		p := &t.rows[r.parent]
		at := slices.Index(p.below, id)
		p.below = slices.Delete(p.below, at, at+1)
	}
	t.rows[id] = row{}
	t.free = append(t.free, id)
}

// View returns the reader of the tree.
func (t *Tree) View() View { return View{t} }

// View reads a tree. It is valid until the tree changes.
type View struct{ t *Tree }

// Levels returns the number of levels.
func (v View) Levels() int { return v.t.levels }

// Nested returns the number of nested levels, which come first.
func (v View) Nested() int { return v.t.nested }

// Len returns an upper bound of all IDs plus 1.
func (v View) Len() int { return len(v.t.rows) }

// Of returns the domain of a node at a level, or None.
func (v View) Of(slot int32, level int) ID {
	if at := int(slot)*v.t.levels + level; at < len(v.t.of) {
		return v.t.of[at]
	}
	return None
}

// AtLevel returns the domains of a level, in no particular order.
func (v View) AtLevel(level int) readonly.List[ID] { return readonly.Of(v.t.byLevel[level]) }

// Below returns the domains of the next nested level in a domain, in no particular order. Those below None are of the widest level.
func (v View) Below(id ID) readonly.List[ID] {
	switch {
	case id != None:
		return readonly.Of(v.t.rows[id].below)
	case v.t.nested > 0:
		return v.AtLevel(0)
	}
	return readonly.List[ID]{}
}

// Find returns the domain with some values, from the widest nested level on, or None.
func (v View) Find(values []string) ID {
	id := None
	for level, value := range values {
		below, known := v.t.children[child{id, level, value}]
		if !known {
			return None
		}
		id = below
	}
	return id
}

// Level returns the level of a domain, from 0, or -1 for None.
func (v View) Level(id ID) int {
	if id == None {
		return -1
	}
	return v.t.rows[id].level
}

// Parent returns the domain of the next wider level.
func (v View) Parent(id ID) ID { return v.t.rows[id].parent }

// Value returns the value of a domain at its own level.
func (v View) Value(id ID) string { return v.t.rows[id].value }

// Name returns the values of a domain, from the widest level on, joined by slashes. A backslash precedes each slash and backslash of a value, so that no
// two domains of a level have the same name.
func (v View) Name(id ID) string { return v.t.rows[id].name }

// Nodes returns the number of nodes in a domain.
func (v View) Nodes(id ID) int { return v.t.rows[id].nodes }

// Path returns the values of a domain, from the widest level on. The caller owns the list.
func (v View) Path(id ID) []string {
	if id == None {
		return nil
	}
	return append(v.Path(v.Parent(id)), v.Value(id))
}

// Compare compares domains of one level by name: by their values, from the widest level on, bytewise.
func (v View) Compare(a, b ID) int {
	if a == b {
		return 0
	}
	if p, q := v.Parent(a), v.Parent(b); p != q {
		return v.Compare(p, q)
	}
	return strings.Compare(v.Value(a), v.Value(b))
}
