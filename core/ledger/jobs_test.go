package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
)

// jobsText writes figures of jobs: waits, turnarounds and slowdowns as mean and maximum, and core seconds.
func jobsText(f *ledger.JobFigures) string {
	span := func(s *ledger.Sketch) string {
		return fmt.Sprintf("%v/%v", time.Duration(s.Mean()), time.Duration(s.Max()))
	}
	used := "0"
	if len(f.Used) > 0 {
		used = strings.TrimSuffix(f.Used[0].Seconds(), "000")
	}
	return fmt.Sprintf("%d waited %s; %d took %s, slowed down %d/%d; %d interrupted; %s core seconds",
		f.Wait.Total(), span(&f.Wait), f.Turnaround.Total(), span(&f.Turnaround), f.Slowdown.Mean(), f.Slowdown.Max(), f.Interrupted, used)
}

func (p played) expectJobs(t *testing.T, want ...string) {
	t.Helper()
	s := p.summary()
	found := []string{jobsText(&s.Jobs)}
	for i := range s.Queues {
		found = append(found, s.Queues[i].Path+": "+jobsText(&s.Queues[i].Jobs))
	}
	for i := range s.Users {
		found = append(found, s.Users[i].User+": "+jobsText(&s.Users[i].Jobs))
	}
	if text := strings.Join(found, "\n"); text != strings.Join(want, "\n") {
		t.Errorf("expected\n%s\nfound\n%s", strings.Join(want, "\n"), text)
	}
}

func userApp(id, queue, user string) core.Input {
	return core.Input{Event: &core.AddApp{ID: id, Queue: queue, User: user}}
}

func TestJobs_AreMeasuredByQueueAndUser(t *testing.T) {
	p := play(twoLeaves)
	p.apply(node(1), userApp("x", "root.a", "ann"), userApp("y", "root.b", "bob"))
	p.apply(member("x1", "x", 1, core.Ask{}), member("y1", "y", 1, core.Ask{}))
	p.until(20 * time.Second)
	p.apply(release("x1", false)) // ran for 20 s
	p.until(25 * time.Second)
	p.apply(release("y1", false)) // waited for 20 s, ran for 5 s: 25 s for what counts as 10 s
	p.apply(member("x2", "x", 1, core.Ask{}))
	p.until(30 * time.Second) // x2 has run for 5 s
	p.expectJobs(t,
		"3 waited 6.666666666s/20s; 2 took 22.5s/25s, slowed down 1750/2500; 0 interrupted; 30 core seconds",
		"root: 3 waited 6.666666666s/20s; 2 took 22.5s/25s, slowed down 1750/2500; 0 interrupted; 30 core seconds",
		"root.a: 2 waited 0s/0s; 1 took 20s/20s, slowed down 1000/1000; 0 interrupted; 25 core seconds",
		"root.b: 1 waited 20s/20s; 1 took 25s/25s, slowed down 2500/2500; 0 interrupted; 5 core seconds",
		"ann: 2 waited 0s/0s; 1 took 20s/20s, slowed down 1000/1000; 0 interrupted; 25 core seconds",
		"bob: 1 waited 20s/20s; 1 took 25s/25s, slowed down 2500/2500; 0 interrupted; 5 core seconds",
	)
	p.apply(core.Input{Event: &core.MoveApp{ID: "x", Queue: "root.b"}})
	p.until(36 * time.Second)
	p.apply(release("x2", false)) // 5 s in root.a, 6 s in root.b, where it ended
	s := p.summary()
	for i, want := range []string{
		"3 waited 6.666666666s/20s; 3 took 18.666666666s/25s, slowed down 1500/2500; 0 interrupted; 36 core seconds",
		"2 waited 0s/0s; 1 took 20s/20s, slowed down 1000/1000; 0 interrupted; 25 core seconds",
		"1 waited 20s/20s; 2 took 18s/25s, slowed down 1750/2500; 0 interrupted; 11 core seconds",
	} {
		if found := jobsText(&s.Queues[i].Jobs); found != want {
			t.Errorf("expected\n%s\nfound\n%s", want, found)
		}
	}
}

func TestJobs_ThatAreInterruptedHaveNoTurnaround(t *testing.T) {
	p := play("partitions: [{name: default, queues: [{name: a}, {name: b, resources: {guaranteed: {vcore: 2}}}]}]")
	p.apply(node(2), addApp("x"), member("1", "x", 2, core.Ask{}), userApp("y", "root.b", ""))
	p.until(10 * time.Second)
	p.apply(member("2", "y", 2, core.Ask{}))
	p.until(2 * time.Minute)
	p.apply(core.Input{Event: &core.RemoveNode{ID: "n"}}) // the other
	s := p.summary()
	if s.Preempted != 1 || s.Jobs.Interrupted != 2 || s.Jobs.Turnaround.Total() != 0 || s.Jobs.Wait.Total() != 2 || s.Applications.Interrupted != 2 {
		t.Errorf("%+v", s)
	}
	if used := s.Jobs.Used[0].Seconds(); used != "240000" {
		t.Errorf("they used %s", used)
	}
}

func TestJobs_AnAtomicGangIsOne(t *testing.T) {
	p := play(twoLeaves)
	ofTwo := core.Ask{Gang: &core.Gang{ID: "g", Min: 2}}
	p.apply(addApp("x"), member("1", "x", 1, ofTwo), member("2", "x", 1, ofTwo))
	p.until(10 * time.Second)
	p.apply(node(2))
	p.until(30 * time.Second)
	p.apply(release("1", false))
	p.until(50 * time.Second)
	p.apply(release("2", false))
	p.until(2 * time.Minute)
	const want = "1 waited 10s/10s; 1 took 50s/50s, slowed down 1250/1250; 0 interrupted; 60 core seconds"
	s := p.summary()
	if found := jobsText(&s.Jobs); found != want {
		t.Errorf("expected\n%s\nfound\n%s", want, found)
	}
	if g, a := &s.Gangs[0], &s.Applications; g.Turnaround.Max() != int64(50*time.Second) || a.Turnaround.Max() != int64(50*time.Second) || a.Slowdown.Max() != 1250 {
		t.Errorf("%+v\n%+v", g, a)
	}
}

func TestJobs_AGangThatDoesNotFormStartsWithItsFirstMember(t *testing.T) {
	p := play(twoLeaves)
	single := core.Ask{Gang: &core.Gang{ID: "g", Min: 2, Timeout: 10 * time.Second, Fallback: true}}
	p.apply(node(1), addApp("x"), member("1", "x", 1, single), member("2", "x", 1, single))
	p.until(30 * time.Second)
	p.apply(release("1", false))
	p.until(40 * time.Second)
	p.apply(release("2", false))
	p.until(2 * time.Minute)
	s := p.summary()
	if found := jobsText(&s.Jobs); found != "1 waited 10s/10s; 1 took 40s/40s, slowed down 1333/1333; 0 interrupted; 30 core seconds" {
		t.Error(found)
	}
}

func TestJobs_AnApplicationWithPlaceholdersIsOne(t *testing.T) {
	p := play(twoLeaves)
	hold := core.Ask{Placeholder: true, TaskGroup: "g"}
	p.apply(core.Input{Event: &core.AddApp{ID: "x", Queue: "root.a", Placeholders: &core.Placeholders{Ask: cores(2)}}}, member("h1", "x", 1, hold), member("h2", "x", 1, hold))
	p.until(5 * time.Second)
	p.apply(node(2))
	p.until(10 * time.Second)
	p.apply(member("t1", "x", 1, core.Ask{TaskGroup: "g"}), member("t2", "x", 1, core.Ask{TaskGroup: "g"}))
	p.until(20 * time.Second)
	p.apply(release("t1", false), release("t2", false))
	p.until(2 * time.Minute)
	s := p.summary()
	if found := jobsText(&s.Jobs); found != "1 waited 5s/5s; 1 took 20s/20s, slowed down 1333/1333; 0 interrupted; 30 core seconds" {
		t.Error(found)
	}
}

func TestJobs_StartedBeforeTheRunDoNotCount(t *testing.T) {
	p := play(twoLeaves)
	for _, id := range []string{"1", "g1"} {
		in := member(id, "x", 1, core.Ask{})
		if id == "g1" {
			in.Ask().Gang = &core.Gang{ID: "g", Min: 1}
		}
		if id == "1" {
			p.apply(node(2), addApp("x"))
		}
		p.apply(core.Input{Event: &core.RestoreAllocation{AddAsk: *in.Ask(), PlacedOn: "n"}})
	}
	p.until(10 * time.Second)
	p.apply(release("1", false), release("g1", false))
	p.until(2 * time.Minute)
	s := p.summary()
	if found := jobsText(&s.Jobs); found != "0 waited 0s/0s; 0 took 0s/0s, slowed down 0/0; 0 interrupted; 20 core seconds" {
		t.Error(found)
	}
}

func TestJobs_OfManyUsers(t *testing.T) {
	p := play(twoLeaves)
	p.apply(node(1))
	for i := range 1010 {
		id := fmt.Sprint(i)
		p.apply(userApp(id, "root.a", "user-"+id), member(id, id, 1, core.Ask{}))
		p.until(time.Duration(i+1) * time.Second)
		p.apply(release(id, false))
	}
	s := p.summary()
	if n := len(s.Users); n != 1001 || !s.Users[1000].Others || s.Users[1000].Jobs.Wait.Total() != 10 {
		t.Errorf("%d users, the last of whom is %+v", n, s.Users[n-1])
	}
}

func TestJobs_PromisesThatPassAreCounted(t *testing.T) {
	p := play(twoLeaves)
	p.apply(node(1), addApp("x"), member("late", "x", 1, core.Ask{Walltime: 10 * time.Second}))
	p.until(time.Minute)
	if s := p.summary(); s.Exceeded != 1 {
		t.Errorf("%d are counted", s.Exceeded)
	}
}
