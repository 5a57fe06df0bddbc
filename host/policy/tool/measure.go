package tool

import (
	"context"
	"errors"
	"time"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/wasm/module/conformance"
)

// Measurement compares the times of a policy with those of the built-ins. The names in JSON are part of the interface.
type Measurement struct {
	File   string      `json:"file"`
	Policy string      `json:"policy"`
	SHA256 string      `json:"sha256"`
	Calls  []CallTime  `json:"calls"`
	Starts []StartTime `json:"cold_start"`
}

// CallTime is the time of a call, the policy's and the built-in's.
type CallTime struct {
	Point   string  `json:"point"`
	Rows    int     `json:"rows"`
	Changed int     `json:"changed"`     // rows that changed since the call before, all or one
	Builtin string  `json:"builtin"`     // what it is compared with
	NS      float64 `json:"ns_per_item"` // for each row that changed; 0 where the call failed
	Native  float64 `json:"native_per_item"`
	Ratio   float64 `json:"ratio"`
	Failed  string  `json:"failed,omitempty"` // why there is no time
}

// StartTime is the time of a step before the first call.
type StartTime struct {
	Step string  `json:"step"`
	US   float64 `json:"us"`
}

// Rows of the batches in which every row changed, and of the batch in which one row changed.
var (
	batchSizes = []int{10, 1000, 100_000}
	sparseRows = 10_000
)

// Each time is the best of several turns, so that it holds on a busy machine, where some turns are not interrupted.
const (
	minTurn  = time.Millisecond       // of one turn
	minRace  = 200 * time.Millisecond // of all turns of a call
	minTurns = 3
)

// Measure times a policy beside the native built-in of each point that it serves, in the same run and turn by turn, so
// that the ratio holds on a machine that is busy with other things too. A call that fails has its error instead of a time.
func Measure(ctx context.Context, h *Host) (*Measurement, error) {
	r := &Measurement{File: h.Subject.File, Policy: h.Subject.Name, SHA256: h.Subject.SHA256}
	for _, p := range conformance.ServedPoints(h.Announced.Parsed) {
		for _, rows := range batchSizes {
			if err := r.call(ctx, h, p, rows, rows); err != nil {
				return nil, err
			}
		}
		if err := r.call(ctx, h, p, sparseRows, 1); err != nil {
			return nil, err
		}
	}
	starts, err := starts(ctx, h)
	r.Starts = starts
	return r, err
}

// call measures a batch of which so many rows change each time.
func (r *Measurement) call(ctx context.Context, h *Host, p policy.Point, rows, changed int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e, end, err := h.EvaluatorWithoutDeadline(ctx)
	if err != nil {
		return err
	}
	defer end()
	native := builtinFor(p, h.Announced.Parsed.Points[p].Fallback)
	c := CallTime{Point: string(p), Rows: rows, Changed: changed, Builtin: native.Name}
	a, b := timedCaller{e, syntheticBatch(p, h.Announced.Parsed.Points[p], rows)}, timedCaller{native, syntheticBatch(p, native.Points[p], rows)}
	if err := errors.Join(a.begin(changed), b.begin(changed)); err != nil {
		c.Failed = err.Error()
	} else if c.NS, c.Native, err = race(a, b); err != nil {
		c.Failed = err.Error()
	} else {
		c.NS, c.Native = c.NS/float64(changed), c.Native/float64(changed)
		c.Ratio = c.NS / c.Native
	}
	r.Calls = append(r.Calls, c)
	return nil
}

// timedCaller asks about a batch.
type timedCaller struct {
	policy.Evaluator
	batch *policy.Batch
}

// begin asks about all rows once, and makes only some of them changed ones in the calls that follow.
func (c *timedCaller) begin(changed int) error {
	if err := c.Eval(c.batch); err != nil {
		return err
	}
	c.batch.Changed = c.batch.Changed[:changed]
	if c.batch.Depends != policy.OnSiblings {
		c.batch.Rows = c.batch.Changed
	}
	return nil
}

// race takes turns and returns the best time of a call of each, in nanoseconds.
func race(a, b timedCaller) (first, second float64, err error) {
	for n, start := 0, time.Now(); n < minTurns || time.Since(start) < minRace; n++ {
		one, err := a.turn()
		if err != nil {
			return 0, 0, err
		}
		two, err := b.turn()
		if err != nil {
			return 0, 0, err
		}
		if n == 0 {
			first, second = one, two
		}
		first, second = min(first, one), min(second, two)
	}
	return first, second, nil
}

// turn asks for a while and returns the mean time of a call. The clock is looked at seldom where calls are short.
func (c *timedCaller) turn() (float64, error) {
	start, calls := time.Now(), 0
	for step := 1; ; step *= 2 {
		for range step {
			if err := c.Eval(c.batch); err != nil {
				return 0, err
			}
		}
		calls += step
		if took := time.Since(start); took >= minTurn {
			return float64(took.Nanoseconds()) / float64(calls), nil
		}
	}
}
