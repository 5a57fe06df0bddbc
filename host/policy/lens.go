package policy

import (
	"fmt"
	"slices"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policy/tables"
)

// A lens shows a module its own columns of a batch that has more: those that its shadow reads, behind its own.
type lens struct {
	declared []bool // by column as announced: whether it stands for every type
	pick     []int  // the module's columns, of those
	views    tables.Of[*policy.Batch]
}

// newLens makes a lens for a module that declares columns of its own, where others may be announced too.
func newLens(announced, own []policy.Column) *lens {
	l := &lens{}
	for _, c := range announced {
		l.declared = append(l.declared, c.Arg == "*")
	}
	for _, c := range own {
		l.pick = append(l.pick, slices.IndexFunc(announced, func(a policy.Column) bool { return a.String() == c.String() }))
	}
	return l
}

// whole reports whether the lens shows all columns in their order.
func (l *lens) whole() bool {
	return len(l.pick) == len(l.declared) && slices.IsSorted(l.pick)
}

// spans returns, for each announced column, where it begins in a batch, and how many columns one for every type stands for.
func (l *lens) spans(columns int) (begin []int, types int) {
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
func (l *lens) chosen(columns int) []int {
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

// view is the batch as the module knows it. It is the same value for the same batch, as modules expect.
func (l *lens) view(b *policy.Batch) *policy.Batch {
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

// lensed is a module that is asked with more columns than it declares.
type lensed struct {
	policy.Evaluator
	lenses map[policy.Point]*lens
}

// Eval shows the module its own columns.
func (l *lensed) Eval(b *policy.Batch) error { return l.Evaluator.Eval(l.lenses[b.Point].view(b)) }

// through is a module behind its lenses, or the module itself where it is asked with just what it declares.
func through(e policy.Evaluator, views map[policy.Point]*lens) policy.Evaluator {
	for _, l := range views {
		if !l.whole() {
			return &lensed{e, views}
		}
	}
	return e
}

// lenses makes a lens for each point that a module declares. It fails where a column of the module is not announced.
func lenses(announced *policy.Manifest, own map[policy.Point]*policy.PointSpec) (map[policy.Point]*lens, error) {
	out := map[policy.Point]*lens{}
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

// merged is the columns of a module with those of another that it lacks behind them.
func merged(own, other []policy.Column) []policy.Column {
	out := slices.Clone(own)
	for _, c := range other {
		if !slices.ContainsFunc(out, func(o policy.Column) bool { return o.String() == c.String() }) {
			out = append(out, c)
		}
	}
	return out
}
