package wazero

import (
	"context"

	"github.com/quern-project/quern/wasm/guest"
)

// Evaluator answers the batches of a scheduler with a module: the acting instance, and a spare one for where that fails.
type Evaluator struct {
	*guest.Evaluator
	module *Module
	config []byte
	spare  chan *Instance // at most one, made beside the scheduler; nil in it: none could be made
}

// Evaluator makes an evaluator with an instance that is configured with the values of the parameters, in JSON, and a
// spare one. Close it.
func (m *Module) Evaluator(ctx context.Context, config []byte) (*Evaluator, error) {
	in, err := m.Instance(ctx, config)
	if err != nil {
		return nil, err
	}
	e := &Evaluator{module: m, config: config}
	e.Evaluator = guest.Employ(in, e.renew)
	e.prepare(ctx)
	return e, nil
}

// prepare makes a spare instance beside the caller.
func (e *Evaluator) prepare(ctx context.Context) {
	e.spare = make(chan *Instance, 1)
	go func(spare chan *Instance) {
		defer close(spare)
		if in, err := e.module.Instance(ctx, e.config); err == nil { // what fails here fails again, and is told, when it is wanted
			spare <- in
		}
	}(e.spare)
}

// Close frees both instances. It waits for the spare one to be made.
func (e *Evaluator) Close() {
	e.Evaluator.Close()
	if in := <-e.spare; in != nil {
		in.Close()
	}
}

// renew returns the spare instance, or a new one where there is none yet.
func (e *Evaluator) renew() (*Instance, error) {
	ctx := context.Background()
	select {
	case in := <-e.spare: // nil: none could be made. Either way it is used up
		e.prepare(ctx)
		if in != nil {
			return in, nil
		}
	default:
	}
	return e.module.Instance(ctx, e.config)
}
