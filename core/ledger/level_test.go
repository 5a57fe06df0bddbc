package ledger

import (
	"math"
	"testing"
	"time"
)

func TestAMeanIsExactWhateverTheSize(t *testing.T) {
	var l level
	l.set(0, math.MaxInt64)
	l.set(100*365*24*time.Hour, 1)
	l.set(200*365*24*time.Hour, 0)
	l.finish(200 * 365 * 24 * time.Hour)
	if got := l.mean(200 * 365 * 24 * time.Hour); got != math.MaxInt64/2+1 || l.peak != math.MaxInt64 {
		t.Errorf("the mean is %d, the peak %d", got, l.peak)
	}
}

func TestALevelThatHeldForNoTimeIsNoPeak(t *testing.T) {
	var l level
	l.set(time.Second, 9)
	l.set(time.Second, 3)
	l.set(2*time.Second, 1)
	l.finish(4 * time.Second)
	if l.peak != 3 || l.peakAt != time.Second || l.mean(4*time.Second) != 1 {
		t.Errorf("the peak is %d at %v, the mean %d", l.peak, l.peakAt, l.mean(4*time.Second))
	}
}

func TestWithoutTimeTheMeanIsTheLevel(t *testing.T) {
	var l level
	l.set(0, 7)
	l.finish(0)
	if l.mean(0) != 7 || l.peak != 7 {
		t.Errorf("the mean is %d, the peak %d", l.mean(0), l.peak)
	}
}
