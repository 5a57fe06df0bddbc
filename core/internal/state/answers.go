package state

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

// errDiverged is wrapped by the fault of a recorded answer that belongs to another question.
var errDiverged = errors.New("diverged")

// caller asks a module: a pure one directly, others through what was recorded.
type caller struct {
	shared    *Shared
	module    *module
	evaluator policy.Evaluator // nil: nothing answers
}

func (c *caller) Eval(b *policy.Batch) error {
	m := c.module
	m.calls++
	if len(m.recorded) > 0 {
		return c.replay(b)
	}
	if c.evaluator == nil {
		return errMissing
	}
	err := c.evaluator.Eval(b)
	if !m.impure {
		return err // the caller checks the answers
	}
	if err == nil {
		err = b.Check()
	}
	c.record(b, err)
	return err
}

var errMissing = errors.New("nothing answers for this policy")

// replay serves the next recorded answer.
func (c *caller) replay(b *policy.Batch) error {
	a := c.module.recorded[0]
	c.module.recorded = c.module.recorded[1:]
	if d := digest(b); a.Digest != d || a.Point != string(b.Point) || a.Fault == "" && len(a.Keys) != len(b.Rows)*b.Keys {
		return fmt.Errorf("%w: call %d was recorded for digest %s, the question has %s", errDiverged, a.Call, a.Digest, d)
	}
	if rest, bad := strings.CutPrefix(a.Fault, policy.ErrAnswer.Error()); bad {
		return fmt.Errorf("%w%s", policy.ErrAnswer, rest)
	}
	if a.Fault != "" {
		return errors.New(a.Fault)
	}
	for i, row := range b.Rows {
		copy(b.Out[int(row)*b.Keys:(int(row)+1)*b.Keys], a.Keys[i*b.Keys:])
	}
	return nil
}

// record keeps an answer for the journal.
func (c *caller) record(b *policy.Batch, fault error) {
	a := core.Answers{Policy: c.module.Name, Point: string(b.Point), Call: c.module.calls, Digest: digest(b)}
	if fault != nil {
		a.Fault = fault.Error()
	} else {
		for _, row := range b.Rows {
			a.Keys = append(a.Keys, b.Out[int(row)*b.Keys:(int(row)+1)*b.Keys]...)
		}
	}
	c.shared.Modules.answered = append(c.shared.Modules.answered, a)
}

// digest is a fingerprint of a question: the items asked about, by name, their columns, and the allocations that do not count.
func digest(b *policy.Batch) string {
	h := fnv.New64a()
	var buf []byte
	for _, row := range b.Rows {
		buf = append(buf[:0], b.Items.Name(row)...)
		buf = append(buf, 0)
		for i, col := range b.Cols {
			buf = append(appendValue(buf, b, i, col[row]), ',')
		}
		_, _ = h.Write(buf) // a hash never fails
	}
	for _, id := range b.Gone {
		_, _ = h.Write(append(append(buf[:0], id...), 0))
	}
	return strconv.FormatUint(h.Sum64(), 16)
}

// appendValue writes a number of a column, and the text in the place of a code: which code a text has got may differ from
// run to run.
func appendValue(buf []byte, b *policy.Batch, column int, v float64) []byte {
	if b.Columns[column].Kind.Coded() && v > 0 {
		return append(buf, b.Texts[int(v)-1]...)
	}
	return strconv.AppendUint(buf, math.Float64bits(v), 16)
}

// Answered returns the answers that have to be recorded: what modules that are not pure, and host predicates, answered
// since the last call. They belong in the journal after the inputs of the present instant, as policy.answers.
func (c *Shared) Answered() []core.Answers {
	out := c.Modules.answered
	c.Modules.answered = nil
	return out
}

// recordAnswers takes answers in that are to be served, in order, instead of being asked for.
func (c *Shared) recordAnswers(in *core.RecordAnswers) {
	m := c.Modules.announced[in.Policy]
	if m == nil || m.Points[policy.Point(in.Point)] == nil {
		m = c.host(in.Policy)
	}
	m.recorded = append(m.recorded, in.Answers)
}
