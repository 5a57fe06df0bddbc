package ledger

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
)

// RunMemory holds run times while no RunTimes does, such as in a snapshot of a host. It can be encoded in JSON.
type RunMemory struct {
	Ended  uint64      // number of ends so far
	Groups []RunsOfOne `json:",omitempty"` // the group that has ended something last comes last
}

// RunsOfOne holds the run times of a group of alike allocations.
type RunsOfOne struct {
	Kind   string // series, user or amounts
	Owner  string `json:",omitempty"` // the user or, of amounts, the queue
	Name   string `json:",omitempty"` // of the series, or the amounts
	Ended  int    // how many of the group have ended, with those that were forgotten
	Latest uint64 // which of all ends was its last, from 1
	Times  []time.Duration
}

// Memory copies what is known of ended allocations. Which applications there are is not part of it: see Resume.
func (r *RunTimes) Memory() *RunMemory {
	m := &RunMemory{Ended: r.ended, Groups: make([]RunsOfOne, 0, len(r.groups))}
	for k, g := range r.groups {
		m.Groups = append(m.Groups, RunsOfOne{Kind: k.kind, Owner: k.owner, Name: k.name, Ended: g.ended, Latest: g.latest, Times: slices.Clone(g.times)})
	}
	slices.SortFunc(m.Groups, compareRuns)
	return m
}

func compareRuns(a, b RunsOfOne) int {
	return cmp.Or(cmp.Compare(a.Latest, b.Latest), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Owner, b.Owner), strings.Compare(a.Name, b.Name))
}

// Recall takes over what another RunTimes knew. It goes on as that one would have. An error leaves it as it was.
func (r *RunTimes) Recall(m *RunMemory) error {
	groups := make(map[runGroup]*runs, len(m.Groups))
	for i := range m.Groups {
		g := &m.Groups[i]
		key := runGroup{g.Kind, g.Owner, g.Name}
		if groups[key] != nil || !g.valid(m.Ended) {
			return errors.New("run times of " + key.text() + ": expected each group once, with as many times of 0s or more as have ended, at most " + strconv.Itoa(runsOfAGroup))
		}
		groups[key] = &runs{times: slices.Clone(g.Times), ended: g.Ended, latest: g.Latest}
	}
	if len(groups) > groupsOfRuns {
		return errors.New("run times: expected at most " + strconv.Itoa(groupsOfRuns) + " groups, found " + strconv.Itoa(len(groups)))
	}
	r.groups, r.ended = groups, m.Ended
	return nil
}

// valid reports whether a group can have come about by a number of ends.
func (g *RunsOfOne) valid(ended uint64) bool {
	kind := g.Kind == ofSeries || g.Kind == ofUser || g.Kind == ofAmounts
	return kind && g.Ended > 0 && len(g.Times) == min(g.Ended, runsOfAGroup) && g.Latest > 0 && g.Latest <= ended && uint64(g.Ended) <= ended && slices.Min(g.Times) >= 0
}
