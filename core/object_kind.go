package core

// ObjectKind is a kind of named objects.
type ObjectKind uint8

// The kinds.
const (
	AskKind ObjectKind = iota
	AppKind
	QueueKind
	NodeKind
	WindowKind
)
