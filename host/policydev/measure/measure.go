// Package measure times a policy beside the native built-in of each point that it serves, in the same run and turn by
// turn, so that the ratio holds on a machine that is busy with other things as well.
package measure

import (
	"context"
	"errors"
	"time"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policydev"
)

// Report is what was measured. The names in JSON are part of the interface.
type Report struct {
	File   string  `json:"file"`
	Policy string  `json:"policy"`
	SHA256 string  `json:"sha256"`
	Calls  []Call  `json:"calls"`
	Starts []Start `json:"cold_start"`
}

// Call is the time of a call, the policy's and the built-in's.
type Call struct {
	Point   string  `json:"point"`
	Rows    int     `json:"rows"`
	Changed int     `json:"changed"`     // rows that changed since the call before, all or one
	Builtin string  `json:"builtin"`     // what it is compared with
	NS      float64 `json:"ns_per_item"` // for each row that changed; 0 where the call failed
	Native  float64 `json:"native_per_item"`
	Ratio   float64 `json:"ratio"`
	Failed  string  `json:"failed,omitempty"` // why there is no time
}

// Start is the time of a step before the first call.
type Start struct {
	Step string  `json:"step"`
	US   float64 `json:"us"`
}

// sizes of the batches of which every row changed, and of the one of which one row did.
var (
	sizes = []int{10, 1000, 100_000}
	large = 10_000
)

// Each time is the best of many turns, so long as they take together, each at least so long: on a machine that is busy
// some of them are not interrupted.
const (
	turn     = time.Millisecond
	together = 200 * time.Millisecond
	fewTurns = 3
)

// Run measures a policy. A call that fails, since so many rows pass a limit perhaps, is told in its place.
func Run(ctx context.Context, h *policydev.Host) (*Report, error) {
	r := &Report{File: h.Subject.File, Policy: h.Subject.Name, SHA256: h.Subject.SHA256}
	for _, p := range policydev.ServedPoints(h.Manifest) {
		for _, rows := range sizes {
			if err := r.call(ctx, h, p, rows, rows); err != nil {
				return nil, err
			}
		}
		if err := r.call(ctx, h, p, large, 1); err != nil {
			return nil, err
		}
	}
	starts, err := starts(ctx, h)
	r.Starts = starts
	return r, err
}

// call measures a batch of which so many rows change each time.
func (r *Report) call(ctx context.Context, h *policydev.Host, p policy.Point, rows, changed int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e, end, err := h.Patient(ctx)
	if err != nil {
		return err
	}
	defer end()
	native := builtin(p, h.Manifest.Points[p].Fallback)
	c := Call{Point: string(p), Rows: rows, Changed: changed, Builtin: native.Name}
	a, b := caller{e, batch(p, h.Manifest.Points[p], rows)}, caller{native, batch(p, native.Points[p], rows)}
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

// caller asks about a batch.
type caller struct {
	policy.Evaluator
	batch *policy.Batch
}

// begin asks about all rows once, and makes only some of them changed ones in the calls that follow.
func (c *caller) begin(changed int) error {
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
func race(a, b caller) (first, second float64, err error) {
	for n, start := 0, time.Now(); n < fewTurns || time.Since(start) < together; n++ {
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
func (c *caller) turn() (float64, error) {
	start, calls := time.Now(), 0
	for step := 1; ; step *= 2 {
		for range step {
			if err := c.Eval(c.batch); err != nil {
				return 0, err
			}
		}
		calls += step
		if took := time.Since(start); took >= turn {
			return float64(took.Nanoseconds()) / float64(calls), nil
		}
	}
}
