package ledger

import (
	"slices"
	"strconv"

	"github.com/quern-project/quern/core/resource"
)

// Shape describes asks that are alike: amounts, constraints, required node, and partition.
type Shape struct {
	Partition   string // empty for the first
	Amounts     Amounts
	Constraints map[string][]string
	Node        string
	Pending     int // number of pending asks

	set  resource.Set // latest set of the shape, if it has no constraints and node; see Ledger.bySet
	asks int          // number of asks and allocations with this shape
	seq  int          // number of the shape in order of occurrence
	key  string
}

// Fits reports whether a node has room for an ask of this shape.
func (s *Shape) Fits(n *Node) bool { return s.fits(n, n.Free) }

// FitsEmpty reports whether a node would have room for an ask of this shape without any allocations.
func (s *Shape) FitsEmpty(n *Node) bool { return s.fits(n, n.Empty) }

func (s *Shape) fits(n *Node, room func(i int) int64) bool {
	if !n.Schedulable || n.Partition != s.Partition || s.Node != "" && s.Node != n.ID {
		return false
	}
	for i, want := range s.Amounts {
		if want > 0 && room(i) < want {
			return false
		}
	}
	for name, allowed := range s.Constraints {
		value, ok := n.Attributes[name]
		if !ok || !slices.Contains(allowed, value) {
			return false
		}
	}
	return true
}

// shapeOf returns the Shape of asks that are alike, and counts one more ask.
func (l *Ledger) shapeOf(partition string, set resource.Set, constraints map[string][]string, node string) *Shape {
	plain := len(constraints) == 0 && node == "" && len(set) > 0
	var s *Shape
	if plain {
		s = l.bySet[&set[0]]
	}
	if s == nil || len(set) != len(s.set) || s.Partition != partition {
		s = l.shapeByKey(&Shape{Partition: partition, Amounts: l.amounts(set), Constraints: constraints, Node: node})
		if plain {
			l.forgetSet(s)
			s.set = set
			l.bySet[&set[0]] = s
		}
	}
	s.asks++
	return s
}

// forgetSet removes the shape's latest set from the index.
func (l *Ledger) forgetSet(s *Shape) {
	if s.set != nil && l.bySet[&s.set[0]] == s {
		delete(l.bySet, &s.set[0])
	}
}

func (l *Ledger) shapeByKey(s *Shape) *Shape {
	s.key = s.keyText()
	if known := l.shapes[s.key]; known != nil {
		return known
	}
	l.met++
	s.seq = l.met
	l.shapes[s.key] = s
	return s
}

func (l *Ledger) dropShape(s *Shape) {
	if s.asks--; s.asks == 0 {
		delete(l.shapes, s.key)
		l.forgetSet(s)
	}
}

// keyText returns a unique key. Lengths precede texts, so that it is unambiguous.
func (s *Shape) keyText() string {
	b := make([]byte, 0, 64)
	for i, x := range s.Amounts {
		if x != 0 {
			b = strconv.AppendInt(append(b, ' '), int64(i), 36)
			b = strconv.AppendInt(append(b, '='), x, 36)
		}
	}
	b = appendText(appendText(b, s.Partition), s.Node)
	names := make([]string, 0, len(s.Constraints))
	for name := range s.Constraints {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		b = appendText(append(b, ';'), name)
		for _, value := range s.Constraints[name] {
			b = appendText(append(b, ','), value)
		}
	}
	return string(b)
}

func appendText(b []byte, text string) []byte {
	return append(append(strconv.AppendInt(b, int64(len(text)), 10), ':'), text...)
}
