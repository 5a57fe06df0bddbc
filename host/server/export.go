package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/quern-project/quern/core/journal"
)

// never is a grace that no replay comes to the end of: in a record, victims leave when their release was sent.
const never = 100 * 365 * 24 * time.Hour

// Exported says what an export has.
type Exported struct {
	// Whole says that it begins with the first input there ever was, so that a replay decides what the record did.
	Whole bool
}

// Export writes the inputs of a record, and what policies answered to them, as a journal. It begins with the first input that is at a
// time or later.
func Export(record Record, from time.Duration, w io.Writer) (x Exported, err error) {
	r, err := record.ReadFrom(record.First())
	if err != nil {
		return x, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	x.Whole = record.First() <= 1
	e := journal.NewEncoder(w, journal.Absolute)
	header := journal.Header{Grace: never, HasGrace: true, End: time.Duration(record.End().At), HasEnd: true}
	if err := errors.Join(e.Header(header), e.Flush()); err != nil {
		return x, err
	}
	for {
		p, payload, err := r.Next()
		if err == io.EOF {
			return x, nil
		}
		if err != nil {
			return x, err
		}
		if time.Duration(p.At) < from {
			x.Whole = false
			continue
		}
		if err := exportInputs(w, payload); err != nil {
			return x, err
		}
	}
}

// exportInputs writes the inputs of a batch. Those of a named user say so, unless they name somebody else.
func exportInputs(w io.Writer, payload []byte) error {
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
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// exportedBy returns the line of an input with the user who sent it.
func exportedBy(line []byte, user string) ([]byte, error) {
	e, err := journal.NewDecoder(bytes.NewReader(line), "record", nil).Next()
	if err != nil || e.Input.By != "" {
		return line, err
	}
	e.Input.By = user
	var out bytes.Buffer
	encoder := journal.NewEncoder(&out, journal.Absolute)
	err = errors.Join(encoder.Entry(e), encoder.Flush())
	return out.Bytes(), err
}
