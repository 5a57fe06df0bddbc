package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server/view"
	"github.com/quern-project/quern/host/store"
)

// follower replays a record, batch by batch, on a scheduler of its own, and compares its decisions with those in the record. The follower of recovery
// becomes the loop's; the scheduler that readers see belongs to another one.
type follower struct {
	hostMemory
	scheduler *scheduler.Scheduler
	seq       uint64      // of the last decision that it has made
	frozen    *view.Start // its present state; nil: it has not been frozen since it last changed
	decoded   decodedBatch
	made      *decided        // nil: what it decides is not compared line by line
	watcher   Watcher         // nil: none
	watched   []core.Decision // of the present instant, which the watcher has seen
	policies  Policies
	stop      *stop             // nil: it stops nowhere
	recovers  bool              // it goes through what was before the loop
	behind    int64             // bytes of batches that it has recovered, since the snapshot
	runTimes  *ledger.RunMemory // those that its snapshot has; nil: none
}

// DivergedError reports a record whose decisions differ from those that this release makes from its inputs.
type DivergedError struct {
	Batch        uint64
	Record, Made string // lines; empty: none
}

func (e *DivergedError) Error() string {
	return fmt.Sprintf("the record and this release of quern decide differently at batch %d: the record has %s, this release decides %s. "+
		"The release that wrote the record writes a snapshot when it ends: start and stop that release once, then start this one",
		e.Batch, orNothing(e.Record), orNothing(e.Made))
}

func orNothing(line string) string {
	if line == "" {
		return "nothing more"
	}
	return line
}

// decodedBatch is what a batch says, by kinds.
type decodedBatch struct {
	decisions []byte // lines
	answers   []core.Input
	answered  []answerLine
	requests  []requestLine
	actors    []actorLine
	registers []Registration
	applied   Applied
	inputs    []core.Input

	decoder *journal.Decoder // nil: not needed yet
	lines   []byte           // of inputs and answers
}

// decode takes a batch apart.
func (b *decodedBatch) decode(batch uint64, payload []byte) error {
	if err := b.split(batch, payload, true); err != nil {
		return err
	}
	return b.decodeInputs(batch, b.lines)
}

// split is decode without inputs and answers of policies, whose lines it keeps if they are wanted.
func (b *decodedBatch) split(batch uint64, payload []byte, inputs bool) error {
	*b = decodedBatch{decisions: b.decisions[:0], lines: b.lines[:0], decoder: b.decoder}
	for rest := payload; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n') + 1
		if end == 0 {
			return fmt.Errorf("batch %d: the last line has no end", batch)
		}
		line := rest[:end]
		rest = rest[end:]
		var err error
		switch {
		case bytes.HasPrefix(line, []byte(decisionPrefix)):
			b.decisions = append(b.decisions, line...)
		case bytes.HasPrefix(line, []byte(requestPrefix)):
			b.requests = append(b.requests, requestLine{})
			err = json.Unmarshal(line, &b.requests[len(b.requests)-1])
		case bytes.HasPrefix(line, []byte(actorPrefix)):
			b.actors = append(b.actors, actorLine{})
			err = json.Unmarshal(line, &b.actors[len(b.actors)-1])
		case bytes.HasPrefix(line, []byte(registrationPrefix)):
			b.registers = append(b.registers, Registration{})
			err = json.Unmarshal(line, &b.registers[len(b.registers)-1])
		case bytes.HasPrefix(line, []byte(appliedPrefix)):
			err = json.Unmarshal(line, &b.applied)
		case bytes.HasPrefix(line, []byte(answerPrefix)):
			b.answered = append(b.answered, answerLine{})
			err = json.Unmarshal(line, &b.answered[len(b.answered)-1])
		case inputs:
			b.lines = append(b.lines, line...)
		}
		if err != nil {
			return fmt.Errorf("batch %d: %w", batch, err)
		}
	}
	return nil
}

// leastInput is how many bytes the line of an input has at least.
const leastInput = 32

// decodeInputs reads the inputs of a batch, and what policies answered to those of the batch before.
func (b *decodedBatch) decodeInputs(batch uint64, lines []byte) error {
	if len(lines) == 0 {
		return nil
	}
	if b.decoder == nil {
		b.decoder = journal.NewDecoder(nil, "", nil)
		b.decoder.AllowShares()
	}
	b.decoder.Reset(bytes.NewReader(lines), fmt.Sprintf("batch %d", batch))
	b.inputs = make([]core.Input, 0, min(bytes.Count(lines, []byte{'\n'}), len(lines)/leastInput))
	for {
		e, err := b.decoder.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case e.Input.Type() == core.PolicyAnswers:
			b.answers = append(b.answers, e.Input)
		default:
			b.inputs = append(b.inputs, e.Input)
		}
	}
}

// follow goes on with a batch.
func (f *follower) follow(p store.Position, b *decodedBatch) error {
	f.made.reset()
	err := f.replayTo(endOf(p, b.inputs), b.answers)
	if missing := f.missing(); missing != nil {
		return missing // which explains the other one
	}
	if err != nil {
		return err
	}
	made, err := f.made.lines()
	if err != nil {
		return err
	}
	if record, line := firstDifference(b.decisions, made); record != line {
		if before, after := firstDifference(b.decisions, withoutRights(made)); before != after {
			return &DivergedError{Batch: p.Batch, Record: record, Made: line}
		}
	}
	f.frozen = nil
	return f.hostMemory.follow(p, b)
}

// endOf is the time up to which a batch has what was decided before.
func endOf(p store.Position, inputs []core.Input) time.Duration {
	if len(inputs) > 0 {
		return inputs[0].At
	}
	return instant.Add(time.Duration(p.At), 1)
}

// Decide implements view.Decider, for a batch that the loop of this process has written. Only the number of the decisions is compared.
func (f *follower) Decide(b *view.Batch) error {
	if err := f.replayTo(endOf(b.At, b.Inputs), b.Answers); err != nil {
		return err
	}
	if f.seq != b.At.Decision {
		return &DivergedError{Batch: b.At.Batch, Record: decisionsUpTo(b.At.Decision), Made: decisionsUpTo(f.seq)}
	}
	f.open, f.at, f.frozen = b.Inputs, b.At, nil
	return nil
}

func decisionsUpTo(seq uint64) string { return fmt.Sprintf("decisions up to %d", seq) }

// DecideIdle implements view.Decider: it advances through a period without decisions after the last batch. Each reader that comes in such a period
// begins another shrink epoch, which replays do not have. Epochs are only compared with earlier ones of the same scheduler, so decisions and dumps
// are equal, and snapshots may differ in the numbers of epochs alone.
func (f *follower) DecideIdle(q view.Quiet) error {
	if q.Batch != f.at.Batch {
		return nil
	}
	before, until := f.seq, q.Until
	if err := f.replayTo(until, nil); err != nil {
		return err
	}
	if f.seq != before {
		return &DivergedError{Batch: f.at.Batch, Record: decisionsUpTo(before), Made: decisionsUpTo(f.seq)}
	}
	if due, ok := f.scheduler.Deadline(); until > f.scheduler.Now() && (!ok || due > until) {
		f.scheduler.Advance(until)
		f.frozen = nil
	}
	return nil
}

// replayTo decides the inputs of the batch before, with the recorded answers of policies, and serves the deadlines before a time. Answers
// that belong to a deadline come at its time.
func (f *follower) replayTo(until time.Duration, answers []core.Input) error {
	inputs := append(f.open, answers...)
	f.open = nil
	for {
		at, ok := f.scheduler.Deadline()
		if len(inputs) > 0 && (!ok || inputs[0].At <= at) {
			at, ok = inputs[0].At, true
		}
		if !ok || at >= until {
			break
		}
		n := 0
		for n < len(inputs) && inputs[n].At == at {
			n++
		}
		if err := f.instant(at, inputs[:n]); err != nil {
			return err
		}
		inputs = inputs[n:]
	}
	if len(inputs) > 0 {
		return fmt.Errorf("batch %d: an answer of %s comes too late", f.at.Batch+1, time.Unix(0, int64(inputs[0].At)).UTC())
	}
	return nil
}

// instant has the scheduler go through one time as the loop did.
func (f *follower) instant(at time.Duration, inputs []core.Input) error {
	f.frozen = nil
	instant := drive.At(f.scheduler, at)
	f.step(at, nil, core.Accepted)
	for i := range inputs {
		f.step(at, &inputs[i], f.apply(&instant, &inputs[i]))
	}
	for !instant.Decided() {
		if f.stop.during(at) {
			if err := f.stop.cycle(&instant); err != nil {
				return err
			}
			continue
		}
		instant.Cycle(drive.NoLimit)
	}
	f.step(at, nil, core.Accepted)
	list := f.take()
	f.decided(nil, core.Accepted, list)
	for i := range list {
		f.seq = list[i].Seq
		if f.made == nil {
			continue
		}
		if _, err := f.made.decision(&list[i]); err != nil {
			return err
		}
	}
	f.scheduler.Answered()
	return nil
}

// apply has the scheduler take an input, and notes what the host keeps of it.
func (f *follower) apply(instant *drive.Instant, in *core.Input) core.Reason {
	refused := instant.Apply(in)
	f.decided(in, refused, nil)
	return refused
}

// missing is why policies cannot be asked, while the follower recovers: readers see what the loop decided without them.
func (f *follower) missing() error {
	if !f.recovers {
		return nil
	}
	return f.policies.Missing()
}

// firstDifference returns the first lines that differ, equal ones where none do.
func firstDifference(a, b []byte) (lineA, lineB string) {
	for !bytes.Equal(a, b) {
		x, restA, _ := bytes.Cut(a, []byte("\n"))
		y, restB, _ := bytes.Cut(b, []byte("\n"))
		if !bytes.Equal(x, y) {
			return string(x), string(y)
		}
		a, b = restA, restB
	}
	return "", ""
}

// withoutRights are decisions as they were recorded before those of preemptions named the right to preempt.
func withoutRights(decisions []byte) []byte { return rights.ReplaceAll(decisions, nil) }

// rights is where a decision names the right to preempt. Nothing else looks like this, since quotes in names are escaped.
var rights = regexp.MustCompile(`,"right":"[a-z-]+"`)
