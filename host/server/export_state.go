package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
)

// beginsWith says what an export begins with that does not begin with the first input.
const beginsWith = `# This journal begins with the state of %s: policies, configuration, nodes, applications, allocations, and asks that wait. The lines of
# state.set add what those inputs cannot tell: how long applications and asks have waited, reservations, kept nodes, preemptions under way.
`

// state writes the state before the inputs of a batch, and these inputs. Where no state before that batch is kept it begins later, but not behind a
// decision, if it has to begin with one (0: it has not). It returns the batch that is next.
func (x *Exported) state(record Exportable, policies func() (Policies, error), decision, batch uint64, w io.Writer) (next uint64, err error) {
	snapshot, at, err := record.SnapshotUpTo(batch - 1)
	if err != nil {
		return 0, err
	}
	if at.Batch >= batch {
		batch = at.Batch + 1
		if decision > 0 {
			if at.Decision >= decision {
				return 0, &CompactedError{First: at.Decision + 1}
			}
			batch = at.Batch // its inputs are open in the state, and bring the decision
		}
	}
	p, err := policies()
	if err != nil {
		return 0, err
	}
	defer p.Close()
	f, payload, err := followedTo(record, snapshot, at, p, batch)
	if err != nil {
		return 0, err
	}
	if f == nil {
		x.Whole = true
		return 1, nil
	}
	if err := x.present(f.scheduler, w); err != nil {
		return 0, err
	}
	if payload == nil { // no batch was read whose inputs have not been decided
		return f.at.Batch + 1, x.list(w, f.open)
	}
	return f.at.Batch + 1, x.inputs(w, withoutAnswers(payload))
}

// followedTo goes from a snapshot to a batch, whose inputs are open then, and returns it. Where a replay from there would need answers that
// were given before, it stays at the snapshot, after which all is asked again; nil: that is the beginning.
func followedTo(record Record, snapshot []byte, at store.Position, p Policies, batch uint64) (f *follower, last []byte, err error) {
	if f, err = newFollower(snapshot, at, p); err != nil {
		return nil, nil, err
	}
	if last, err = f.followTo(record, batch); err != nil {
		return nil, nil, err
	}
	needs, err := needsAnswers(f.scheduler)
	if !needs || err != nil {
		return f, last, err
	}
	if snapshot == nil {
		return nil, nil, nil
	}
	f, err = newFollower(snapshot, at, p)
	return f, nil, err
}

// needsAnswers reports whether anything decides whose answers are recorded: a predicate, or a module that is not pure.
func needsAnswers(s *scheduler.Scheduler) (bool, error) {
	for _, asked := range anew(s) {
		set, ok := asked.Event.(*core.SetPolicy)
		if !ok {
			return true, nil
		}
		if recorded, err := impure(&set.PolicyModule); recorded || err != nil {
			return recorded, err
		}
	}
	return false, nil
}

// followTo goes to a batch, whose inputs are open then, and returns it. Nil: the record ends before.
func (f *follower) followTo(record Record, batch uint64) (last []byte, err error) {
	r, err := record.ReadFrom(f.at.Batch + 1)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for f.at.Batch < batch {
		p, payload, err := r.Next()
		if err == io.EOF {
			return nil, nil
		}
		if err == nil {
			err = f.decoded.decode(p.Batch, payload)
		}
		if err == nil {
			err = f.follow(p, &f.decoded)
		}
		if err != nil {
			return nil, err
		}
		last = payload
	}
	return last, nil
}

// present writes the inputs that build the state of a scheduler again.
func (x *Exported) present(s *scheduler.Scheduler, w io.Writer) error {
	x.State = s.Now()
	if _, err := fmt.Fprintf(w, beginsWith, time.Unix(0, int64(x.State)).UTC().Format(time.RFC3339Nano)); err != nil {
		return err
	}
	list, err := withDraining(s, s.Present())
	if err != nil {
		return err
	}
	for _, part := range inParts(string(s.Snapshot())) {
		list = append(list, core.Input{At: x.State, Event: &core.SetState{StatePart: part}})
	}
	return x.list(w, list)
}

// partBytes is how much of a snapshot a line takes at most: escaped, it is shorter than the longest line of a journal.
const partBytes = 4 << 20

// inParts cuts a snapshot between characters.
func inParts(snapshot string) (list []core.StatePart) {
	for len(snapshot) > 0 {
		end := min(partBytes, len(snapshot))
		for end < len(snapshot) && !utf8.RuneStart(snapshot[end]) {
			end--
		}
		list = append(list, core.StatePart{Part: len(list) + 1, Snapshot: snapshot[:end]})
		snapshot = snapshot[end:]
	}
	for i := range list {
		list[i].Parts = len(list)
	}
	return list
}

// list writes inputs.
func (x *Exported) list(w io.Writer, inputs []core.Input) error {
	var line bytes.Buffer
	e := journal.NewEncoder(&line, journal.Absolute)
	for i := range inputs {
		err := errors.Join(e.Entry(&journal.Entry{Input: inputs[i], Count: 1}), e.Flush())
		if err == nil {
			err = x.line(w, line.Bytes())
		}
		if err != nil {
			return err
		}
		line.Reset()
	}
	return nil
}

// withoutAnswers leaves out what policies answered to the inputs of the batch before.
func withoutAnswers(payload []byte) []byte {
	var rest []byte
	for line := range bytes.Lines(payload) {
		if !bytes.HasPrefix(line, []byte(inputPrefix)) || kindOf(line) != string(core.PolicyAnswers) {
			rest = append(rest, line...)
		}
	}
	return rest
}
