package tool

import (
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/wasm/module/conformance"
)

// syntheticBatch is a batch of which every row is new.
func syntheticBatch(p policy.Point, spec *policy.PointSpec, rows int) *policy.Batch {
	symbols := conformance.NewSymbolTable()
	spec = symbols.Resolve(spec)
	b := &policy.Batch{Point: p, Epoch: 1, Keys: spec.Keys, Columns: spec.Columns, Depends: spec.Depends, Out: make([]float64, rows*spec.Keys)}
	for i := range spec.Columns {
		column := make([]float64, rows)
		for row := range column {
			column[row] = syntheticValue(&spec.Columns[i], i, row)
		}
		b.Cols = append(b.Cols, column)
	}
	for row := range rows {
		b.Rows = append(b.Rows, int32(row))
	}
	b.Changed, b.Texts = b.Rows, symbols.Texts()
	return b
}

// syntheticValue is a number of a size that columns have: below a whole share, and one of ten texts.
func syntheticValue(c *policy.Column, i, row int) float64 {
	if c.Kind.Coded() {
		return c.Code("text-" + string(rune('0'+row%10)))
	}
	return float64((row*7919 + i*104_729) % resource.ShareUnit)
}

// builtinFor is the native policy that stands behind a point: the one that a policy falls back to.
func builtinFor(p policy.Point, fallback string) *policy.Module {
	weights := []policy.Weight{{Type: "memory", Thousandths: 1000}, {Type: resource.VCore, Thousandths: 1000}}
	return policy.Fallback(p, fallback, weights)
}
