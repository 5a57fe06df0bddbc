package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// approximately says what of a state the inputs of core.Checkpoint.Present do not tell.
const approximately = `# This journal begins with the state of %s: policies, configuration, nodes, applications, allocations, and asks that wait.
# Approximate at the beginning: how long applications and asks have waited and gangs have formed begins again, and reservations, kept nodes
# and preemptions that were under way are left out.
`

// state writes the state before the inputs of a batch, and these inputs. Where no state before that batch is kept it begins later, unless it
// has to begin there. It returns the batch that is next.
func (x *Exported) state(record Exportable, policies func() (Policies, error), there bool, batch uint64, w io.Writer) (next uint64, err error) {
	snapshot, at, err := record.SnapshotUpTo(batch - 1)
	if err != nil {
		return 0, err
	}
	if at.Batch >= batch {
		if there {
			return 0, &CompactedError{First: at.Decision + 1}
		}
		batch = at.Batch + 1
	}
	p, err := policies()
	if err != nil {
		return 0, err
	}
	defer p.Close()
	f, err := newFollower(snapshot, at, p)
	if err != nil {
		return 0, err
	}
	payload, err := f.followTo(record, batch)
	if err != nil {
		return 0, err
	}
	if err := x.present(f.scheduler, w); err != nil {
		return 0, err
	}
	if payload == nil { // the inputs that come last have not been decided
		return f.at.Batch + 1, x.list(w, f.open)
	}
	return f.at.Batch + 1, x.inputs(w, withoutAnswers(payload))
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
func (x *Exported) present(s *core.Scheduler, w io.Writer) error {
	x.State = s.Now()
	if _, err := fmt.Fprintf(w, approximately, time.Unix(0, int64(x.State)).UTC().Format(time.RFC3339Nano)); err != nil {
		return err
	}
	for _, asked := range anew(s) {
		recorded := asked.Type == core.PolicyRemove // a predicate
		if !recorded {
			var err error
			if recorded, err = impure(asked.Policy); err != nil {
				return err
			}
		}
		if recorded {
			x.Unanswered = append(x.Unanswered, asked.Policy.Name)
		}
	}
	return x.list(w, s.Checkpoint().Present())
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
		if !bytes.HasPrefix(line, []byte(inputPrefix)) || !bytes.Contains(line, []byte(answering)) {
			rest = append(rest, line...)
		}
	}
	return rest
}

// answering is what the lines of the record hold that say what a policy answered.
const answering = `"type":"policy.answers"`
