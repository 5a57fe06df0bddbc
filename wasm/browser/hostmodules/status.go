package hostmodules

import (
	"errors"

	"github.com/quern-project/quern/wasm/module/guest"
)

// status is how something ended on the other side.
type status int32

// The statuses. Engines say of traps what they like: the other side makes one of these of it.
const (
	returned status = iota
	fuelOut
	ended
	trapUnreachable
	trapMemory
	trapDivision
	trapOverflow
	trapConversion
	trapSignature
	trapTable
	trapStack
	failed // in another way, which reason tells
	nobody // serves the imports
)

// words are what the host's engine says of a trap.
var words = map[status]string{
	trapUnreachable: "unreachable",
	trapMemory:      "out of bounds memory access",
	trapDivision:    "integer divide by zero",
	trapOverflow:    "integer overflow",
	trapConversion:  "invalid conversion to integer",
	trapSignature:   "indirect call type mismatch",
	trapTable:       "invalid table access",
	trapStack:       "stack overflow",
}

var errNobody = errors.New("no host runs policy modules here")

// err is the error of a status.
func (s status) err() error {
	switch s {
	case returned:
		return nil
	case fuelOut:
		return guest.ErrFuel
	case ended:
		return guest.ErrEnded
	case nobody:
		return errNobody
	}
	if text := words[s]; text != "" {
		return errors.New(text)
	}
	return errors.New(reason())
}

// mostReason bounds the text of a failure, in bytes.
const mostReason = 512

// reason is the text of the last failure.
func reason() string {
	text := make([]byte, mostReason)
	if n := hostReason(text); n > 0 {
		return guest.Printable(string(text[:n]))
	}
	return "it failed"
}
