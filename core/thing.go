package core

// Thing is a kind of what has a name.
type Thing uint8

// The kinds.
const (
	AskThing Thing = iota
	AppThing
	QueueThing
	NodeThing
)
