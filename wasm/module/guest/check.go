package guest

import (
	"fmt"

	"github.com/quern-project/quern/core/policy"
)

// Purity is checked while a module serves: one batch in checkEvery is asked again, on the spare instance, which has not
// seen what the acting one has. That costs 1/61 of the time of the calls where they are alike, and never more than twice
// as much. The number is a prime, so that no rhythm of the points and tables that are asked hides one of them.
const (
	checkEvery = 61
	firstCheck = 7 // and the first comes soon, for runs that are short
)

// check asks the spare instance about a batch that was answered. Another answer is a fault, since it is unknown which of the
// two would come again.
func (e *Evaluator) check(b *policy.Batch) error {
	if e.spare == nil {
		in, err := e.fresh()
		if err != nil {
			return nil // there is an answer; what fails here is told when an instance is needed
		}
		e.spare = in
	}
	e.answers = e.answers[:0]
	for _, row := range b.Rows {
		e.answers = append(e.answers, b.Out[int(row)*b.Keys:(int(row)+1)*b.Keys]...)
	}
	if err := e.spare.Eval(b); err != nil {
		release(&e.spare)
		e.restore(b)
		return e.repeat(err)
	}
	e.spare.forget(b)
	return e.compare(b)
}

// restore puts the answers of the acting instance back.
func (e *Evaluator) restore(b *policy.Batch) {
	for i, row := range b.Rows {
		copy(b.Out[int(row)*b.Keys:(int(row)+1)*b.Keys], e.answers[i*b.Keys:])
	}
}

// compare finds an answer that is not the same as before.
func (e *Evaluator) compare(b *policy.Batch) error {
	for i, row := range b.Rows {
		for j := range b.Keys {
			if was, is := e.answers[i*b.Keys+j], b.Out[int(row)*b.Keys+j]; was != is {
				e.Close()
				return fmt.Errorf("%w: expected the answer %v for item %d again, found %v", policy.ErrImpure, was, row, is)
			}
		}
	}
	return nil
}

// forget lets the frames of a table whose siblings count go: an instance that is not told of each batch does not know
// what changed since.
func (in *Instance) forget(b *policy.Batch) {
	if b.Depends == policy.OnSiblings {
		in.clear()
	}
}
