package si

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/quern-project/quern/core"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// si.v1 has no fields for atomic gangs. These tags of allocations stand for them; all but the first two are optional.
const (
	Gang           = "quern/gang"            // its ID within the application
	GangMin        = "quern/gang-min"        // 1 or more
	GangTimeout    = "quern/gang-timeout"    // a duration
	GangFallback   = "quern/gang-fallback"   // members
	GangDisruption = "quern/gang-disruption" // unit, whole or member; of an application with placeholders: unit or member
	GangRepair     = "quern/gang-repair"     // a duration
	GangMax        = "quern/gang-max"        // the most members at a time, at least gang-min
	GangSet        = "quern/gang-set"        // a set of gangs of the application
	GangSetMin     = "quern/gang-set-min"    // how many gangs of the set start together, 1 or more

	// Succeeded is a tag of applications: a JSON object with the number of members of each gang that had succeeded before.
	Succeeded = "quern/succeeded"

	// Failed is the message of a release whose allocation has not done its work. Another one of a gang's member has succeeded.
	Failed = "quern/failed"
)

// gangOf reads the tags of a member of an atomic gang; nil: it is none.
func gangOf(tags map[string]string) (*core.Gang, error) {
	id := tags[Gang]
	if id == "" {
		for _, key := range []string{GangMin, GangTimeout, GangFallback, GangDisruption, GangRepair, GangMax, GangSet, GangSetMin} {
			if tags[key] != "" {
				return nil, fmt.Errorf("%s: expected %s beside it, found none", key, Gang)
			}
		}
		return nil, nil
	}
	least, err := strconv.ParseInt(tags[GangMin], 10, 32)
	if err != nil || least < 1 {
		return nil, fmt.Errorf("%s: expected a number of 1 or more, found %q", GangMin, tags[GangMin])
	}
	g := &core.Gang{ID: id, Min: int(least)}
	if g.Timeout, _, err = durationOf(tags, GangTimeout); err != nil {
		return nil, err
	}
	if g.Repair.Within, g.Repair.Bounded, err = durationOf(tags, GangRepair); err != nil {
		return nil, err
	}
	switch fallback := tags[GangFallback]; fallback {
	case "":
	case "members":
		g.Fallback = true
	default:
		return nil, fmt.Errorf("%s: expected members, found %q", GangFallback, fallback)
	}
	switch of := core.Disruption(tags[GangDisruption]); of {
	case core.DisruptUnit, "unit":
	case core.DisruptWhole, core.DisruptMember:
		g.Disruption = of
	default:
		return nil, fmt.Errorf("%s: expected unit, whole or member, found %q", GangDisruption, of)
	}
	return g, readSet(tags, g)
}

// readSet reads the largest size of a gang, and its set.
func readSet(tags map[string]string, g *core.Gang) (err error) {
	if g.Max, err = numberOf(tags, GangMax, g.Min); err != nil {
		return err
	}
	g.Set = tags[GangSet]
	if g.SetMin, err = numberOf(tags, GangSetMin, 1); err != nil {
		return err
	}
	return both(tags, GangSet, GangSetMin)
}

// unitOf reads whether an application with placeholders is preempted as one.
func unitOf(tags map[string]string) (bool, error) {
	switch of := tags[GangDisruption]; of {
	case "", string(core.DisruptMember):
		return false, nil
	case "unit":
		return true, nil
	default:
		return false, fmt.Errorf("%s: expected unit or member of an application with placeholders, found %q", GangDisruption, of)
	}
}

// durationOf reads a tag such as 10m or 0s; false: it is not given.
func durationOf(tags map[string]string, key string) (d time.Duration, given bool, err error) {
	text := tags[key]
	if text == "" {
		return 0, false, nil
	}
	if d, err = time.ParseDuration(text); err != nil || d < 0 {
		return 0, false, fmt.Errorf("%s: expected a duration such as 10m, found %q", key, text)
	}
	return d, true, nil
}

// succeededOf reads how many members of an application's gangs had succeeded before.
func succeededOf(tags map[string]string) (counts map[string]int, err error) {
	text := tags[Succeeded]
	if text == "" {
		return nil, nil
	}
	err = json.Unmarshal([]byte(text), &counts)
	for gang, n := range counts {
		if gang == "" || n < 1 {
			err = fmt.Errorf("%q: %d", gang, n)
		}
	}
	if err != nil {
		return nil, fmt.Errorf(`%s: expected an object such as {"workers": 2}, found %q`, Succeeded, text)
	}
	return counts, nil
}

// gangEnded tells that the members of a gang which was broken for too long have to leave.
func (s *Service) gangEnded(d *core.Decision) {
	a := s.applications[d.App]
	if a == nil {
		return
	}
	var keys []string
	for key, k := range a.asks {
		if k.message.GetAllocationTags()[Gang] == d.Gang {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		s.askDecision(a.asks[key], d)
	}
}

// endsWithGang tells that an allocation has to leave with its gang. One that came later, waits, or leaves already is none of those that the decision is about.
func (k *ask) endsWithGang(d *core.Decision) {
	if k.node != "" && k.leaving == siv1.TerminationType_UNKNOWN_TERMINATION_TYPE && int64(d.At) >= k.since {
		k.leaves(siv1.TerminationType_PREEMPTED_BY_SCHEDULER, fmt.Sprintf("%s: %d of %d members were left", core.ReasonGangBroken, d.Allocated, d.Min))
	}
}
