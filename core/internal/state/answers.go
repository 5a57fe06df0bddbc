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

// errDiverged is wrapped by the fault of a recorded answer that does not match the question.
var errDiverged = errors.New("diverged")

// caller calls a module. Recorded answers are served first. New answers of an impure module are recorded.
type caller struct {
	shared    *Shared
	module    *module
	evaluator policy.Evaluator // nil if nothing provides the policy
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
		return err // the caller of Eval checks the answers
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

// record saves an answer for the journal.
func (c *caller) record(b *policy.Batch, fault error) {
	a := core.Answers{Policy: c.module.Name, Point: string(b.Point), Call: c.module.calls, Digest: digest(b)}
	if fault != nil {
		a.Fault = fault.Error()
	} else {
		for _, row := range b.Rows {
			a.Keys = append(a.Keys, b.Out[int(row)*b.Keys:(int(row)+1)*b.Keys]...)
		}
	}
	c.shared.modules.answered = append(c.shared.modules.answered, a)
}

// digest returns a fingerprint of a question: the names of the rows, their columns, and the allocations that count as gone.
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

// appendValue appends a number of a column. A code is written as its text, since the codes of texts may differ from run to run.
func appendValue(buf []byte, b *policy.Batch, column int, v float64) []byte {
	if b.Columns[column].Kind.Coded() && v > 0 {
		return append(buf, b.Texts[int(v)-1]...)
	}
	return strconv.AppendUint(buf, math.Float64bits(v), 16)
}

// Answered returns the answers that must be recorded: those of impure modules and host predicates since the last call. They belong in the
// journal as policy.answers, after the inputs of the current instant.
func (c *Shared) Answered() []core.Answers {
	out := c.modules.answered
	c.modules.answered = nil
	return out
}

// recordAnswers adds recorded answers, which are served in order instead of calling the module.
func (c *Shared) recordAnswers(in *core.RecordAnswers) {
	m := c.modules.announced[in.Policy]
	if m == nil || m.Points[policy.Point(in.Point)] == nil {
		m = c.host(in.Policy)
	}
	m.recorded = append(m.recorded, in.Answers)
}
