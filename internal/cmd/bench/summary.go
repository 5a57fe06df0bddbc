package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"
)

// result is a group with what its cases yielded.
type result struct {
	group

	rows []row
}

// row is a case with its samples, by run.
type row struct {
	benchCase

	samples []sample
}

// measure runs every case, so often each.
func measure(groups []group, times int, progress io.Writer) ([]result, error) {
	results := make([]result, 0, len(groups))
	for _, g := range groups {
		r := result{group: g}
		for _, c := range g.cases {
			began := time.Now()
			measured := row{benchCase: c}
			for range times {
				s, err := c.run()
				if err != nil {
					return nil, fmt.Errorf("%s %s: %w", c.name, sizeText(c.size), err)
				}
				measured.samples = append(measured.samples, s)
			}
			r.rows = append(r.rows, measured)
			fmt.Fprintf(progress, "%-24s %-24s %6.1f s\n", c.name, sizeText(c.size), time.Since(began).Seconds())
		}
		results = append(results, r)
	}
	return results, nil
}

// spread is what is left of the samples of one figure.
type spread struct{ median, least, most float64 }

func (r *row) spread(column int) spread {
	values := make([]float64, len(r.samples))
	for i, s := range r.samples {
		values[i] = s[column]
	}
	slices.Sort(values)
	return spread{values[len(values)/2], values[0], values[len(values)-1]}
}

// percentile sorts durations and returns the one that so many in a hundred are not above, in microseconds.
func percentile(took []time.Duration, percent int) float64 {
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	rank := (len(took)*percent + 99) / 100
	return float64(took[max(rank, 1)-1]) / float64(time.Microsecond)
}

// column returns the place of a figure.
func (g *group) column(name string) int {
	return slices.IndexFunc(g.columns, func(c column) bool { return c.name == name })
}

// wants returns the wanted figure of a column; ok is false where none is.
func (r *row) wants(c column) (figure float64, ok bool) {
	figure, ok = r.wanted[c.name]
	return figure, ok && (figure > 0 || c.name == garbage)
}

// growth names a size to be varied, the others being those of the middle.
type growth struct {
	what   string // costs
	along  string // which size
	size   int    // its place among the sizes
	name   string // of the cases
	middle []int
	parts  []string // columns that add up to the cost
	unit   string
}

// step is one size of a growth.
type step struct {
	size  int
	cost  float64
	ratio float64 // to the smallest size
}

// steps picks the cases that differ from the middle in the one size only, smallest first.
func (r *result) steps(g growth) []step {
	var steps []step
	for i := range r.rows {
		if row := &r.rows[i]; row.name == g.name && row.differsOnlyIn(g.size, g.middle) {
			made := step{size: row.size[g.size]}
			for _, part := range g.parts {
				made.cost += row.spread(r.column(part)).median
			}
			steps = append(steps, made)
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.size, b.size) })
	for i := range steps {
		steps[i].ratio = steps[i].cost / steps[0].cost
	}
	return steps
}

func (c *benchCase) differsOnlyIn(place int, middle []int) bool {
	for i := range middle {
		if i != place && c.size[i] != middle[i] {
			return false
		}
	}
	return true
}

// short reports whether a median falls short of what is wanted.
func (c column) short(median, wanted float64) bool {
	if c.more {
		return median < wanted
	}
	return median > wanted
}
