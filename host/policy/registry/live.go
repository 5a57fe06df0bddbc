package registry

import (
	"context"
	"errors"
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

// A live host has several schedulers: one decides, others follow its record or try something. None but the first may ask what is no pure
// function, nor have shadows; and it may not either while it recovers, when all that was answered comes from the record.

// role is a scheduler's part.
type role int

const (
	alone    role = iota // it decides, and there is no other: a replay
	follows              // it follows a record, or tries something
	recovers             // it will decide, and follows the record until then
	decides
)

// BindLive makes a binding for a scheduler of a live host. One that is to decide follows the record until Serve.
func (r *Registry) BindLive(ctx context.Context, willDecide bool) *Binding {
	b := r.Bind(ctx)
	b.role = follows
	if willDecide {
		b.role = recovers
	}
	return b
}

// Serve says that the scheduler has recovered, and decides from now on.
func (b *Binding) Serve() {
	if b.role != recovers {
		return
	}
	b.role = decides
	for _, e := range b.recorded {
		e.start()
	}
}

// recordedEvaluator answers for a module that is no pure function: its answers are recorded, so that only the scheduler that decides has
// it asked.
type recordedEvaluator struct {
	binding   *Binding
	announced core.Announcement
	serving   *serving // nil: it does not run
	err       error    // why
}

// errRecorded says why a scheduler that does not decide has no answer.
var errRecorded = errors.New("it is not a pure function: only the scheduler that decides calls it")

// Eval answers a batch.
func (e *recordedEvaluator) Eval(b *policy.Batch) error {
	if e.serving == nil {
		return e.err
	}
	return e.serving.Eval(b)
}

// start makes the evaluator of the module.
func (e *recordedEvaluator) start() {
	b, name := e.binding, e.announced.Name
	s, err := b.start(e.announced)
	if err == nil && s == nil {
		err = fmt.Errorf("the folder has no program with sha256 %s", e.announced.SHA256)
	}
	if err != nil {
		e.err = err
		b.registry.options.Log(name, "error", "it cannot be asked: "+err.Error())
		return
	}
	e.serving = s
	b.open[name] = b.register(name, s)
}

// evaluateRecorded returns what answers for a module that is no pure function. One that is announced again as it was goes on: it is asked
// about everything again, but need not be started for that.
func (b *Binding) evaluateRecorded(m core.Announcement) policy.Evaluator {
	e := b.recorded[m.Name]
	if e == nil || e.announced.PolicyModule != m.PolicyModule || e.serving == nil {
		b.end(m.Name)
		e = &recordedEvaluator{binding: b, announced: m, err: errRecorded}
		b.recorded[m.Name] = e
		if b.role == decides {
			e.start()
		}
	} else {
		b.endShadow(m.Name)
	}
	return b.shadow(m.Name, e)
}
