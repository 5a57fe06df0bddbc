package guest

import (
	"fmt"
	"slices"

	"github.com/quern-project/quern/core/policy"
)

// A Projection selects a module's own columns from a batch that has more: those of its shadow come after its own.
type Projection struct {
	declared []bool // by column as announced: whether it stands for every type
	pick     []int  // the module's columns, of those
	views    PerTable[*policy.Batch]
}

// newProjection makes the projection of announced columns on those that a module declares.
func newProjection(announced, own []policy.Column) *Projection {
	l := &Projection{}
	for _, c := range announced {
		l.declared = append(l.declared, c.Arg == "*")
	}
	for _, c := range own {
		l.pick = append(l.pick, slices.IndexFunc(announced, func(a policy.Column) bool { return a.String() == c.String() }))
	}
	return l
}

// whole reports whether the projection is the identity.
func (l *Projection) whole() bool {
	return len(l.pick) == len(l.declared) && slices.IsSorted(l.pick)
}

// spans returns, for each announced column, where it begins in a batch, and how many columns one for every type stands for.
func (l *Projection) spans(columns int) (begin []int, types int) {
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
func (l *Projection) chosen(columns int) []int {
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
func (l *Projection) View(b *policy.Batch) *policy.Batch {
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

// Projections has the projection of each point that a module declares.
type Projections map[policy.Point]*Projection

// NewProjections makes the projections of an announced manifest on the columns that a module declares. A column that is not
// announced is an error.
func NewProjections(announced *policy.Manifest, own map[policy.Point]*policy.PointSpec) (Projections, error) {
	out := Projections{}
	for p, spec := range own {
		if announced.Points[p] == nil {
			continue
		}
		l := newProjection(announced.Points[p].Columns, spec.Columns)
		if i := slices.Index(l.pick, -1); i >= 0 {
			return nil, fmt.Errorf("manifest: points: %s: columns: expected %q, which the module reads, found none", p, spec.Columns[i])
		}
		out[p] = l
	}
	return out, nil
}

// Wrap returns an evaluator that passes projected batches on; the same one where all projections are identities.
func (l Projections) Wrap(e policy.Evaluator) policy.Evaluator {
	for _, one := range l {
		if !one.whole() {
			return &projected{e, l}
		}
	}
	return e
}

// projected is the evaluator of a module that is asked with more columns than it declares.
type projected struct {
	policy.Evaluator
	projections Projections
}

// Eval passes the projected batch on.
func (l *projected) Eval(b *policy.Batch) error {
	return l.Evaluator.Eval(l.projections[b.Point].View(b))
}
