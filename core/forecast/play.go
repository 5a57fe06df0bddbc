package forecast

import (
	"hash/fnv"
	"math/bits"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/journal"
)

// play plays a fork of the scheduler that New has read forward until the ask starts, or to the horizon. number is that of the play, from 0.
// stop is asked between instants; whole is false if it has ended the play. The fork belongs to the play.
func (f *Forecast) play(number int, fork core.Machine, stop func() bool) (o outcome, whole bool) {
	p := journal.Continue(fork, journal.Options{Grace: f.o.Grace, HasGrace: true, Decisions: func(list []core.Decision) {
		for i := range list {
			if d := &list[i]; d.Type == core.Allocation && d.ID == f.o.Ask {
				o = outcome{start: d.At, started: true}
			}
		}
	}}, f.known(uint64(number)))
	for !o.started {
		if p.Over() && stop() {
			return outcome{}, false
		}
		at, more, _ := p.Next() // a source without entries has no errors
		if !more || at > f.end() || p.Idle() {
			break
		}
		_ = p.Step(placedAtOnce) // configurations are refused, and there is none
	}
	return o, true
}

// Run plays up to the full number of plays, as long as stop lets it, each on a fork of its own, and returns what they tell.
func (f *Forecast) Run(fork func() (machine core.Machine, ended func()), stop func() bool) Result {
	var outcomes []outcome
	for number := range Plays {
		if stop() {
			break
		}
		machine, ended := fork()
		o, whole := f.play(number, machine, stop)
		ended()
		if !whole {
			break
		}
		outcomes = append(outcomes, o)
	}
	return f.result(outcomes)
}

// placedAtOnce limits the allocations of one step.
const placedAtOnce = 1024

// known draws the run times of a play.
func (f *Forecast) known(number uint64) []journal.Known {
	list := make([]journal.Known, len(f.lives))
	for i := range f.lives {
		l := &f.lives[i]
		k := journal.Known{ID: l.id, App: l.app, Made: l.made}
		switch run := l.draw(f.o.Seed, number); {
		case !l.made:
			k.Run = run
		case l.ends != instant.Never:
			k.Ends = l.ends
		case run <= l.age: // it has stayed after its promised end
			k.Ends = instant.Doubled(instant.Add(instant.Sub(f.now, l.age), l.most), time.Minute, f.now)
		case run == instant.Never:
			k.Ends = instant.Never
		default:
			k.Ends = instant.Add(f.now, instant.Sub(run, l.age))
		}
		list[i] = k
	}
	return list
}

// draw returns a run time: one of those that are known, or the most.
//
// What has ended is a sample of what alike allocations do, and a small one misleads: each play has a sample of its own, drawn from it with
// replacement (the bootstrap of Efron 1979). All asks of a group draw from the sample of the play, so the error of the sample does not cancel
// out over many asks.
func (l *life) draw(seed, number uint64) time.Duration {
	if len(l.times) == 0 {
		return l.most
	}
	n := uint64(len(l.times))
	play := mix(seed + number)
	place := below(n, mix(play^hash(l.id)))
	return min(l.times[below(n, mix(play^l.group^mix(place)))], l.most)
}

// below turns equally likely 64 bits into one of n equally likely numbers from 0.
func below(n, bits64 uint64) uint64 {
	high, _ := bits.Mul64(bits64, n)
	return high
}

func hash(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	return mix(h.Sum64())
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood 2014), whose outputs are equally likely and change with each bit of the input.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
