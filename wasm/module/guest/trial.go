package guest

import (
	"fmt"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/sdk/abi"
)

// Trial calls every one of these points as the scheduler will: about nothing, about one item of zeros, about two. It
// returns the fuel that each point took about one item. Columns for every type are to be resolved already.
func (e *Evaluator) Trial(points map[policy.Point]*policy.PointSpec) (map[policy.Point]int64, error) {
	spent := map[policy.Point]int64{}
	for _, p := range abi.Points {
		point := policy.Point(p.Name)
		spec := points[point]
		if spec == nil {
			continue
		}
		for rows := range 3 {
			if err := e.acting.trial(trialBatch(point, spec, rows)); err != nil {
				e.Close()
				return nil, fmt.Errorf("trial with %d rows: %w", rows, err)
			}
			if rows == 1 {
				spent[point] = e.acting.call.Fuel - e.acting.running.FuelLeft()
			}
		}
	}
	return spent, nil
}

// TrialPoints are points with columns for the types that every cluster has in the place of those for every type.
func TrialPoints(points map[policy.Point]*policy.PointSpec) map[policy.Point]*policy.PointSpec {
	types := resource.NewTypes()
	types.Intern("memory")
	types.Intern(resource.VCore)
	symbols := policy.NewSymbolTable(types)
	out := map[policy.Point]*policy.PointSpec{}
	for p, spec := range points {
		out[p] = symbols.Resolve(spec)
	}
	return out
}

// trial is Eval, apart from batches without rows.
func (in *Instance) trial(b *policy.Batch) error {
	if len(b.Rows) > 0 {
		return in.Eval(b)
	}
	p, err := in.point(b.Point)
	if err != nil {
		return err
	}
	f, err := in.denseFrame(p, b, 0)
	if err != nil {
		return err
	}
	f.setRows(in.bytes(f), 0)
	if in.copies {
		in.note(f.at+abi.OffRows, 8)
	}
	return in.answer(p, f, 0)
}

// trialBatch is a batch of so many rows that hold 0, 1, 2 …
func trialBatch(p policy.Point, spec *policy.PointSpec, rows int) *policy.Batch {
	b := &policy.Batch{Point: p, Epoch: 1, Keys: spec.Keys, Columns: spec.Columns, Depends: spec.Depends, Out: make([]float64, rows*spec.Keys)}
	for range spec.Columns {
		column := make([]float64, rows)
		for r := range column {
			column[r] = float64(r)
		}
		b.Cols = append(b.Cols, column)
	}
	for r := range rows {
		b.Rows = append(b.Rows, int32(r))
	}
	b.Changed = b.Rows
	return b
}
