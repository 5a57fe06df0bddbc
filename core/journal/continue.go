package journal

import (
	"io"
	"time"

	"github.com/quern-project/quern/core"
)

// Known is an ask that a machine has before a player plays it on.
type Known struct {
	ID, App string
	Run     time.Duration // of a pending ask: how long it runs once it is allocated
	Ends    time.Duration // of an allocation: when it ends
	Made    bool          // it is allocated
}

// Continue makes a player that plays a machine on from its present instant, without further inputs. known are the asks and allocations that
// end by themselves, the latter in the order of allocation. A victim that is leaving is known too, with its end.
func Continue(m core.Machine, o Options, known []Known) *Player {
	p := NewPlayer(m, nothing{}, o)
	p.started, p.begun, p.at = true, true, m.Now()
	for i := range known {
		k := &known[i]
		p.ends.expect(k.ID, k.App, k.Run)
		if k.Made {
			p.ends.made++
			l := p.ends.byID[k.ID]
			l.order = p.ends.made
			p.ends.endAt(l, k.Ends)
		}
	}
	return p
}

// nothing is a source without entries.
type nothing struct{}

func (nothing) Peek() (*Entry, error) { return nil, io.EOF }
func (nothing) Skip()                 {}
