package ledger

import (
	"math"
	"testing"
)

func TestFairnessIsOneWhereQueuesAreServedAlike(t *testing.T) {
	served := func(parts ...float64) float64 {
		means := make([]Mean, len(parts))
		for i, p := range parts {
			means[i].Hold(p, 1, 1)
		}
		return Fairness(means)
	}
	for expected, found := range map[float64]float64{1: served(0.3, 0.3, 0.3), 0.5: served(1, 0), 0.8: served(1, 0.5, 1, 0.5, 0.25/1e9)} {
		if expected == 0.8 { // five queues: (3)^2 / (5 * 2.5)
			expected = 0.72
		}
		if math.Abs(found-expected) > 1e-6 {
			t.Errorf("expected %v, found %v", expected, found)
		}
	}
	if found := Fairness(nil); found != 1 {
		t.Errorf("no queue wanted anything: expected 1, found %v", found)
	}
}
