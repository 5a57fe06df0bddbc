package oracle_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
)

// gangKey names an atomic gang.
type gangKey struct{ app, gang string }

// followedGang is what decisions and inputs say of a gang.
type followedGang struct {
	core.Gang
	succeeded int
	fellBack  bool
	whole     bool // enough members were there, and some have been there since
	broken    bool
	brokenAt  time.Duration
}

// followedSwap is an ask that waits for the placeholder that it replaces to leave. It counts as a member.
type followedSwap struct {
	key    gangKey
	holder string
}

// gangFollower checks that no set of victims leaves a gang short, and that no gang runs below its minimum without being broken, or for
// longer than it may be. Tasks take over the memberships of the placeholders that they replace.
type gangFollower struct {
	dumper
	said     map[string]core.Ask
	last     *core.Input // since the last check
	applied  bool        // an input was applied since gangs were checked
	restored bool        // an allocation was restored at this time, so that restored gangs are not judged yet
	gangs    map[gangKey]*followedGang
	members  map[string]gangKey // allocated and not leaving, by ID
	leaving  map[string]gangKey // allocated and leaving, by ID
	swaps    map[string]followedSwap
	byMember map[string]bool   // queues that let gangs go one by one
	queueOf  map[string]string // by application
	appOf    map[string]string // by ask
	faults   []string
}

func (f *gangFollower) Apply(in *core.Input) core.Reason {
	f.last, f.applied = in, true
	f.restored = f.restored || in.Type() == core.AllocationRestore
	return f.dumper.Apply(in)
}

func (f *gangFollower) Advance(to time.Duration) {
	f.restored = f.restored && to == f.Now()
	f.dumper.Advance(to)
}

func (f *gangFollower) expect(ok bool, format string, args ...any) {
	if !ok {
		f.faults = append(f.faults, fmt.Sprintf(format, args...))
	}
}

// present returns the number of members that are allocated and not leaving.
func (f *gangFollower) present(key gangKey) (count int) {
	for _, of := range f.members {
		if of == key {
			count++
		}
	}
	return count
}

// count returns the number of members that are there.
func (f *gangFollower) count(key gangKey) int {
	count := f.present(key)
	for _, swap := range f.swaps {
		if swap.key == key {
			count++
		}
	}
	return count
}

func (g *followedGang) need() int { return g.Min - g.succeeded }

// check follows a call. cycle is true for a complete cycle, and judged for any cycle that judges gangs.
func (f *gangFollower) check(decisions []core.Decision, cycle, judged bool) []string {
	for key, g := range f.gangs {
		if judged && f.count(key) == 0 { // it is over, without a word
			g.whole, g.broken = false, false
		}
	}
	if in, ok := f.placed(); ok && refusalIn(decisions) == core.Accepted {
		f.members[in.ID] = f.keyOf(in.App, in.ID)
		f.follow(f.members[in.ID], in.ID)
	}
	for i := 0; i < len(decisions); i++ {
		d := &decisions[i]
		if d.Type == core.Preemption {
			set := decisions[i:]
			for n := range set {
				if set[n].Type != core.Preemption || f.chooser(&set[n]) != f.chooser(d) {
					set = set[:n]
					break
				}
			}
			f.judgeSet(set)
			i += len(set) - 1
			continue
		}
		f.decided(d)
	}
	f.refresh(cycle)
	if cycle {
		f.judgeGangs()
		f.applied = false
	}
	f.last = nil
	return f.faults
}

// chooser names who has chosen the victim: a gang that waits together, or else the ask.
func (f *gangFollower) chooser(d *core.Decision) string {
	key := f.keyOf(f.appOf[d.For], d.For)
	if key.gang != "" && d.Quota == "" && f.present(key) == 0 {
		return "gang " + key.gang // of one application: asks of others are not between them
	}
	return d.Quota + "\n" + d.For
}

// judgeSet checks law 8 for one set of victims.
func (f *gangFollower) judgeSet(set []core.Decision) {
	taken := map[gangKey]int{}
	for i := range set {
		if key, ok := f.members[set[i].ID]; ok && key.gang != "" {
			taken[key]++
			f.expect(set[i].Gang == key.gang, "%s is of gang %s, not of %q", set[i].ID, key.gang, set[i].Gang)
		}
	}
	for key, n := range taken {
		g, there := f.gangs[key], f.present(key)
		surplus := max(0, f.count(key)-g.need())
		if g.Disruption == core.DisruptWhole {
			surplus = 0
		}
		unit := !g.fellBack && g.Disruption != core.DisruptMember && !f.byMember[f.queueOf[key.app]]
		ended := unit && n > surplus
		f.expect(!ended || n == there, "%s takes %d of %d members of %s %s, which needs %d", set[0].For, n, there, key.app, key.gang, g.need())
		for i := range set {
			if f.members[set[i].ID] == key {
				f.expect(set[i].GangEnded == ended, "%s says of the end of %s %s: %t", set[i].ID, key.app, key.gang, set[i].GangEnded)
			}
		}
		if ended {
			g.whole, g.broken = false, false
		}
	}
	for i := range set {
		f.leaving[set[i].ID] = f.members[set[i].ID]
		delete(f.members, set[i].ID)
	}
}

func (f *gangFollower) decided(d *core.Decision) {
	key := gangKey{d.App, d.Gang}
	switch d.Type {
	case core.AppAccepted:
		for other := range f.gangs {
			if other.app == d.ID {
				delete(f.gangs, other)
			}
		}
	case core.Allocation:
		delete(f.swaps, d.ID)
		f.members[d.ID] = f.keyOf(d.App, d.ID)
	case core.Replaced:
		f.replaced(d)
	case core.TimedOut:
		f.timedOut(d)
	case core.Release:
		f.released(d)
	case core.GangFallback:
		f.gangs[key].fellBack = true
	case core.GangBroken:
		g := f.gangs[key]
		f.expect(!g.broken && !g.fellBack && d.Allocated > 0 && d.Allocated < d.Min, "%s %s is broken with %d of %d", d.App, d.Gang, d.Allocated, d.Min)
		f.sameNumbers(d)
		g.broken, g.brokenAt = true, d.At
	case core.GangRepaired:
		g := f.gangs[key]
		f.expect(g.broken && d.Allocated >= d.Min, "%s %s is repaired with %d of %d", d.App, d.Gang, d.Allocated, d.Min)
		f.sameNumbers(d)
		g.broken = false
	case core.GangEnded:
		g := f.gangs[key]
		f.expect(g.broken && g.Repair.Bounded && d.At-g.brokenAt >= g.Repair.Within, "%s %s ends too early", d.App, d.Gang)
		f.sameNumbers(d)
		for id, of := range f.members {
			if of == key {
				f.leaving[id] = key
				delete(f.members, id)
			}
		}
		g.broken, g.whole = false, false
	}
}

// timedOut follows a placeholder that leaves without an ask for its place. A gang that is short by that alone is not broken.
func (f *gangFollower) timedOut(d *core.Decision) {
	if key, ok := f.members[d.ID]; ok {
		f.leaving[d.ID] = key
		delete(f.members, d.ID)
		f.mayBeShort(key)
	}
}

func (f *gangFollower) mayBeShort(key gangKey) {
	if g := f.gangs[key]; g != nil {
		g.whole = false
	}
}

// replaced lets an ask take over the membership of the placeholder that leaves for it.
func (f *gangFollower) replaced(d *core.Decision) {
	key := f.members[d.ID]
	delete(f.members, d.ID)
	f.leaving[d.ID] = key
	if before, ok := f.swaps[d.For]; ok { // it found no room in place of another placeholder
		f.mayBeShort(before.key)
	}
	said := f.said[d.For]
	if key.gang != "" {
		said.Gang = f.said[d.ID].Gang
		f.said[d.For] = said
	}
	f.swaps[d.For] = followedSwap{key: f.keyOf(key.app, d.For), holder: d.ID}
}

func (f *gangFollower) sameNumbers(d *core.Decision) {
	key := gangKey{d.App, d.Gang}
	f.expect(d.Allocated == f.count(key) && d.Min == f.gangs[key].need(), "%s says %d of %d of %s %s, found %d of %d", d.Type, d.Allocated, d.Min,
		d.App, d.Gang, f.count(key), f.gangs[key].need())
}

func (f *gangFollower) released(d *core.Decision) {
	key, ok := f.members[d.ID]
	if !ok {
		key = f.leaving[d.ID]
	}
	if g := f.gangs[key]; g != nil && d.Reason == core.ReasonFinished {
		if release, ok := f.last.Event.(*core.ReleaseAllocation); ok && !release.Failed {
			g.succeeded++
		}
	}
	delete(f.members, d.ID)
	delete(f.leaving, d.ID)
}

// keyOf returns the gang of an ask, and begins to follow it. An ask without a gang has one without a name.
func (f *gangFollower) keyOf(app, id string) gangKey {
	g := f.said[id].Gang
	if g == nil {
		return gangKey{app: app}
	}
	return gangKey{app, g.ID}
}

// refresh adds what decisions do not say: restored members, and those that leave by themselves.
func (f *gangFollower) refresh(cycle bool) {
	dump := f.Dump()
	f.dropSwaps(&dump, cycle)
	f.queueOf, f.byMember, f.appOf = map[string]string{}, map[string]bool{}, map[string]string{}
	for _, q := range dump.Queues {
		f.byMember[q.Path] = strings.EqualFold(q.Properties["preemption.gangs"], "member")
	}
	inUse := map[gangKey]bool{}
	f.members, f.leaving = map[string]gangKey{}, map[string]gangKey{}
	for _, a := range dump.Applications {
		f.queueOf[a.ID] = a.Queue
		for _, k := range a.Asks {
			key := f.keyOf(a.ID, k.ID)
			f.appOf[k.ID] = a.ID
			inUse[key] = true
			f.follow(key, k.ID)
			switch {
			case k.Node != "" && k.Leaves:
				f.leaving[k.ID] = key
			case k.Node != "":
				f.members[k.ID] = key
			}
		}
	}
	for key, g := range f.gangs {
		if !inUse[key] {
			*g = followedGang{succeeded: g.succeeded}
		}
	}
	if in, ok := f.added(); ok {
		for id, count := range in.Succeeded {
			if f.gangs[gangKey{in.ID, id}] == nil {
				f.gangs[gangKey{in.ID, id}] = &followedGang{succeeded: count}
			}
		}
	}
}

// dropSwaps forgets the asks that no longer wait for a placeholder. Once that is gone and the cycle is over, they have landed or wait as others.
func (f *gangFollower) dropSwaps(dump *core.Dump, cycle bool) {
	pending, allocated := map[string]bool{}, map[string]bool{}
	for _, a := range dump.Applications {
		for _, k := range a.Asks {
			pending[k.ID], allocated[k.ID] = k.Node == "", k.Node != ""
		}
	}
	for id, swap := range f.swaps {
		if !pending[id] || cycle && !allocated[swap.holder] {
			f.mayBeShort(swap.key)
			delete(f.swaps, id)
		}
	}
}

func (f *gangFollower) placed() (in *core.RestoreAllocation, ok bool) {
	if f.last == nil {
		return nil, false
	}
	in, ok = f.last.Event.(*core.RestoreAllocation)
	return in, ok
}

func (f *gangFollower) added() (in *core.AddApp, ok bool) {
	if f.last == nil {
		return nil, false
	}
	in, ok = f.last.Event.(*core.AddApp)
	return in, ok
}

func (f *gangFollower) follow(key gangKey, id string) {
	if key.gang == "" {
		return
	}
	g := f.gangs[key]
	if g == nil {
		g = &followedGang{}
		f.gangs[key] = g
	}
	if g.ID == "" {
		g.Gang = *f.said[id].Gang
	}
}

// judgeGangs checks the gangs after a complete cycle.
func (f *gangFollower) judgeGangs() {
	now := f.Now()
	for key, g := range f.gangs {
		there, leaves := f.count(key), false
		for _, of := range f.leaving {
			leaves = leaves || of == key
		}
		switch {
		case there == 0:
			g.whole, g.broken = false, false
		case there >= g.need():
			g.whole = true
		case g.whole && !leaves && !g.fellBack && f.applied && !f.restored:
			f.expect(g.broken, "%s %s runs with %d of %d and is not broken", key.app, key.gang, there, g.need())
		}
		f.expect(!g.broken || f.present(key) < g.need() || g.succeeded > 0, "%s %s is broken with %d of %d", key.app, key.gang, there, g.need())
		f.expect(!g.broken || !g.Repair.Bounded || now-g.brokenAt < g.Repair.Within, "%s %s is broken for too long", key.app, key.gang)
	}
}

func newGangFollower(m dumper) *gangFollower {
	return &gangFollower{
		dumper: m, said: map[string]core.Ask{}, gangs: map[gangKey]*followedGang{}, members: map[string]gangKey{}, leaving: map[string]gangKey{},
		swaps: map[string]followedSwap{},
	}
}

// checkCall is check for a call of lockstepRun.
func (f *gangFollower) checkCall(call string, decisions []core.Decision) []string {
	judged := strings.HasPrefix(call, "cycle") && !strings.HasPrefix(call, "cycle 0")
	return f.check(decisions, strings.HasPrefix(call, "cycle -1"), judged)
}

func gangsStayWhole(t *rapid.T, m dumper, s scenario, reached map[core.DecisionType]int) {
	f := newGangFollower(m)
	r := &lockstepRun{t: t, scenario: s, machines: []dumper{f}, asksByID: f.said}
	r.check = func(call string, returns []outcome) {
		for _, d := range returns[0].decisions {
			reached[d.Type]++
			if d.GangEnded {
				reached[d.Type+", gang ended"]++
			}
		}
		if faults := f.checkCall(call, returns[0].decisions); len(faults) > 0 {
			r.fail("%s: %s", call, strings.Join(faults, "\n"))
		}
	}
	r.run()
}

func TestUnits_NothingRunsBelowItsMinimum(t *testing.T) {
	reached := map[core.DecisionType]int{}
	defer func() { t.Logf("%v", reached) }()
	rapid.Check(t, func(t *rapid.T) {
		gangsStayWhole(t, oracle.New(), drawUnits(t, false), reached)
		gangsStayWhole(t, newMachine(), drawUnits(t, false), reached)
	})
}

func TestUnits_NothingRunsBelowItsMinimumBesidePlaceholders(t *testing.T) {
	reached := map[core.DecisionType]int{}
	defer func() { t.Logf("%v", reached) }()
	rapid.Check(t, func(t *rapid.T) {
		gangsStayWhole(t, oracle.New(), placeholdersOneByOne(drawUnits(t, true)), reached)
		gangsStayWhole(t, newMachine(), placeholdersOneByOne(drawUnits(t, true)), reached)
	})
}

// placeholdersOneByOne makes no gang with placeholders a unit.
func placeholdersOneByOne(s scenario) scenario {
	for i := range s.steps {
		if s.steps[i].input == nil {
			continue
		}
		if in, ok := s.steps[i].input.Event.(*core.AddApp); ok && in.Placeholders != nil {
			in.Placeholders.Unit = false
		}
	}
	return s
}

// TestUnits_EqualTheOracles compares the scheduler with the oracle, placeholders included.
func TestUnits_EqualTheOracles(t *testing.T) {
	reached := map[core.DecisionType]int{}
	defer func() { t.Logf("%v", reached) }()
	rapid.Check(t, func(t *rapid.T) {
		judge := oracle.New()
		r := &lockstepRun{t: t, scenario: unitScenarios().Draw(t, "scenario"), machines: []dumper{judge, newMachine()}}
		r.check = func(call string, returns []outcome) {
			for _, d := range returns[0].decisions {
				reached[d.Type]++
				if d.GangEnded {
					reached[d.Type+", gang ended"]++
				}
			}
			r.equalsOracle(judge, call, returns)
		}
		r.run()
	})
}

func TestUnits_SlicedOracleDecidesAsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &lockstepRun{t: t, scenario: unitScenarios().Draw(t, "scenario"), machines: []dumper{oracle.New(), sliced{oracle.New(), t}}}
		r.check = r.sameToTheLetter
		r.run()
	})
}
