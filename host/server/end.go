package server

import (
	"errors"
	"time"
)

// Errors of a server that has not ended in time. What it was doing is as after a crash then.
var (
	ErrUnfinished = errors.New("the loop has not finished its last round in time")
	// ErrNoSnapshot says that only the last snapshot is missing.
	ErrNoSnapshot = errors.New("the last snapshot was not finished in time")
)

// mostEnding is how long a server may take to end.
const mostEnding = 9 * time.Second

// unfinished says what was not finished in time.
func (s *Server) unfinished() error {
	if s.driven.Load() {
		return ErrNoSnapshot
	}
	return ErrUnfinished
}
