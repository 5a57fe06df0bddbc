package guest

import (
	"fmt"
	"slices"

	"github.com/quern-project/quern/core/policy"
)

// A Lens shows a module its own columns of a batch that has more: those that its shadow reads, behind its own.
type Lens struct {
	declared []bool // by column as announced: whether it stands for every type
	pick     []int  // the module's columns, of those
	views    PerTable[*policy.Batch]
}

// newLens makes a lens for a module that declares columns of its own, where others may be announced too.
func newLens(announced, own []policy.Column) *Lens {
	l := &Lens{}
	for _, c := range announced {
		l.declared = append(l.declared, c.Arg == "*")
	}
	for _, c := range own {
		l.pick = append(l.pick, slices.IndexFunc(announced, func(a policy.Column) bool { return a.String() == c.String() }))
	}
	return l
}

// whole reports whether the lens shows all columns in their order.
func (l *Lens) whole() bool {
	return len(l.pick) == len(l.declared) && slices.IsSorted(l.pick)
}

// spans returns, for each announced column, where it begins in a batch, and how many columns one for every type stands for.
func (l *Lens) spans(columns int) (begin []int, types int) {
	plain, wild := 0, 0
	for _, every := range l.declared {
		if every {
			wild++
		} else {
			plain++
		}
	}
	if wild > 0 {
		types = (columns - plain) / wild
	}
	at := 0
	for _, every := range l.declared {
		begin = append(begin, at)
		if every {
			at += types
		} else {
			at++
		}
	}
	return begin, types
}

// chosen lists the columns of a batch that the module declares, in the order in which it declares them.
func (l *Lens) chosen(columns int) []int {
	begin, types := l.spans(columns)
	var list []int
	for _, i := range l.pick {
		if !l.declared[i] {
			list = append(list, begin[i])
			continue
		}
		for t := range types {
			list = append(list, begin[i]+t)
		}
	}
	return list
}

// View is the batch as the module knows it. It is the same value for the same batch, as modules expect.
func (l *Lens) View(b *policy.Batch) *policy.Batch {
	if l.whole() {
		return b
	}
	v := l.views.Get(b)
	if v == nil {
		v = &policy.Batch{}
		l.views.Put(b, v)
	}
	columns, cols, again := v.Columns, v.Cols[:0], v.Epoch == b.Epoch && v.Columns != nil
	if !again {
		columns = nil
	}
	for _, i := range l.chosen(len(b.Columns)) {
		if !again {
			columns = append(columns, b.Columns[i])
		}
		cols = append(cols, b.Cols[i])
	}
	*v = *b
	v.Columns, v.Cols = columns, cols
	return v
}

// Lenses are a lens for each point that a module declares.
type Lenses map[policy.Point]*Lens

// Grind makes the lenses of a module that declares columns of its own. It fails where one of them is not announced.
func Grind(announced *policy.Manifest, own map[policy.Point]*policy.PointSpec) (Lenses, error) {
	out := Lenses{}
	for p, spec := range own {
		if announced.Points[p] == nil {
			continue
		}
		l := newLens(announced.Points[p].Columns, spec.Columns)
		if i := slices.Index(l.pick, -1); i >= 0 {
			return nil, fmt.Errorf("manifest: points: %s: columns: expected %q, which the module reads, found none", p, spec.Columns[i])
		}
		out[p] = l
	}
	return out, nil
}

// Before is a module behind its lenses, or the module itself where it is asked with just what it declares.
func (l Lenses) Before(e policy.Evaluator) policy.Evaluator {
	for _, one := range l {
		if !one.whole() {
			return &lensed{e, l}
		}
	}
	return e
}

// lensed is a module that is asked with more columns than it declares.
type lensed struct {
	policy.Evaluator
	lenses Lenses
}

// Eval shows the module its own columns.
func (l *lensed) Eval(b *policy.Batch) error { return l.Evaluator.Eval(l.lenses[b.Point].View(b)) }
