package wazero

import (
	"context"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/wasm/module/guest"
)

// Evaluator answers the batches of a scheduler with a module: the acting instance, and a spare one, which is made beside
// the scheduler once there are batches.
type Evaluator struct {
	*guest.Evaluator
	module  *Module
	config  []byte
	pending chan *Instance // the next spare one; nil in it: none could be made
	held    bool           // room for both is taken from the runtime's memory
}

// Evaluator makes an evaluator with an instance that is configured with the values of the parameters, in JSON. Close it.
func (m *Module) Evaluator(ctx context.Context, config []byte) (*Evaluator, error) {
	in, err := m.Instance(ctx, config)
	if err != nil {
		return nil, err
	}
	e := &Evaluator{module: m, config: config}
	e.Evaluator = guest.NewEvaluator(in, e.renew)
	return e, nil
}

// Eval answers a batch.
func (e *Evaluator) Eval(b *policy.Batch) error {
	if err := e.Hold(); err != nil {
		return err
	}
	err := e.Evaluator.Eval(b)
	if e.pending == nil && e.NeedsSpare() {
		e.prepare()
	}
	return err
}

// Hold takes room for the instances from what all modules have together, unless that was done. The first batch does it,
// too; the error is a *MemoryError.
func (e *Evaluator) Hold() error {
	if e.held {
		return nil
	}
	if err := e.module.runtime.memory.take(e.module.bytes()); err != nil {
		return err
	}
	e.held = true
	return nil
}

// prepare makes a spare instance beside the caller.
func (e *Evaluator) prepare() {
	e.pending = make(chan *Instance, 1)
	go func(pending chan *Instance) {
		defer close(pending)
		if in, err := e.module.Instance(context.Background(), e.config); err == nil { // what fails here fails again, and is told, when it is wanted
			pending <- in
		}
	}(e.pending)
}

// Close frees the instances, and the room for them. It waits for the spare one to be made. A batch that comes later is
// answered by new ones.
func (e *Evaluator) Close() {
	e.Evaluator.Close()
	if in := e.await(); in != nil {
		in.Close()
	}
	if e.held {
		e.module.runtime.memory.give(e.module.bytes())
		e.held = false
	}
}

// await returns the instance that is being made, nil where none is, or could be.
func (e *Evaluator) await() *Instance {
	if e.pending == nil {
		return nil
	}
	in := <-e.pending
	e.pending = nil
	return in
}

// renew returns the instance that is being made, or a new one.
func (e *Evaluator) renew() (*Instance, error) {
	if in := e.await(); in != nil {
		return in, nil
	}
	return e.module.Instance(context.Background(), e.config)
}
