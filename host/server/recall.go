package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// readDecisions reads decisions, by ascending seq, out of a record.
func readDecisions(record Record, seqs []uint64) (list []Decision, err error) {
	r, err := record.ReadDecisions(seqs[0])
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for {
		_, payload, err := r.Next()
		if err == io.EOF {
			return list, fmt.Errorf("decision %d is not in the record", seqs[len(list)])
		}
		if err != nil {
			return list, err
		}
		for line := range bytes.Lines(payload) {
			if len(list) < len(seqs) && SeqOf(line) == seqs[len(list)] {
				list = append(list, Decision{Line: bytes.Clone(bytes.TrimSuffix(line, []byte{'\n'}))})
			}
		}
		if len(list) == len(seqs) {
			return list, nil
		}
	}
}

const decisionPrefix = `{"seq":`

// SeqOf is the seq of a decision's line, 0 of another line.
func SeqOf(line []byte) uint64 {
	rest, ok := bytes.CutPrefix(line, []byte(decisionPrefix))
	if !ok {
		return 0
	}
	digits, _, _ := bytes.Cut(rest, []byte{','})
	seq, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		return 0
	}
	return seq
}
