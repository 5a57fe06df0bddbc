package features

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
)

// storm is how often victims are brought back at one instant; those of an endless loop then stay away, and are counted.
const storm = 100

func (w *world) replaceVictims() error {
	w.back, w.answered = true, len(w.log)
	return nil
}

// bringBack plays the controller of all victims: each leaves as soon as it is told, and what it was asks again.
func (w *world) bringBack() {
	for range storm {
		told := w.log[w.answered:]
		w.answered = len(w.log)
		for _, d := range told {
			if d.Type == core.Preemption {
				w.replace(d.ID)
			}
		}
		if !w.open {
			return
		}
		w.run(-1)
		w.open = false
		w.take()
	}
}

func (w *world) replace(id string) {
	again := w.asked[id]
	w.apply(core.Input{Event: &core.ReleaseAllocation{ID: id}})
	again.ID = id + "-again"
	w.apply(core.Input{Event: &again})
}

// preempts wants exactly these victims of an ask since the last When began, in order of allocation.
func (w *world) preempts(ask, names, node string) error {
	var found []string
	for _, d := range w.recentOf(core.Preemption) {
		if d.For != ask {
			continue
		}
		if node != "" && d.Node != node {
			return fmt.Errorf("victims of %q: expected node %s, found %s", ask, node, d.Node)
		}
		found = append(found, d.ID)
	}
	if want := namesOf(names); !slices.Equal(want, found) {
		return fmt.Errorf("expected %q to preempt %s, found %s", ask, list(want), list(found))
	}
	return nil
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (w *world) nothingPreempted() error { return w.noDecision(string(core.Preemption)) }

// preempted counts the victims of all asks.
func (w *world) preempted(number int, _ string) error {
	if n := len(w.recentOf(core.Preemption)); n != number {
		return fmt.Errorf("expected %d preempted, found %d", number, n)
	}
	return nil
}
