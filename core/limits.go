package core

import "github.com/quern-project/quern/core/resource"

// LimitUsage is the usage of a user or group with a live application in a queue that has a limit for it.
type LimitUsage struct {
	Partition       string `json:",omitempty"` // in lower case; empty for the first
	Queue           string
	Group           bool   // Name is a group; otherwise it is a user
	Name            string // for the group of all that no other limit names, it is *
	Used            resource.Set
	Max             resource.Set // types that are left out have no limit
	Applications    int          // number of applications that count against MaxApplications
	MaxApplications uint64       // 0 is unlimited
}
