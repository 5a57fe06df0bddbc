package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/store"
)

// never is a grace that no replay comes to the end of: in a record, victims leave when their release was sent.
const never = 100 * 365 * 24 * time.Hour

// Exported says what an export has.
type Exported struct {
	// Whole says that it begins with the first input there ever was, so that a replay decides what the record did.
	Whole bool
	// State is the time of the state that it begins with, if it is not whole.
	State time.Duration
	// Modules are the hashes of the modules of WebAssembly that it announces, which a replay wants.
	Modules []string
}

// Begin says where an export begins.
type Begin struct {
	Time     time.Duration // with the first input that is at it or later
	Decision uint64        // with the inputs that brought it; 0: with the first there are
}

// Exportable is a record with the states that it keeps.
type Exportable interface {
	Record
	// SnapshotUpTo returns the newest state that is kept of a batch or one before it; nil: the beginning. Where there is none it is the
	// first one that is kept.
	SnapshotUpTo(batch uint64) (state []byte, p store.Position, err error)
}

// Export writes the inputs of a record, and what policies answered to them, as a journal. One that does not begin with the first input
// begins with the state at its beginning, which these policies help to find. The error may be a *CompactedError.
func Export(record Exportable, policies func() (Policies, error), from Begin, w io.Writer) (x Exported, err error) {
	first, err := from.batch(record)
	if err != nil {
		return x, err
	}
	e := journal.NewEncoder(w, journal.Absolute)
	header := journal.Header{Grace: never, HasGrace: true, End: time.Duration(record.End().At), HasEnd: true}
	if err := errors.Join(e.Header(header), e.Flush()); err != nil {
		return x, err
	}
	if x.Whole = first <= 1; !x.Whole {
		if first, err = x.state(record, policies, from.Decision, first, w); err != nil {
			return x, err
		}
	}
	r, err := record.ReadFrom(first)
	if err != nil {
		return x, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for {
		_, payload, err := r.Next()
		if err == io.EOF {
			return x, nil
		}
		if err != nil {
			return x, err
		}
		if err := x.inputs(w, payload); err != nil {
			return x, err
		}
	}
}

// UndecidedError says that a decision has not been made.
type UndecidedError struct {
	Last uint64 // the last one that has
}

func (e *UndecidedError) Error() string {
	return "the last decision is " + strconv.FormatUint(e.Last, 10)
}

// batch is the first one that is exported: the inputs that brought a decision stand in the batch before it.
func (b *Begin) batch(record Record) (first uint64, err error) {
	if b.Decision == 0 {
		return b.since(record)
	}
	if last := record.End().Decision; b.Decision > last {
		return 0, &UndecidedError{Last: last}
	}
	r, err := record.ReadDecisions(b.Decision)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for {
		p, payload, err := r.Next()
		if err != nil {
			return 0, err
		}
		for line := range bytes.Lines(payload) {
			switch seq := SeqOf(line); {
			case seq > b.Decision:
				return 0, &CompactedError{First: seq}
			case seq == b.Decision:
				return max(p.Batch-1, record.First()), nil
			}
		}
	}
}

// since is the first batch that is kept of a time or later, or the one to come.
func (b *Begin) since(record Record) (first uint64, err error) {
	first = record.First()
	if b.Time == 0 {
		return first, nil
	}
	r, err := record.ReadFrom(first)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for ; ; first++ {
		p, _, err := r.Next()
		if err == io.EOF || err == nil && time.Duration(p.At) >= b.Time {
			return first, nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// announces notes the module that an input announces, unless its answers are in the journal, too.
func (x *Exported) announces(line []byte) error {
	e, err := journal.NewDecoder(bytes.NewReader(line), "record", nil).Next()
	if err != nil {
		return err
	}
	set, ok := e.Input.Event.(*core.SetPolicy)
	if !ok {
		return nil
	}
	impure, err := impure(&set.PolicyModule)
	if sum := strings.ToLower(set.SHA256); err == nil && !impure && !slices.Contains(x.Modules, sum) {
		x.Modules = append(x.Modules, sum)
	}
	return err
}

// impure reports whether the answers of a module are in the record.
func impure(m *core.PolicyModule) (bool, error) {
	var manifest struct{ Impure bool }
	err := json.Unmarshal([]byte(m.Manifest), &manifest)
	return manifest.Impure, err
}

// inputs writes the inputs of a batch. Those of a named user say so, unless they name another user.
func (x *Exported) inputs(w io.Writer, payload []byte) error {
	var by actorLine
	for line := range bytes.Lines(payload) {
		switch {
		case bytes.HasPrefix(line, []byte(actorPrefix)):
			by = actorLine{}
			if err := json.Unmarshal(line, &by); err != nil {
				return err
			}
			continue
		case !bytes.HasPrefix(line, []byte(inputPrefix)):
			continue
		case by.First <= by.Last && by.By != "":
			by.First++
			var err error
			if line, err = exportedBy(line, by.By); err != nil {
				return err
			}
		}
		if err := x.line(w, line); err != nil {
			return err
		}
	}
	return nil
}

// line writes the line of an input.
func (x *Exported) line(w io.Writer, line []byte) error {
	if kindOf(line) == string(core.PolicySet) {
		if err := x.announces(line); err != nil {
			return err
		}
	}
	_, err := w.Write(line)
	return err
}

// exportedBy returns the line of an input with the user who sent it.
func exportedBy(line []byte, user string) ([]byte, error) {
	d := journal.NewDecoder(bytes.NewReader(line), "record", nil)
	d.AllowShares()
	e, err := d.Next()
	if err != nil || e.Input.By != "" {
		return line, err
	}
	e.Input.By = user
	var out bytes.Buffer
	encoder := journal.NewEncoder(&out, journal.Absolute)
	err = errors.Join(encoder.Entry(e), encoder.Flush())
	return out.Bytes(), err
}
