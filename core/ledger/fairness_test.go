package ledger

import (
	"math"
	"testing"
	"time"
)

func TestFairness_OfServedShares(t *testing.T) {
	of := func(running ...int) float64 { // of queues of four asks each
		m := Measure(New(), Detail{})
		for i, n := range running {
			m.queues = grown(m.queues, i)
			m.queues[i].served.set(0, &Queue{Leaf: true, Running: n, Pending: 4 - n})
		}
		return m.fairness(time.Second)
	}
	for name, c := range map[string]struct{ found, expected float64 }{
		"no queue":           {of(), 1},
		"no demand is met":   {of(0, 0), 1},
		"alike":              {of(3, 3, 3), 1},
		"one of two":         {of(4, 0), 0.5},
		"five, two with all": {of(4, 2, 4, 2, 0), 0.72}, // (3)^2 / (5 * 2.5)
	} {
		if math.Abs(c.found-c.expected) > 1e-12 {
			t.Errorf("%s: expected %v, found %v", name, c.expected, c.found)
		}
	}
}

func TestFairness_IgnoresParentsAndQueuesWithoutDemand(t *testing.T) {
	m := Measure(New(), Detail{})
	m.queues = make([]queue, 3)
	m.queues[0].served.set(0, &Queue{Running: 1, Pending: 9})
	m.queues[1].served.set(0, &Queue{Leaf: true})
	m.queues[2].served.set(0, &Queue{Leaf: true, Running: 1})
	if found := m.fairness(time.Second); found != 1 {
		t.Errorf("expected 1, found %v", found)
	}
}
