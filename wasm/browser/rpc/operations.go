package rpc

import (
	"github.com/quern-project/quern/sdk/abi"
)

// operations are all there are. The head of each is the parameter of its method. It is a function so that programs which use
// only types of this package do not link the scheduler.
func operations() map[string]operation {
	return map[string]operation{
		"version": with((*Server).version),
		"free":    with((*Server).free),
		"check":   with((*Server).check),
		"keys":    with((*Server).keys),
		"replay":  with((*Server).replay),

		"machine.new":     with((*Server).machineNew),
		"machine.restore": with((*Server).machineRestore),
		"machine.advance": with((*Server).machineAdvance),
		"machine.apply":   with((*Server).machineApply),
		"machine.cycle":   with((*Server).machineCycle),
		"machine.take":    with((*Server).machineTake),

		"snapshot":  with((*Server).snapshot),
		"state":     with((*Server).state),
		"explain":   with((*Server).explain),
		"placement": with((*Server).placement),
		"limits":    with((*Server).limits),
		"meant":     with((*Server).meant),
		"promises":  with((*Server).promises),

		"session.new":       with((*Server).sessionNew),
		"session.feed":      with((*Server).sessionFeed),
		"session.run":       with((*Server).sessionRun),
		"session.seek":      with((*Server).sessionSeek),
		"session.truncate":  with((*Server).sessionTruncate),
		"session.decisions": with((*Server).sessionDecisions),
		"session.journal":   with((*Server).sessionJournal),
		"session.status":    with((*Server).sessionStatus),
		"session.figures":   with((*Server).sessionFigures),

		"policy.load": with((*Server).policyLoad),
		"policy.list": with((*Server).policyList),
		"policy.drop": with((*Server).policyDrop),
		"policy.line": with((*Server).policyLine),
	}
}

// plainHead is the head of an operation that needs nothing else.
type plainHead struct{ Op string }

// idHead is the head of an operation on one machine or session.
type idHead struct {
	Op string
	ID int
}

type versionAnswer struct {
	Version int // of requests and answers
	ABI     int // of policy modules
}

func (server *Server) version(*plainHead, []byte) (*versionAnswer, []byte, error) {
	return &versionAnswer{Version, abi.Version}, nil, nil
}

type idAnswer struct{ ID int }

func (server *Server) free(h *idHead, _ []byte) (*nothing, []byte, error) {
	if server.machines[h.ID] == nil && server.sessions[h.ID] == nil {
		return nil, nil, unknown(h.ID)
	}
	delete(server.machines, h.ID)
	delete(server.sessions, h.ID)
	return nil, nil, nil
}
