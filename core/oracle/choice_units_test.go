package oracle_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
)

// On clusters small enough to try all sets of allocations, the victims of asks and of gangs among running gangs are the best ones. The long
// run is `make clusters`.
func TestVictims_BestAmongGangs(t *testing.T) { bestAmongGangs(t, drawGangShot) }

// The same holds of what least run times and budgets leave.
func TestVictims_BestAmongUnspared(t *testing.T) { bestAmongGangs(t, drawSparedShot) }

func bestAmongGangs(t *testing.T, draw func(*rapid.T) *gangShot) {
	defer shotsUnlessGiven(t)()
	counts := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		m, said := newMachine(), map[string]core.Ask{}
		r := &lockstepRun{t: t, scenario: s.scenario, machines: []dumper{m}, asksByID: said}
		before, formed := m.Dump(), map[string]bool{}
		r.check = func(call string, returns []outcome) {
			if strings.HasPrefix(call, "cycle") {
				r.choosesBest(s, before, formed, returns[0].decisions, counts)
			}
			before = m.Dump()
			s.noteFormed(before, said, formed)
		}
		r.run()
	})
	for _, what := range []string{"victims", "victims of gangs", "gangs ended", "none"} {
		t.Logf("%9d %s", counts[what], what)
	}
}

// noteFormed records which applications have formed: a task is there, or enough placeholders.
func (s *gangShot) noteFormed(dump core.Dump, said map[string]core.Ask, formed map[string]bool) {
	for _, a := range dump.Applications {
		app := s.appOf(a.ID)
		if app == nil || app.Placeholders == nil || formed[a.ID] {
			continue
		}
		enough := true
		for _, q := range app.Placeholders.Ask {
			enough = enough && valueIn(a.Used, q.Type) >= q.Value
		}
		formed[a.ID] = enough && len(a.Asks) > 0 || slices.ContainsFunc(a.Asks, func(k core.AskDump) bool { return !said[k.ID].Placeholder })
	}
}

func (s *gangShot) appOf(id string) *core.AddApp {
	for i := range s.units {
		if s.units[i].ID == id {
			return &s.units[i]
		}
	}
	return nil
}

// choosesBest compares the victims of a cycle with the best ones.
func (r *lockstepRun) choosesBest(s *gangShot, before core.Dump, formed map[string]bool, decisions []core.Decision, counts map[string]int) {
	o := &optimum{lawChecker: newCourt(before, r.asksByID), apps: map[string]*core.AddApp{}, formed: formed, done: map[gangKey]int{}, total: before.Total}
	for i := range s.units {
		o.apps[s.units[i].ID] = &s.units[i]
	}
	for _, id := range s.placed {
		if k := o.tasks[id]; k != nil {
			o.running = append(o.running, k)
		} else if g := r.asksByID[id].Gang; g != nil && s.left[id] {
			o.done[gangKey{s.runs[id], g.ID}]++
		}
	}
	delay := time.Second
	for _, id := range []string{"k1", "k2", "k3"} {
		if k := o.tasks[id]; k != nil {
			if k.Node != "" || k.Claims != "" || k.said.Node == "" && before.Now-k.Submitted < delay {
				return
			}
			o.members = append(o.members, k)
		}
	}
	if len(o.members) == 0 {
		return
	}
	var found []string
	for _, d := range decisions {
		switch d.Type {
		case core.Allocation:
			return
		case core.Preemption:
			found = append(found, d.ID)
		}
	}
	want, nodes := o.find()
	if !slices.Equal(found, want) {
		r.fail("expected the victims %v for %v, found %v", want, nodes, found)
	}
	if len(want) == 0 {
		counts["none"]++
		return
	}
	if kept := keptNodes(r.machines[0].Dump()); !slices.Equal(kept, nodes) {
		r.fail("expected that %v leave for %v, found %v", want, nodes, kept)
	}
	counts["victims"]++
	if slices.ContainsFunc(decisions, func(d core.Decision) bool { return d.GangEnded }) {
		counts["gangs ended"]++
	}
	if len(o.members) > 1 {
		counts["victims of gangs"]++
	}
}

// keptNodes lists the nodes that are kept for asks, by name.
func keptNodes(d core.Dump) (nodes []string) {
	for _, n := range d.Nodes {
		if n.ClaimedBy != "" {
			nodes = append(nodes, n.ID)
		}
	}
	slices.Sort(nodes)
	return nodes
}

// TestVictims_AmongGangsAsByTheOracle holds the oracle to the same clusters, with all that it decides.
func TestVictims_AmongGangsAsByTheOracle(t *testing.T) {
	compareShots(t, func(t *rapid.T) shot { return shot{scenario: drawGangShot(t).scenario} })
}
