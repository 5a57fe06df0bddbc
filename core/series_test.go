package core_test

import (
	"testing"

	"github.com/quern-project/quern/core"
)

func TestSeriesOf(t *testing.T) {
	for id, want := range map[string]string{
		"train-17": "train", "train17": "train", "train": "train", "train-v2-0003": "train-v2", "a.b/7": "a.b",
		"17": "17", "": "", "-5": "-5", "7up": "7up", "train--4": "train", "train-4-": "train-4-",
	} {
		if got := core.SeriesOf(id); got != want {
			t.Errorf("SeriesOf(%q) = %q, want %q", id, got, want)
		}
	}
}
