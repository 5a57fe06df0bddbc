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
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
)

// follower goes through a record, batch by batch, with a scheduler of its own, and holds what that decides against what stands there.
// Recovery is one that becomes the loop's; the view of readers is another, which follows the loop.
type follower struct {
	scheduler *scheduler.Scheduler
	keys      *keys
	numbers   uint64
	at        store.Position // of the last batch
	open      []core.Input   // of the last batch: they are decided with the next
	decoded   decodedBatch
	made      *decided
	applied   Applied
	published func(*scheduler.Scheduler, []core.Decision) // nil: decisions are not published
	watcher   Watcher                                     // nil: none
	watched   []core.Decision                             // of the present instant, which the watcher has seen
	shown     bool                                        // readers get the decisions
	values    []core.Decision                             // of the batch, if readers get them
	history   history
	modules   modules
	managers  managers
	policies  Policies
	stop      *stop // nil: it stops nowhere
	recovers  bool  // it goes through what was before the loop
	behind    int64 // bytes of batches that it has recovered, since the snapshot
}

// DivergedError says that a record has other decisions than this release of quern makes of its inputs.
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
		default:
			b.lines = append(b.lines, line...)
		}
		if err != nil {
			return fmt.Errorf("batch %d: %w", batch, err)
		}
	}
	return b.decodeInputs(batch, b.lines)
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
	until := instant.Add(time.Duration(p.At), 1)
	if len(b.inputs) > 0 {
		until = b.inputs[0].At
	}
	f.made.reset()
	if f.shown {
		f.values = make([]core.Decision, 0, bytes.Count(b.decisions, []byte{'\n'}))
	}
	err := f.replayTo(until, b.answers)
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
		f.values = nil // the record has less
	}
	f.open, f.at = b.inputs, p
	f.numbers += uint64(len(b.inputs))
	return f.remember(b)
}

// takeValues returns the decisions of the batch that was followed last.
func (f *follower) takeValues() []core.Decision {
	values := f.values
	f.values = nil
	return values
}

// advanceIdle advances through a period without decisions after the last batch.
func (f *follower) advanceIdle(until time.Duration) error {
	f.made.reset()
	if err := f.replayTo(until, nil); err != nil {
		return err
	}
	made, err := f.made.lines()
	if line, _, _ := bytes.Cut(made, []byte{'\n'}); len(line) > 0 {
		return &DivergedError{Batch: f.at.Batch, Made: string(line)}
	}
	if due, ok := f.scheduler.Deadline(); until > f.scheduler.Now() && (!ok || due > until) {
		f.scheduler.Advance(until)
	}
	return err
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
	if f.published != nil && len(list) > 0 {
		f.published(f.scheduler, list)
	}
	for i := range list {
		if _, err := f.made.decision(&list[i]); err != nil {
			return err
		}
		if f.shown {
			f.values = append(f.values, inRecord(&list[i]))
		}
		if list[i].Type == core.PolicyFault {
			f.modules.fault(&list[i])
		}
	}
	f.scheduler.Answered()
	return nil
}

// apply has the scheduler take an input, and notes what the host keeps of it.
func (f *follower) apply(instant *drive.Instant, in *core.Input) core.Reason {
	refused := instant.Apply(in)
	if refused != core.Accepted {
		return refused
	}
	if set, ok := in.Event.(*core.SetConfig); ok {
		f.history.add(in.At, in.By, set)
	}
	f.modules.take(in.Event, f.at.Batch)
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

// remember keeps what a batch says beside its inputs: idempotency keys, who sent them, whose resource managers are, files.
func (f *follower) remember(b *decodedBatch) error {
	for _, line := range b.answered {
		known := f.keys.byKey[line.Answer]
		if known == nil {
			return fmt.Errorf("batch %d: it answers the request %q, which did not come", f.at.Batch, line.Answer)
		}
		known.Decisions, known.open = line.Decisions, false
	}
	f.keys.expire(time.Duration(f.at.At)) // before a key comes again
	least := f.numbers - uint64(len(b.inputs)) + 1
	if err := checkActors(f.at.Batch, b.actors, least, f.numbers); err != nil {
		return err
	}
	f.nameActors(b.actors, least)
	for _, line := range b.requests {
		if line.First < least || line.Last < line.First || line.Last > f.numbers {
			return fmt.Errorf("batch %d: the request %q has the inputs %d to %d, which are not in the batch", f.at.Batch, line.Request, line.First, line.Last)
		}
		least = line.Last + 1
		known := &keyed{Key: line.Request, SHA256: line.SHA256, First: line.First, Last: line.Last,
			At: time.Duration(f.at.At), Batch: f.at.Batch, open: true}
		f.keys.byKey[known.Key] = known
		f.keys.order = append(f.keys.order, known)
	}
	if b.applied.File != "" {
		f.applied = b.applied
		f.history.applied(b.applied)
	}
	f.managers.register(b.registers)
	return nil
}
