package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// endedBytes is what a host remembers of an application that has ended, for three days, in the schedulers of the loop and of readers: so much a soak may
// make memory grow.
const endedBytes = 500

// tolerance is by how much the median of a measure may grow from the second third of a soak to the last one. The first third warms up.
const tolerance = 0.10

// thirds are the second and the last third of samples.
func thirds(list []sample) (middle, last []sample) {
	n := len(list) / 3
	return list[n : 2*n], list[2*n:]
}

// leastSamples is how many samples are judged: with fewer a median says nothing.
const leastSamples = 15

// measures are judged to be flat; a few may come and go without a meaning.
var measures = []struct {
	name  string
	unit  float64
	of    func(*sample) float64
	slack float64 // beside the tolerance
	ended float64 // for each application that has ended
}{
	{"heap that is alive, MB", 1e6, func(s *sample) float64 { return s.Heap }, 1e6, endedBytes},
	{"resident memory, MB", 1e6, func(s *sample) float64 { return s.Resident }, 8e6, 2 * endedBytes},
	{"goroutines", 1, func(s *sample) float64 { return s.Goroutines }, 20, 0},
	{"open files", 1, func(s *sample) float64 { return s.Files }, 20, 0},
}

// judge says how the measures of a soak stand, and fails where one grows, or the data folder takes more than it may.
func judge(list []sample, say func(format string, args ...any)) error {
	if len(list) < leastSamples {
		return fmt.Errorf("%d samples are too few to judge: expected %d", len(list), leastSamples)
	}
	middle, last := thirds(list)
	ended := func(s *sample) float64 { return s.Ended }
	more := median(last, ended) - median(middle, ended)
	var failures []error
	for _, m := range measures {
		before, after := median(middle, m.of), median(last, m.of)
		most := before*(1+tolerance) + m.slack + more*m.ended
		say("%-24s %9.1f in the second third, %9.1f in the last, of at most %.1f: %+.1f %%\n", m.name, before/m.unit, after/m.unit, most/m.unit, 100*(after/before-1))
		if after > most {
			failures = append(failures, fmt.Errorf("%s: it grows from %.1f to %.1f", m.name, before/m.unit, after/m.unit))
		}
	}
	fullest := slices.MaxFunc(list, func(a, b sample) int { return cmp.Compare(a.Data-a.Bound, b.Data-b.Bound) })
	say("%-24s %9.1f of at most %.1f at the fullest, %.1f in the end\n", "data folder, MB", fullest.Data/1e6, fullest.Bound/1e6, list[len(list)-1].Data/1e6)
	if fullest.Data > fullest.Bound {
		failures = append(failures, fmt.Errorf("data folder: it has %.1f MB after %s; expected at most %.1f", fullest.Data/1e6, fullest.At.Round(1e9), fullest.Bound/1e6))
	}
	return errors.Join(failures...)
}

func median(list []sample, of func(*sample) float64) float64 {
	values := make([]float64, len(list))
	for i := range list {
		values[i] = of(&list[i])
	}
	slices.Sort(values)
	return values[len(values)/2]
}
