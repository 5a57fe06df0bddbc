package core

import (
	"time"

	"github.com/quern-project/quern/core/resource"
)

// GangItem is an atomic gang in a list.
type GangItem struct {
	Partition string // as in QueueDump
	App       string
	Queue     string
	User      string
	ID        string // unique within App
	State     string // one of the states of gangs
	Submitted time.Duration

	Min        int // gang_min
	Max        int // gang_max; 0: no bound
	Need       int // how many members have to be allocated: Min minus Succeeded, at least 0
	Disruption Disruption
	Allocated  int // number of members that are allocated and not leaving
	Leaving    int // number of members that are allocated and leaving
	Pending    int
	Succeeded  int // number of members, including earlier ones
	Surplus    int // how many of Allocated may leave while the others run on

	Wait     Reason        // if it waits: why, as far as no node has to be searched
	TimesOut time.Duration // if it waits: when its timeout expires; 0: never

	BrokenSince time.Duration // if it is broken
	BrokenBy    Reason        // if it is broken: the first cause; empty if that is not known
	RepairEnds  time.Duration // if it is broken: when its last members have to leave; 0: never

	Accumulation *GangAccumulation // nil if no room is held for it

	Level     string   // the level of the topology that it names; empty if none
	Required  bool     // rather than preferred
	Domain    []string // the values of the domain of its allocated members, or the ID of their node; nil if they are in none, or in several
	Slice     Slice    // how its members are divided
	Slices    []GangSlice
	Set       string // of gangs that start together; empty if none
	SetMin    int
	SetStarts bool // it waits for its set

	Members     []GangMember // in order of submission; at most MostGangMembers
	MoreMembers int          // number of further members
}

// Limits of the lists in a GangItem.
const (
	MostGangMembers = 100
	MostGangSlices  = 100
)

// GangAccumulation is the room that is held for a gang.
type GangAccumulation struct {
	Since, Until time.Duration
	Held         []GangMember // at most MostGangMembers
	MoreHeld     int
}

// GangMember is a member of a gang. State is one of those of asks.
type GangMember struct {
	ID    string
	State string
	Node  string // where it is allocated, or room is held for it
	Slice int    // from 1; 0: it is in none
}

// GangSlice is a slice of a gang that was allocated.
type GangSlice struct {
	Number    int // from 1
	Allocated int
	Domain    []string // as in GangItem
}

// GangList is a part of the list of gangs.
type GangList = Listed[GangItem]

// States of atomic gangs, as Where selects them.
const (
	GangWaiting      = "waiting"      // its members are not allocated yet
	GangAccumulating = "accumulating" // likewise, and room is held for them
	GangWhole        = "whole"        // enough members are allocated
	GangIsBroken     = "broken"       // it was whole, and too few members are left
	GangLeaving      = "leaving"      // its members leave, or are restored just now
	GangSingle       = "single"       // it was not placed in time, and its members are placed one by one
)

// TopologyLevel is a level of the topology of a partition.
type TopologyLevel struct {
	Partition string // as in QueueDump
	Level     string
	Attribute string
	Domains   int // number of domains
}

// DomainItem is a domain of the topology in a list.
type DomainItem struct {
	Partition   string // as in QueueDump
	Level       string
	Domain      []string // its values, from the widest level on
	Nodes       int
	Schedulable int          // number of nodes that accept asks
	Capacity    resource.Set // of all nodes
	Occupied    resource.Set
	Used        resource.Set
	Free        resource.Set // of the nodes that accept asks
}

// DomainList is a part of the list of domains.
type DomainList = Listed[DomainItem]
