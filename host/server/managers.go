package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Registration says whose a resource manager is. The record keeps it in front of the inputs that it came with, and snapshots do.
type Registration struct {
	Manager string `json:"manager"`
	User    string `json:"user,omitempty"` // empty: it has no user any more
}

const registrationPrefix = `{"manager":`

// appendRegistrations appends the lines of what a request registers.
func appendRegistrations(b []byte, list []Registration) ([]byte, error) {
	for _, r := range list {
		text, err := json.Marshal(r)
		if err != nil {
			return b, fmt.Errorf("writing the record: %w", err)
		}
		b = append(append(b, text...), '\n')
	}
	return b, nil
}

// managers are the users of resource managers, by their IDs.
type managers map[string]string

func (m managers) register(list []Registration) {
	for _, r := range list {
		if r.User == "" {
			delete(m, r.Manager)
		} else {
			m[r.Manager] = r.User
		}
	}
}

// ManagerUser returns the user that a resource manager is bound to; empty: it is bound to none.
func (v *View) ManagerUser(id string) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.memory.managers[id]
}

// Managers lists the resource managers that are bound to users, by their IDs.
func (v *View) Managers() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Sorted(maps.Keys(v.memory.managers))
}
