package workload

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
)

func TestTheDemonstrationIsTheSameForASeed(t *testing.T) {
	var a, b, c bytes.Buffer
	for w, seed := range map[*bytes.Buffer]uint64{&a: 1, &b: 1, &c: 2} {
		if err := Demo(w, seed); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("one seed gave two days")
	}
	if bytes.Equal(a.Bytes(), c.Bytes()) {
		t.Error("two seeds gave one day")
	}
}

func TestTheDemonstrationIsADayOfWork(t *testing.T) {
	for seed := range uint64(5) {
		var text bytes.Buffer
		if err := Demo(&text, seed); err != nil {
			t.Fatal(err)
		}
		types := map[core.InputType]int{}
		var last time.Duration
		d := journal.NewDecoder(&text, "demo.jsonl", nil)
		entry, err := d.Next()
		for ; err == nil; entry, err = d.Next() {
			types[entry.Input.Type()] += entry.Count
			last = entry.Input.At
		}
		if err != io.EOF {
			t.Fatal(err)
		}
		if asks := types[core.AskAdd]; asks < 5000 || asks > 8000 {
			t.Errorf("seed %d: %d asks", seed, asks)
		}
		if types[core.NodeAdd] != 61 || types[core.NodeRemove] != 1 || types[core.ConfigSet] != 2 || types[core.NodeDrain] != 1 {
			t.Errorf("seed %d: %v", seed, types)
		}
		if last > 24*time.Hour {
			t.Errorf("seed %d: goes on until %v", seed, last)
		}
	}
}

// Whoever the configurations limit exists, and whoever submits is of a team that works there.
func TestTheTeamsAreThoseOfTheConfigurations(t *testing.T) {
	known := map[string]bool{"*": true}
	work := map[string]string{}
	for _, team := range []team{platform(), etl(), finance(), analysts(), students(), guests(), partners(), researchers()} {
		for i, user := range team.users {
			known[user], work[user] = true, team.queue
			for _, group := range team.groups(i) {
				known[group] = true
			}
		}
	}
	for _, text := range []string{DemoConfig, DemoConfigNoon} {
		c, err := config.Decode([]byte(text), config.Options{File: "demo.yaml", Format: config.YAML})
		if err != nil {
			t.Fatal(err)
		}
		limits := 0
		var look func(q *config.Queue)
		look = func(q *config.Queue) {
			for _, l := range q.Limits {
				for _, name := range append(slices.Clone(l.Users), l.Groups...) {
					if limits++; !known[name] {
						t.Errorf("%s limits %q, who is of no team", q.Path, name)
					}
				}
			}
			for _, below := range q.Children {
				look(below)
			}
		}
		look(c.Partitions[0].Root)
		if limits < 4 {
			t.Errorf("only %d limits", limits)
		}
	}
	for _, e := range DemoEntries(3) {
		if app, ok := e.Input.Event.(*core.AddApp); ok && (work[app.User] == "" || !strings.HasPrefix(app.Queue+".", work[app.User]+".")) {
			t.Errorf("%s submits %s to %s", app.User, app.ID, app.Queue)
		}
	}
}

func TestTheDemonstrationShowsLimitsGangsAndAQuota(t *testing.T) {
	for seed := uint64(1); seed <= 3; seed++ {
		counts := map[string]int{}
		reached := map[string]bool{}
		s := scheduler.New(core.Options{})
		var text bytes.Buffer
		if err := Demo(&text, seed); err != nil {
			t.Fatal(err)
		}
		_, err := journal.Replay(s, journal.NewDecoder(&text, "demo.jsonl", nil), journal.Options{Idle: true,
			Decisions: func(decisions []core.Decision) {
				for _, d := range decisions {
					counts[string(d.Type)]++
					counts[string(d.Reason)]++
					if d.Type == core.AppState {
						counts[d.To]++
					}
					counts["by quota of "+d.Quota]++
					for _, u := range s.AppLimits(d.App) {
						for i, most := range u.Max {
							if u.Used[i].Value > most.Value {
								t.Errorf("seed %d: %s uses %v of %v in %s", seed, u.Name, u.Used, u.Max, u.Queue)
							}
							reached[u.Name] = reached[u.Name] || u.Used[i].Value == most.Value
						}
					}
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		for what, least := range map[string]int{"by quota of root.partners": 5, "gang-formed": 4, "placeholder.replaced": 30, "timeout": 10, "Resuming": 1, "Failed": 1} {
			if counts[what] < least {
				t.Errorf("seed %d: %d of %s, at least %d were to come", seed, counts[what], what, least)
			}
		}
		if all := 9 + 20 + 6 + 2; len(reached) < 20 || len(reached) > all { // users, and two groups
			t.Errorf("seed %d: %d users and groups have limits", seed, len(reached))
		}
		met := 0
		for _, yes := range reached {
			if yes {
				met++
			}
		}
		if met < 4 || met > 20 {
			t.Errorf("seed %d: %d users and groups reach their limits, a few were to", seed, met)
		}
	}
}

func TestDemo_ShowsWaitsPreemptionAndAReload(t *testing.T) {
	var text bytes.Buffer
	if err := Demo(&text, 1); err != nil {
		t.Fatal(err)
	}
	asked, waited := map[string]time.Duration{}, 0
	counts := map[string]int{}
	_, err := journal.Replay(scheduler.New(core.Options{}), journal.NewDecoder(&text, "demo.jsonl", nil), journal.Options{Idle: true,
		Inputs: func(e *journal.Entry, _ core.Reason) { asked[e.Input.ID()] = e.Input.At },
		Decisions: func(decisions []core.Decision) {
			for _, d := range decisions {
				counts[string(d.Type)]++
				counts[string(d.Reason)]++
				if d.Type == core.Allocation && d.At > asked[d.ID]+time.Minute {
					waited++
				}
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	for what, least := range map[string]int{"allocation": 5000, "reservation": 10, "preemption": 5, "preempted": 5, "node_removed": 1, "queue-draining": 1, "removed": 1,
		"empty": 1, "config.accepted": 2, "app.rejected": 1} {
		if counts[what] < least {
			t.Errorf("%d of %s, at least %d were to come", counts[what], what, least)
		}
	}
	if waited < 200 || counts["config.rejected"] > 0 || counts["ignored"] > 0 {
		t.Errorf("%d asks waited, %v", waited, counts)
	}
}

// The gang that is preempted as a whole and comes back does so on every day.
func TestDemo_GangLeavesAsOneAndComesBack(t *testing.T) {
	for seed := range uint64(4) {
		var text bytes.Buffer
		if err := Demo(&text, seed); err != nil {
			t.Fatal(err)
		}
		preempted, back := map[time.Duration]int{}, map[time.Duration]int{}
		_, err := journal.Replay(scheduler.New(core.Options{}), journal.NewDecoder(&text, "demo.jsonl", nil), journal.Options{Idle: true,
			Decisions: func(decisions []core.Decision) {
				for _, d := range decisions {
					switch {
					case d.Type == core.Preemption && d.GangEnded && strings.HasPrefix(d.ID, "thesis."):
						preempted[d.At]++
					case d.Type == core.Allocation && strings.HasPrefix(d.ID, "thesis.again-"):
						back[d.At]++
					}
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		if want := (map[time.Duration]int{clock(12, 20) + 30*time.Second: 4}); !maps.Equal(preempted, want) {
			t.Errorf("seed %d: expected %v workers to be preempted, found %v", seed, want, preempted)
		}
		if want := (map[time.Duration]int{clock(13, 0) + 30*time.Second: 4}); !maps.Equal(back, want) {
			t.Errorf("seed %d: expected %v workers to start again, found %v", seed, want, back)
		}
	}
}
