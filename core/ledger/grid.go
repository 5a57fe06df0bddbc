package ledger

import (
	"time"

	"github.com/quern-project/quern/core/instant"
)

// widths are those that a bucket may have: each a multiple of the one before. Beyond the last they double.
var widths = []time.Duration{
	time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond,
	500 * time.Millisecond, time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 4 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// Grid cuts time into at most `most` buckets of one width. When time outgrows them, buckets are folded together into
// wider ones, in every series that belongs to the grid.
type Grid struct {
	Start  time.Duration
	Width  time.Duration // of a bucket
	step   int
	most   int
	series []folder
}

type folder interface {
	// fold adds every n neighbouring buckets up into one.
	fold(n int)
}

// mostPoints is the maximum number of points of a meter's curves.
const mostPoints = 160

func newGrid(start time.Duration) *Grid { return NewGrid(start, mostPoints) }

// NewGrid makes a grid of at most so many buckets, which begins at a time.
func NewGrid(start time.Duration, most int) *Grid {
	return &Grid{Start: start, Width: widths[0], most: most}
}

// Reach widens the buckets until a time lies within the grid.
func (g *Grid) Reach(at time.Duration) {
	for instant.Sub(at, g.Start)/g.Width >= time.Duration(g.most) {
		wider := 2 * g.Width
		if g.step+1 < len(widths) {
			g.step++
			wider = widths[g.step]
		}
		for _, s := range g.series {
			s.fold(int(wider / g.Width))
		}
		g.Width = wider
	}
}

// Bucket is the index of a time that Reach has reached.
func (g *Grid) Bucket(at time.Duration) int { return int(instant.Sub(at, g.Start) / g.Width) }

// Buckets is how many there are up to an end; the last may be cut short by it.
func (g *Grid) Buckets(end time.Duration) int {
	return max(1, int(instant.Sub(instant.Add(instant.Sub(end, g.Start), g.Width), 1)/g.Width))
}

// foldSums adds up groups of n.
func foldSums[T int | float64](values []T, n int) []T {
	folded := values[:0]
	for i := 0; i < len(values); i += n {
		var sum T
		for _, v := range values[i:min(i+n, len(values))] {
			sum += v
		}
		folded = append(folded, sum)
	}
	return folded
}

// grown returns a list that has an index, with zero values appended if necessary.
func grown[T any](list []T, i int) []T {
	for len(list) <= i {
		var zero T
		list = append(list, zero)
	}
	return list
}
