package guest

import (
	"fmt"

	"github.com/quern-project/quern/core/policy"
)

// Evaluator answers the batches of a scheduler with instances of a module: the acting one, in the place of which comes a
// fresh one where it fails, and a spare one, which is asked now and then beside it. All it does follows from the batches that it was asked about, so that a
// replay does the same.
type Evaluator struct {
	acting, spare *Instance
	fresh         func() (*Instance, error)

	calls    int
	recent   int // calls that were made twice since calls was a multiple of repeatWindow
	repeated int
	answers  []float64 // of the acting instance, while the spare one is asked
}

var _ policy.Evaluator = (*Evaluator)(nil)

// A call that fails is made once more. A module whose calls need that more often than mostRepeats times in repeatWindow
// calls is not well: the next such call is a fault.
const (
	repeatWindow = 1000
	mostRepeats  = 10
)

// NewEvaluator makes an evaluator that asks an instance, which is configured, and others that fresh makes where it fails, or
// where it is nil. Close it.
func NewEvaluator(acting *Instance, fresh func() (*Instance, error)) *Evaluator {
	return &Evaluator{acting: acting, fresh: fresh}
}

// Close frees the instances. A batch that comes later is answered by new ones.
func (e *Evaluator) Close() {
	release(&e.acting)
	release(&e.spare)
}

func release(in **Instance) {
	if *in != nil {
		(*in).Close()
		*in = nil
	}
}

// Repeated is how many calls were made twice, since the first time failed.
func (e *Evaluator) Repeated() int { return e.repeated }

// Instances is how many instances there are now.
func (e *Evaluator) Instances() (n int) {
	for _, in := range []*Instance{e.acting, e.spare} {
		if in != nil {
			n++
		}
	}
	return n
}

// LacksSpare reports whether there is an acting instance and no spare one.
func (e *Evaluator) NeedsSpare() bool { return e.acting != nil && e.spare == nil }

// Eval answers a batch. Where that fails it is tried once more on a fresh instance; the error is that of the second
// time.
func (e *Evaluator) Eval(b *policy.Batch) error {
	if len(b.Rows) == 0 {
		return nil
	}
	e.calls++
	if e.calls%repeatWindow == 0 {
		e.recent = 0
	}
	if err := e.try(b); err != nil {
		if err := e.repeat(err); err != nil {
			return err
		}
		if err := e.try(b); err != nil {
			return err
		}
	}
	if e.calls%checkEvery != firstCheck {
		return nil
	}
	return e.check(b)
}

// repeat counts a call that has to be made again. It is a fault where that happens too often.
func (e *Evaluator) repeat(why error) error {
	e.repeated++
	e.recent++
	if e.recent <= mostRepeats {
		return nil
	}
	e.recent = 0
	return fmt.Errorf("%w: expected at most %d calls of %d to fail the first time, found more; the last: %w", policy.ErrUnstable, mostRepeats, repeatWindow, why)
}

// try answers a batch with the acting instance, which goes where it fails.
func (e *Evaluator) try(b *policy.Batch) error {
	if err := e.Prepare(); err != nil {
		return err
	}
	err := e.acting.Eval(b)
	if err != nil {
		release(&e.acting)
	}
	return err
}

// Prepare makes an instance where there is none, as the next batch would.
func (e *Evaluator) Prepare() (err error) {
	if e.acting == nil {
		e.acting, err = e.fresh()
	}
	return err
}
