package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// encode returns inputs as lines of a journal without times. The submitting goroutine calls it, so that the loop only stamps them.
func encode(inputs []core.Input) ([]byte, error) {
	var out bytes.Buffer
	e := journal.NewEncoder(&out, journal.Relative)
	for i := range inputs {
		entry := journal.Entry{Input: inputs[i], Count: 1}
		entry.Input.At = 0
		if err := e.Entry(&entry); err != nil {
			return nil, err
		}
	}
	if err := e.Flush(); err != nil {
		return nil, err
	}
	return out.Bytes(), checkLines(out.Bytes())
}

// checkLines refuses a line that could not be read back once it has a time.
func checkLines(lines []byte) error {
	if len(lines) <= mostLine {
		return nil
	}
	for line := range bytes.Lines(lines) {
		if len(line) > mostLine {
			return ErrTooLarge
		}
	}
	return nil
}

const mostLine = journal.MaxLine - len(time.RFC3339Nano)

// unstamped is how each of these lines begins.
const unstamped = `{"at":"0s"`

// appendStamped appends lines of encode with a time.
func appendStamped(b, lines []byte, at time.Duration) []byte {
	head := append(time.Unix(0, int64(at)).UTC().AppendFormat([]byte(`{"at":"`), time.RFC3339Nano), '"')
	for len(lines) > 0 {
		end := bytes.IndexByte(lines, '\n') + 1
		b = append(append(b, head...), lines[len(unstamped):end]...)
		lines = lines[end:]
	}
	return b
}

// requestLine is what the record keeps of a request with an idempotency key, in front of its inputs.
type requestLine struct {
	Request string `json:"request"`
	SHA256  string `json:"sha256"`
	First   uint64 `json:"first"` // numbers of the inputs
	Last    uint64 `json:"last"`
}

const requestPrefix = `{"request":`

func appendRequest(b []byte, w *waiting, first uint64) ([]byte, error) {
	text, err := json.Marshal(requestLine{w.Key, w.digest, first, first + uint64(len(w.Inputs)) - 1})
	if err != nil {
		return b, fmt.Errorf("writing the record: %w", err)
	}
	return append(append(b, text...), '\n'), nil
}

// answerLine says which decisions answered a request with an idempotency key.
type answerLine struct {
	Answer    string   `json:"answer"`
	Decisions []uint64 `json:"decisions"`
}

// kindOf returns the type of a line of the record. In the lines of inputs and decisions, it follows the number and the time; no text that
// clients choose stands before it.
func kindOf(line []byte) string {
	_, rest, _ := bytes.Cut(line, []byte(`,"type":"`))
	kind, _, _ := bytes.Cut(rest, []byte{'"'})
	return string(kind)
}

const (
	inputPrefix   = `{"at":`
	answerPrefix  = `{"answer":`
	appliedPrefix = `{"applied":`
)

// digestOf is what a repeat of a request must have in common with it.
func digestOf(lines []byte) string {
	sum := sha256.Sum256(lines)
	return hex.EncodeToString(sum[:])
}

// decided writes what was decided, and what policies answered, as lines of the record.
type decided struct {
	out     bytes.Buffer
	encoder *journal.Encoder
}

func newDecided() *decided {
	d := &decided{}
	d.encoder = journal.NewEncoder(&d.out, journal.Absolute)
	return d
}

// decision writes one, and returns its line, valid until the next write.
func (d *decided) decision(x *core.Decision) (line []byte, err error) {
	if err := d.encoder.Flush(); err != nil {
		return nil, err
	}
	start := d.out.Len()
	if err := d.encoder.Decision(x); err != nil {
		return nil, err
	}
	err = d.encoder.Flush()
	return bytes.TrimSuffix(d.out.Bytes()[start:], []byte{'\n'}), err
}

// answers writes what policies answered at a time.
func (d *decided) answers(at time.Duration, list []core.Answers) error {
	for i := range list {
		in := core.Input{At: at, Event: &core.RecordAnswers{Answers: list[i]}}
		if err := d.encoder.Entry(&journal.Entry{Input: in, Count: 1}); err != nil {
			return err
		}
	}
	return nil
}

// answer writes which decisions answer a request.
func (d *decided) answer(w *waiting) error {
	return d.object(answerLine{Answer: w.Key, Decisions: w.seqs})
}

// applied writes which file was put in force.
func (d *decided) applied(a Applied) error { return d.object(a) }

func (d *decided) object(o any) error {
	text, err := json.Marshal(o)
	if err == nil {
		err = d.encoder.Flush()
	}
	d.out.Write(append(text, '\n'))
	return err
}

// lines returns what was written since reset, valid until the next write.
func (d *decided) lines() ([]byte, error) {
	err := d.encoder.Flush()
	return d.out.Bytes(), err
}

func (d *decided) reset() { d.out.Reset() }
