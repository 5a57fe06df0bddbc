package server

import (
	"bytes"
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
		for line := range bytes.Lines(payload) {
			if bytes.HasPrefix(line, []byte(inputPrefix)) {
				if _, err := w.Write(line); err != nil {
					return x, err
				}
			}
		}
	}
}
