package guest

import (
	"github.com/quern-project/quern/core/policy"
)

// Evaluator answers the batches of a scheduler with instances of a module.
type Evaluator struct {
	acting *Instance
	fresh  func() (*Instance, error)
}

var _ policy.Evaluator = (*Evaluator)(nil)

// Employ makes an evaluator that asks an instance, which is configured, and others that fresh makes where it fails, or
// where it is nil. Close it.
func Employ(acting *Instance, fresh func() (*Instance, error)) *Evaluator {
	return &Evaluator{acting, fresh}
}

// Close frees the instance that answers.
func (e *Evaluator) Close() {
	if e.acting != nil {
		e.acting.Close()
		e.acting = nil
	}
}

// Eval answers a batch. Where that fails it is tried once more on a fresh instance; the error is that of the second
// time.
func (e *Evaluator) Eval(b *policy.Batch) error {
	if len(b.Rows) == 0 {
		return nil
	}
	err := e.try(b)
	if err != nil {
		err = e.try(b)
	}
	return err
}

// try answers a batch with the acting instance, which goes where it fails.
func (e *Evaluator) try(b *policy.Batch) error {
	if e.acting == nil {
		if err := e.Prepare(); err != nil {
			return err
		}
	}
	err := e.acting.Eval(b)
	if err != nil {
		e.Close()
	}
	return err
}

// Prepare makes an instance where there is none, as the next batch would.
func (e *Evaluator) Prepare() error {
	if e.acting != nil {
		return nil
	}
	in, err := e.fresh()
	e.acting = in
	return err
}
