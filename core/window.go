package core

import "time"

// AddWindow reserves nodes of a partition for some users and queues from one time until another, once or again and again. Nobody is named if it
// names no queue, user and group: it is a maintenance then.
type AddWindow struct {
	ID        string
	Partition string         // in any case; empty for the first partition
	From      time.Duration  // on the scheduler's clock; it may be in the past
	Until     *time.Duration // nil: the window stays open
	Every     time.Duration  // it opens again that long after it has opened; 0: it opens once

	// Its nodes: those with the IDs of Nodes or, if there are none, the first Count nodes by ID that meet the constraints now. Later nodes with the
	// same IDs belong to it as well.
	Nodes       []string
	Constraints map[string][]string // allowed values by node attribute
	Count       int

	// The applications that it names: those in a queue, or below it, of a user, or of a user in a group.
	Queues []string // full names, in any case
	Users  []string
	Groups []string
}

// RemoveWindow ends a window that AddWindow has added.
type RemoveWindow struct{ ID string }

// Type implements Event.
func (*AddWindow) Type() InputType    { return WindowAdd }
func (*RemoveWindow) Type() InputType { return WindowRemove }

func (e *AddWindow) id() string    { return e.ID }
func (e *RemoveWindow) id() string { return e.ID }

func (e *AddWindow) clone() Event    { return cloned(e) }
func (e *RemoveWindow) clone() Event { return cloned(e) }

// WindowItem is a window in a list.
type WindowItem struct {
	Partition string // as in QueueDump
	ID        string
	Open      bool
	// From and Until are the present occurrence if it is open, or else the next. They are instant.Never if there is none to come, and Until is
	// if it stays open.
	From, Until time.Duration
	Every       time.Duration // 0: it opens once, or by a schedule
	Schedule    string        // of the configuration; empty for one that an input has added
	Nodes       []string      // the IDs of its nodes that exist, sorted
	Missing     []string      // the IDs of its nodes that do not exist, sorted

	// The applications that it names. Nobody is named if all are empty.
	Queues, Users, Groups []string
}
