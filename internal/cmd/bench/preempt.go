package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/host/workload"
)

// preemptionDelay is how long an ask waits before it may preempt, where nothing is configured.
const preemptionDelay = 30 * time.Second

// besieged is a crowded cluster whose scheduler is asked for victims.
type besieged struct {
	driver
	crowd workload.Preemption
	asked int
}

// besiege makes one, with its allocations in place.
func besiege(size workload.PreemptionSize) *besieged {
	b := &besieged{driver: newDriver(), crowd: workload.NewPreemption(size, seed)}
	b.apply(b.crowd.All())
	b.decide()
	b.crowd.Workload = workload.Workload{}
	runtime.GC()
	return b
}

// search cycles until everything is decided, and returns how long that took and what was decided.
func (d driver) search() (took time.Duration, decisions []core.Decision) {
	instant := drive.Now(d)
	for !instant.Decided() {
		began := time.Now()
		instant.Cycle(batch)
		took += time.Since(began)
		decisions = append(decisions, d.Take()...)
	}
	return took, decisions
}

// wait sends asks in and goes to the instant at which they may preempt.
func (b *besieged) wait(inputs ...core.Input) {
	at := b.Now() + time.Second
	b.advance(at)
	for i := range inputs {
		inputs[i].At = at
	}
	b.apply(inputs)
	b.decide()
	b.advance(at + preemptionDelay)
}

// next is an application whose ask is like none before.
func (b *besieged) next(victims int) (app, ask core.Input) {
	b.asked++
	return b.crowd.Ask(b.asked-1, victims)
}

// leave lets the victims among decisions go, and counts them.
func (b *besieged) leave(decisions []core.Decision) (victims int) {
	for i := range decisions {
		if d := &decisions[i]; d.Type == core.Preemption {
			b.Apply(&core.Input{At: b.Now(), Event: &core.ReleaseAllocation{ID: d.ID}})
			victims++
		}
	}
	return victims
}

// preempt times the search for an ask's victims: the first, for which every node is looked at again, and those of asks
// that each differ from all before. After each the victims leave, and the ask lands.
func preempt(size workload.PreemptionSize, victims, attempts int) (sample, error) {
	before := live()
	b := besiege(size)
	took := make([]time.Duration, attempts+1)
	for i := range took {
		b.wait(b.next(victims))
		var decisions []core.Decision
		took[i], decisions = b.search()
		if n := b.leave(decisions); n == 0 || !size.Mixed && n != victims {
			return nil, fmt.Errorf("an ask took %d victims, of %d", n, victims)
		}
		if b.decide() != 1 {
			return nil, fmt.Errorf("an ask did not land when its victims had left")
		}
	}
	megabytes := grown(before)
	runtime.KeepAlive(b.Scheduler)
	first := each(took[0], 1, time.Millisecond)
	return sample{percentile(took[1:], 50) / 1000, percentile(took[1:], 99) / 1000, first, megabytes}, nil
}

// refuse times the search for victims without possible victims, for asks that each differ from all before, and a cycle
// after that, when nothing has changed but the time.
func refuse(size workload.PreemptionSize, priority int32, attempts int) (sample, error) {
	b := besiege(size)
	took, again := make([]time.Duration, attempts+1), make([]time.Duration, attempts)
	for i := range took {
		app, ask := b.next(oneVictim)
		ask.Ask().Priority = priority
		b.wait(app, ask)
		var decisions []core.Decision
		took[i], decisions = b.search()
		b.advance(b.Now() + time.Second)
		b.Apply(&core.Input{At: b.Now(), Event: &core.Tick{}})
		if repeated, _ := b.search(); i > 0 {
			again[i-1] = repeated
		}
		if e, _ := b.ExplainPreemption(ask.ID()); len(decisions) > 0 || e.Verdict != explain.VerdictNoVictims {
			return nil, fmt.Errorf("an ask is not refused: %s", e.Text)
		}
		b.Apply(&core.Input{At: b.Now(), Event: &core.RemoveAsk{ID: ask.ID()}})
		b.decide()
	}
	runtime.KeepAlive(b.Scheduler)
	first := float64(took[0]) / float64(time.Microsecond)
	return sample{percentile(took[1:], 50), first, percentile(again, 50)}, nil
}

// queueUp times events while asks that each differ from all others wait without possible victims: at each event one
// more of them may look for victims.
func queueUp(size workload.PreemptionSize, waiting, events int) (sample, error) {
	b := besiege(size)
	var before []core.Input
	for range waiting {
		app, ask := b.next(oneVictim)
		before = append(before, app, ask)
	}
	b.wait(before...)
	b.search()
	took := make([]time.Duration, events)
	for i := range took {
		b.wait(b.next(oneVictim))
		var decisions []core.Decision
		if took[i], decisions = b.search(); len(decisions) > 0 {
			return nil, fmt.Errorf("an ask is not refused: %v", decisions)
		}
	}
	runtime.KeepAlive(b.Scheduler)
	return sample{percentile(took, 50) / 1000, percentile(took, 99) / 1000}, nil
}

// bulk times one team's asks that may all preempt at the same instant: until all are decided, and then, with the
// victims gone, until all have landed.
func bulk(size workload.PreemptionSize, asks int) (sample, error) {
	before := live()
	b := besiege(size)
	b.wait(b.crowd.Asks(asks)...)
	decided, decisions := b.search()
	if n := b.leave(decisions); n != asks {
		return nil, fmt.Errorf("%d asks took %d victims", asks, n)
	}
	landed, decisions := b.search()
	made := 0
	for i := range decisions {
		if decisions[i].Type == core.Allocation {
			made++
		}
	}
	if made != asks {
		return nil, fmt.Errorf("%d of %d asks landed", made, asks)
	}
	megabytes := grown(before)
	runtime.KeepAlive(b.Scheduler)
	return sample{each(decided, 1, time.Millisecond), each(landed, 1, time.Millisecond), megabytes}, nil
}
