// Package hold has the states in which a node is held for an ask, and in which an ask holds a node.
//
// A node is reserved for one ask at most, and claimed for one ask or for members of one gang. A claimed node may be reserved
// besides. An ask holds one node at most, and either by a reservation or by a claim.
package hold

// State says how a node is held, or how an ask holds one.
type State uint8

// The states. An ask is in one of the first four.
const (
	None            State = 0
	Reserved        State = 1                   // for an ask, and open to asks of higher priority
	Required        State = 2                   // reserved for an ask that requires the node; open to such asks of higher priority
	Claimed         State = 4                   // for an ask that preempts here; open to no other
	ClaimedReserved State = Claimed | Reserved  // a node: claimed, and reserved once that claim has ended
	ClaimedRequired State = Claimed | Required  // a node: claimed, and required once that claim has ended
	reservation     State = Reserved | Required // any reservation
)

// IsReserved reports whether there is a reservation.
func (s State) IsReserved() bool { return s&reservation != 0 }

// IsRequired reports whether there is a reservation for an ask that requires the node.
func (s State) IsRequired() bool { return s&Required != 0 }

// IsClaimed reports whether there is a claim.
func (s State) IsClaimed() bool { return s&Claimed != 0 }

// Reserve is the state with a reservation, of an ask that requires the node or not.
func (s State) Reserve(required bool) State {
	if s.IsReserved() {
		panic("hold: a second reservation")
	}
	if required {
		return s | Required
	}
	return s | Reserved
}

// Unreserve is the state once the reservation has ended.
func (s State) Unreserve() State {
	if !s.IsReserved() {
		panic("hold: there is no reservation to end")
	}
	return s &^ reservation
}

// Claim is the state with a claim; a gang may have several on one node.
func (s State) Claim() State { return s | Claimed }

// Unclaim is the state once the last claim has ended.
func (s State) Unclaim() State {
	if !s.IsClaimed() {
		panic("hold: there is no claim to end")
	}
	return s &^ Claimed
}
