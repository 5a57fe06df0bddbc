package core

import "github.com/quern-project/quern/core/resource"

// LimitUsage is what a user or a group with a live application uses in a queue that limits it.
type LimitUsage struct {
	Partition       string `json:",omitempty"` // in lower case; empty: the first
	Queue           string
	Group           bool   // Name is that of a group; false: of a user
	Name            string // of the group of all that no other limit names: *
	Used            resource.Set
	Max             resource.Set // a type that is left out is not bounded
	Applications    int          // that hold a place
	MaxApplications uint64       // 0: no bound
}
