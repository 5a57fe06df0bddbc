package core

// Thing is a kind of named objects.
type Thing uint8

// The kinds.
const (
	AskThing Thing = iota
	AppThing
	QueueThing
	NodeThing
)
