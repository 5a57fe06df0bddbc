package view

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
)

// Handover is what the loop hands over once it is durable: a batch, and how the decisions in it were made.
type Handover struct {
	At        store.Position // of the batch; zero: none was written
	Payload   []byte
	Inputs    []core.Input // of the batch: they are decided with the next
	Steps     []Step       // since the last handover
	Decisions []core.Decision
	Answered  bool // the batch has answers of policies
	Quiet     Quiet

	// Version is the state at the batch, before its inputs. It is nil unless the view wanted it, and if policies are in use, whose answers a
	// fork would not have: then Unversioned is set.
	Version     *scheduler.Frozen
	Unversioned bool
}

// Step is a part of an instant.
type Step struct {
	At        time.Duration
	Input     int // index among the inputs of the last batch; NoInput: it was a deadline or a cycle
	Refused   core.Reason
	Decisions int // that it brought
}

// NoInput is the index of no input.
const NoInput = -1
