// Package hold defines how a node is held for asks, and how an ask holds a node.
//
// A node has at most one reservation, and claims either of one ask or of members of one gang. A claimed node may have a reservation as
// well. Room on a node, rather than the whole node, may be held for members of a gang that accumulates room. An ask holds at most one node, by either a reservation or a claim.
package hold

// State describes how a node is held, or how an ask holds one.
type State uint8

// The states of nodes. Asks have only the first four.
const (
	None            State = 0
	Reserved        State = 1                   // for an ask; asks of higher priority may take the node
	Required        State = 2                   // reserved for an ask that requires the node; only such asks of higher priority may take it
	Claimed         State = 4                   // for an ask that preempts on the node; no other ask may take it
	ClaimedReserved State = Claimed | Reserved  // of a node: claimed, and reserved after the claim ends
	ClaimedRequired State = Claimed | Required  // of a node: claimed, and required after the claim ends
	Accumulated     State = 8                   // of a node, besides any other: some of its room is held, for a gang or for planned asks
	Windowed        State = 16                  // of a node, besides any other: windows say which asks may use it
	reservation     State = Reserved | Required // mask of all reservations
)

// IsReserved reports whether there is a reservation.
func (s State) IsReserved() bool { return s&reservation != 0 }

// IsContested reports whether it depends on the ask how much of the node it may use.
func (s State) IsContested() bool { return s&(reservation|Accumulated|Windowed) != 0 }

// IsAccumulated reports whether some of the room of a node is held, for a gang or for planned asks.
func (s State) IsAccumulated() bool { return s&Accumulated != 0 }

// IsRequired reports whether there is a reservation of an ask that requires the node.
func (s State) IsRequired() bool { return s&Required != 0 }

// IsClaimed reports whether there is a claim.
func (s State) IsClaimed() bool { return s&Claimed != 0 }

// Reserve returns the state with a reservation. required reports whether its ask requires the node.
func (s State) Reserve(required bool) State {
	if s.IsReserved() {
		panic("hold: a second reservation")
	}
	if required {
		return s | Required
	}
	return s | Reserved
}

// Unreserve returns the state without the reservation.
func (s State) Unreserve() State {
	if !s.IsReserved() {
		panic("hold: there is no reservation to end")
	}
	return s &^ reservation
}

// Accumulate returns the state with room held for a gang or, if holds is false, without.
func (s State) Accumulate(holds bool) State {
	if holds {
		return s | Accumulated
	}
	return s &^ Accumulated
}

// Window returns the state of a node that belongs to a window or, if in is false, to none.
func (s State) Window(in bool) State {
	if in {
		return s | Windowed
	}
	return s &^ Windowed
}

// IsWindowed reports whether the node belongs to a window.
func (s State) IsWindowed() bool { return s&Windowed != 0 }

// Claim returns the state with a claim. It may be called again, since a gang may have several claims on a node.
func (s State) Claim() State { return s | Claimed }

// Unclaim returns the state after the last claim has ended.
func (s State) Unclaim() State {
	if !s.IsClaimed() {
		panic("hold: there is no claim to end")
	}
	return s &^ Claimed
}
