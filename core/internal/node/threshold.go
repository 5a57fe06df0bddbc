package node

import (
	"slices"

	"github.com/quern-project/quern/core/internal/index"
)

// threshold is a second grid of scores, of those nodes alone that have some room. Where the nodes with the best scores lack
// it, as nodes with idle cores may lack GPUs, it leads past all of them. It follows the tournament when a search may be led by it.
type threshold struct {
	grid
	needs []index.Need
	read  reader
	used  int // searches that it led, halved now and then
}

const (
	// mostThresholds bounds how many a tournament keeps, since those in use follow every change.
	mostThresholds = 8
	// longSearch is from how many blocks on a search counts as one that a threshold might have shortened.
	longSearch = 12
)

// sync follows what changed in the tournament.
func (h *threshold) sync(t *tournament) {
	positions, all := t.changes.since(&h.read)
	if all || len(positions) > t.count/8+8 { // then it costs less
		h.build(t)
		return
	}
	for _, position := range positions {
		score := int64(closed)
		if t.takes(position, h.needs) {
			score = t.score(position)
		}
		h.raise(0, 0, int(position), score)
	}
}

// build files every entry.
func (h *threshold) build(t *tournament) {
	if len(h.levels) != len(t.levels) || len(h.levels[0]) != len(t.nodes) {
		h.grid = grid{width: 1}
		h.grow(t.blocks())
	}
	for block := range t.blocks() {
		fit := uint(1<<fanout - 1)
		for _, need := range h.needs {
			fit &= reaching(t.figures(0, block, 1+need.Lane), need.Min)
		}
		from, to := t.figures(0, block, 0), h.figures(0, block, 0)
		for j := range fanout {
			to[j] = closed
			if fit>>j&1 != 0 {
				to[j] = from[j]
			}
		}
	}
	h.sumAbove(0, t.blocks())
}

// serves reports whether every node that has the room for some needs is open here.
func (h *threshold) serves(needs []index.Need) bool {
	i := 0
	for _, need := range needs {
		if i < len(h.needs) && h.needs[i].Lane == need.Lane {
			if need.Min < h.needs[i].Min {
				return false
			}
			i++
		}
	}
	return i == len(h.needs)
}

// narrowest chooses the threshold that leads a search for some room: where the best score is the worst. It returns nil
// where none serves.
func (t *tournament) narrowest(needs []index.Need) (chosen *threshold) {
	best := int64(0)
	for i := range t.thresholds {
		if h := &t.thresholds[i]; h.serves(needs) {
			h.sync(t)
			if most := h.most(0); chosen == nil || most < best {
				best, chosen = most, h
			}
		}
	}
	if chosen != nil {
		chosen.used++
	}
	return chosen
}

// lengthy notes how long a search was. When those that were too long add up to looking at all nodes, the last of them gets
// a threshold.
func (t *tournament) lengthy(s *branchAndBound, led *threshold) {
	if s.looked < longSearch {
		return
	}
	if t.debt += s.looked; t.debt < (1+t.made/mostThresholds)*t.blocks()+32 { // where needs are of many kinds, thresholds are of no avail
		return
	}
	t.debt = 0
	needs := t.lacking(s, led)
	if len(needs) > 0 && !slices.ContainsFunc(t.thresholds, func(h threshold) bool { return slices.Equal(h.needs, needs) }) {
		t.addThreshold(needs)
	}
}

// lacking returns what a threshold has to ask for so that a search is not led to nodes that lack the room: that of the
// threshold that led it, and those of its needs that the better nodes do not meet.
func (t *tournament) lacking(s *branchAndBound, led *threshold) (needs []index.Need) {
	for _, need := range s.needs {
		lacks := false
		for block := range t.blocks() {
			rooms := t.figures(0, block, 1+need.Lane)
			for j, score := range s.scores.figures(0, block, 0) {
				lacks = lacks || rooms[j] < need.Min && (score > s.score || score == s.score && int32(block<<fanoutShift|j) < s.best)
			}
		}
		if lacks {
			needs = append(needs, need)
		} else if led != nil {
			if i := slices.IndexFunc(led.needs, func(n index.Need) bool { return n.Lane == need.Lane }); i >= 0 {
				needs = append(needs, led.needs[i])
			}
		}
	}
	return needs
}

// addThreshold makes a threshold, in place of the one least used if there are too many.
func (t *tournament) addThreshold(needs []index.Need) {
	at, used := len(t.thresholds), 0
	if at < mostThresholds {
		t.thresholds = append(t.thresholds, threshold{})
	} else {
		at = 0
		for i := range t.thresholds {
			if t.thresholds[i].used < t.thresholds[at].used {
				at = i
			}
			t.thresholds[i].used /= 2
			used = max(used, t.thresholds[i].used)
		}
	}
	t.made++
	t.thresholds[at] = threshold{needs: needs, used: used}
	t.thresholds[at].sync(t)
}
