package measure

import (
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/policydev"
)

// batch is a batch of which every row is new.
func batch(p policy.Point, spec *policy.PointSpec, rows int) *policy.Batch {
	lexicon := policydev.NewLexicon()
	spec = lexicon.Resolve(spec)
	b := &policy.Batch{Point: p, Epoch: 1, Keys: spec.Keys, Columns: spec.Columns, Depends: spec.Depends, Out: make([]float64, rows*spec.Keys)}
	for i := range spec.Columns {
		column := make([]float64, rows)
		for row := range column {
			column[row] = value(&spec.Columns[i], i, row)
		}
		b.Cols = append(b.Cols, column)
	}
	for row := range rows {
		b.Rows = append(b.Rows, int32(row))
	}
	b.Changed, b.Texts = b.Rows, lexicon.Texts()
	return b
}

// value is a number of a size that columns have: below a whole share, and one of ten texts.
func value(c *policy.Column, i, row int) float64 {
	if c.Kind.Coded() {
		return c.Code("text-" + string(rune('0'+row%10)))
	}
	return float64((row*7919 + i*104_729) % resource.ShareUnit)
}

// builtin is the native policy that stands behind a point: the one that a policy falls back to.
func builtin(p policy.Point, fallback string) *policy.Module {
	weights := []policy.Weight{{Type: "memory", Thousandths: 1000}, {Type: resource.VCore, Thousandths: 1000}}
	return policy.Fallback(p, fallback, weights)
}
