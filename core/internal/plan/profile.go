// Package plan answers when there will be room. A Profile says how much is free of a node, a queue's max or a limit at each instant, on the
// assumption that allocations leave at their promised ends, and planned asks start and leave as planned.
//
// It knows no asks and no nodes. Package schedule keeps one Profile for each of them, and plans the starts of blocked asks on these.
package plan

import (
	"slices"
	"sort"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/resource"
)

// Needs are amounts by type, without zeros.
type Needs = readonly.List[index.Need]

// Profile is the free amounts of something, by type, as step functions of time. An amount of resource.Most is unlimited, and stays so. Others
// may be negative.
type Profile struct {
	width int
	times []time.Duration // in order; amounts change at no other instants
	free  []int64         // free[i*width+t] is free of type t from times[i] until the next instant; after the last one for good
}

// New makes a profile that is constant from an instant on.
func New(from time.Duration, free resource.Vec) *Profile {
	return &Profile{width: len(free), times: []time.Duration{from}, free: slices.Clone(free)}
}

// Steps returns the number of instants at which something may change.
func (p *Profile) Steps() int { return len(p.times) }

// Free returns the free amount of a type at an instant. The instant must not be before that of New or Advance.
func (p *Profile) Free(t int, at time.Duration) int64 { return p.row(p.at(at))[t] }

// Use subtracts amounts from an instant until another.
func (p *Profile) Use(needs Needs, from, until time.Duration) { p.add(needs, from, until, -1) }

// Return takes back Use.
func (p *Profile) Return(needs Needs, from, until time.Duration) { p.add(needs, from, until, 1) }

func (p *Profile) add(needs Needs, from, until time.Duration, sign int64) {
	from = max(from, p.times[0])
	if from >= until {
		return
	}
	first, last := p.split(from), len(p.times)
	if until != instant.Never {
		last = p.split(until)
	}
	for i := range needs.Len() {
		n := needs.At(i)
		for at := first; at < last; at++ {
			if f := &p.free[at*p.width+n.Lane]; *f != resource.Most {
				*f += sign * n.Min
			}
		}
	}
	if last < len(p.times) {
		p.join(last)
	}
	p.join(first)
}

// split makes an instant one of the times, and returns its index.
func (p *Profile) split(at time.Duration) int {
	i := p.at(at)
	if p.times[i] == at {
		return i
	}
	p.times = slices.Insert(p.times, i+1, at)
	p.free = append(p.free, p.free[:p.width]...)
	copy(p.free[(i+2)*p.width:], p.free[(i+1)*p.width:])
	copy(p.row(i+1), p.row(i))
	return i + 1
}

// join removes a time at which nothing changes.
func (p *Profile) join(i int) {
	if i == 0 || !slices.Equal(p.row(i-1), p.row(i)) {
		return
	}
	p.times = slices.Delete(p.times, i, i+1)
	p.free = slices.Delete(p.free, i*p.width, (i+1)*p.width)
}

// Advance drops all instants before the present one, which no caller asks about any more.
func (p *Profile) Advance(now time.Duration) {
	i := p.at(max(now, p.times[0]))
	p.times = slices.Delete(p.times, 0, i)
	p.free = slices.Delete(p.free, 0, i*p.width)
	p.times[0] = max(now, p.times[0])
}

// Fits reports whether amounts are free throughout from an instant until another.
func (p *Profile) Fits(needs Needs, from, until time.Duration) bool {
	for i := p.at(max(from, p.times[0])); i < len(p.times) && (p.times[i] < until || p.times[i] <= from); i++ {
		if !p.takes(i, needs) {
			return false
		}
	}
	return true
}

// Next returns the first instant, from an instant on, at which amounts are free and stay so for a walltime, or instant.Never. A walltime of 0
// has no end.
func (p *Profile) Next(needs Needs, from, walltime time.Duration) time.Duration {
	i := p.at(max(from, p.times[0]))
	start := max(from, p.times[0])
	for ; i < len(p.times); i++ {
		if walltime > 0 && p.times[i] >= instant.Add(start, walltime) {
			return start
		}
		if p.takes(i, needs) {
			continue
		}
		for i++; i < len(p.times) && !p.takes(i, needs); i++ {
		}
		if i == len(p.times) {
			return instant.Never
		}
		start = p.times[i]
	}
	return start
}

// IsNegative reports whether more is used than there is at some instant.
func (p *Profile) IsNegative() bool {
	return slices.ContainsFunc(p.free, func(f int64) bool { return f < 0 })
}

// at returns the index of the last time that is not after an instant.
func (p *Profile) at(at time.Duration) int {
	if len(p.times) == 1 || p.times[1] > at {
		return 0
	}
	return sort.Search(len(p.times), func(i int) bool { return p.times[i] > at }) - 1
}

func (p *Profile) row(i int) []int64 { return p.free[i*p.width:][:p.width] }

func (p *Profile) takes(i int, needs Needs) bool {
	row := p.row(i)
	for j := range needs.Len() {
		if n := needs.At(j); row[n.Lane] < n.Min {
			return false
		}
	}
	return true
}

// Holds returns how many times amounts are free throughout from an instant until another.
func (p *Profile) Holds(needs Needs, from, until time.Duration) int64 {
	most := int64(resource.Most)
	for i := p.at(max(from, p.times[0])); i < len(p.times) && (p.times[i] < until || p.times[i] <= from); i++ {
		row := p.row(i)
		for j := range needs.Len() {
			n := needs.At(j)
			most = min(most, max(0, row[n.Lane])/n.Min)
		}
	}
	return most
}

// Step returns the first instant after another at which something changes, or instant.Never.
func (p *Profile) Step(after time.Duration) time.Duration {
	if i := p.at(max(after, p.times[0])) + 1; i < len(p.times) {
		return p.times[i]
	}
	return instant.Never
}

// Least returns the smaller free amounts of two profiles of the same width that begin at the same instant.
func (p *Profile) Least(other *Profile) *Profile {
	least := &Profile{width: p.width, times: slices.Concat(p.times, other.times)}
	slices.Sort(least.times)
	least.times = slices.Compact(least.times)
	for _, at := range least.times {
		a, b := p.row(p.at(at)), other.row(other.at(at))
		for t := range a {
			least.free = append(least.free, min(a[t], b[t]))
		}
	}
	return least
}
