package server

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Actor is the sender of a request: the user and the address. Without a user, the record does not mention the sender.
type Actor struct {
	User   string
	Groups []string
	From   string // the address of the machine
}

// is reports whether two actors are the same.
func (a *Actor) is(b *Actor) bool {
	return a.User == b.User && a.From == b.From && slices.Equal(a.Groups, b.Groups)
}

// key is an idempotency key as the record has it: those of users begin with their names.
func (a *Actor) key(key string) string {
	if a.User == "" {
		return key
	}
	return a.User + "\n" + key
}

// actorLine is the line of the record with the sender of the inputs that follow. Consecutive requests of one actor share it.
type actorLine struct {
	By     string   `json:"by"`
	Groups []string `json:"groups,omitempty"`
	From   string   `json:"from,omitempty"`
	First  uint64   `json:"first"` // numbers of the inputs
	Last   uint64   `json:"last"`
}

const actorPrefix = `{"by":`

// appendActor appends the line of the actor that the first requests have in common. Their inputs have the numbers from first on.
func appendActor(b []byte, requests []*waiting, first uint64) ([]byte, error) {
	by, n := &requests[0].By, uint64(0)
	for _, w := range requests {
		if !w.By.is(by) {
			break
		}
		n += uint64(len(w.Inputs))
	}
	if by.User == "" || n == 0 {
		return b, nil
	}
	text, err := json.Marshal(actorLine{by.User, by.Groups, by.From, first, first + n - 1})
	if err != nil {
		return b, fmt.Errorf("writing the record: %w", err)
	}
	return append(append(b, text...), '\n'), nil
}

// nameActors sets the senders of the open inputs, which are numbered from first on.
func (m *hostMemory) nameActors(actors []actorLine, first uint64) {
	for _, a := range actors {
		for i := a.First; i <= a.Last; i++ {
			m.open[i-first].By = a.By
		}
	}
}

// checkActors checks that the actors of a batch name only its inputs, first to last.
func checkActors(batch uint64, actors []actorLine, first, last uint64) error {
	for _, a := range actors {
		if a.By == "" || a.First < first || a.Last < a.First || a.Last > last {
			return fmt.Errorf("batch %d: the inputs %d to %d of the user %q are not in the batch", batch, a.First, a.Last, a.By)
		}
		first = a.Last + 1
	}
	return nil
}
