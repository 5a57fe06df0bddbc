package rpc

import (
	"github.com/quern-project/quern/sdk/abi"
)

// operations are all there are. The head of each is the parameter of its method.
var operations = map[string]operation{
	"version": with((*Boundary).version),
	"free":    with((*Boundary).free),
	"check":   with((*Boundary).check),
	"keys":    with((*Boundary).keys),
	"replay":  with((*Boundary).replay),

	"machine.new":     with((*Boundary).machineNew),
	"machine.restore": with((*Boundary).machineRestore),
	"machine.advance": with((*Boundary).machineAdvance),
	"machine.apply":   with((*Boundary).machineApply),
	"machine.cycle":   with((*Boundary).machineCycle),
	"machine.take":    with((*Boundary).machineTake),

	"snapshot": with((*Boundary).snapshot),
	"state":    with((*Boundary).state),
	"explain":  with((*Boundary).explain),

	"session.new":       with((*Boundary).sessionNew),
	"session.feed":      with((*Boundary).sessionFeed),
	"session.run":       with((*Boundary).sessionRun),
	"session.seek":      with((*Boundary).sessionSeek),
	"session.truncate":  with((*Boundary).sessionTruncate),
	"session.decisions": with((*Boundary).sessionDecisions),
	"session.journal":   with((*Boundary).sessionJournal),
	"session.status":    with((*Boundary).sessionStatus),
	"session.figures":   with((*Boundary).sessionFigures),

	"policy.load": with((*Boundary).policyLoad),
	"policy.list": with((*Boundary).policyList),
	"policy.drop": with((*Boundary).policyDrop),
	"policy.line": with((*Boundary).policyLine),
}

// plainHead is the head of an operation that needs nothing else.
type plainHead struct{ Op string }

// idHead is the head of an operation on one machine or session.
type idHead struct {
	Op string
	ID int
}

type versionAnswer struct {
	Boundary int
	ABI      int // of policy modules
}

func (b *Boundary) version(*plainHead, []byte) (*versionAnswer, []byte, error) {
	return &versionAnswer{Version, abi.Version}, nil, nil
}

type idAnswer struct{ ID int }

func (b *Boundary) free(h *idHead, _ []byte) (*nothing, []byte, error) {
	if b.machines[h.ID] == nil && b.sessions[h.ID] == nil {
		return nil, nil, unknown(h.ID)
	}
	delete(b.machines, h.ID)
	delete(b.sessions, h.ID)
	return nil, nil, nil
}
