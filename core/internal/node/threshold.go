package node

import (
	"slices"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/readonly"
)

// threshold is a second tournament, only of the nodes that have certain amounts free. If many nodes with the best scores lack one of
// these, as nodes with idle cores may lack GPUs, a search in it skips them all. It follows the changes of the tournament when a
// search uses it.
type threshold struct {
	scores scores
	needs  readonly.List[index.Need]
	open   int // number of nodes in it
	read   reader
	used   int // searches that used it, halved now and then
}

// thresholdChoice caches which threshold serves a class best.
type thresholdChoice struct {
	class   uint64 // ID of the class; 0 if the entry is empty
	version int    // tournament.made when it was chosen
	at      int    // index of the threshold; negative if none serves the class
}

const (
	// mostThresholds bounds the thresholds of a tournament, since each one in use follows every change.
	mostThresholds = 10
	// unchargedThresholds is the number of thresholds after which further ones require longer searches first. If needs are very
	// diverse, thresholds do not help.
	unchargedThresholds = 8
	// longSearch is the number of visited blocks from which a search counts as one that a threshold might have shortened.
	longSearch = 12
	// choiceSlots is the number of cached choices of a tournament.
	choiceSlots = 64
)

// sync follows the changes of the tournament.
func (h *threshold) sync(t *tournament) {
	positions, all := t.changes.since(&h.read)
	if all || len(positions) > t.count { // building it costs less
		h.build(t)
		return
	}
	for _, position := range positions {
		score := t.scores.at(position)
		if score != closed && !t.takes(position, h.needs) {
			score = closed
		}
		if old := h.scores.at(position); old != score {
			h.open += int(bit(old == closed)) - int(bit(score == closed))
			h.scores.set(position, score)
		}
	}
}

// build files every entry.
func (h *threshold) build(t *tournament) {
	if len(h.scores.levels) != len(t.scores.levels) || len(h.scores.levels[0]) != t.blocks() {
		h.scores = scores{}
		h.scores.grow(t.blocks())
	}
	h.open = 0
	for b := range h.scores.levels[0] {
		filed, from := &h.scores.levels[0][b], &t.scores.levels[0][b]
		for j, score := range from {
			if score != closed && !t.takes(int32(b<<fanoutShift|j), h.needs) {
				score = closed
			}
			h.open += int(bit(score != closed))
			filed[j] = score
		}
	}
	h.scores.sumAbove(0, t.blocks())
}

// serves reports whether the threshold contains every node that meets the needs.
func (h *threshold) serves(needs readonly.List[index.Need]) bool {
	i := 0
	for need := range needs.All {
		if i < h.needs.Len() && h.needs.At(i).Lane == need.Lane {
			if need.Min < h.needs.At(i).Min {
				return false
			}
			i++
		}
	}
	return i == h.needs.Len()
}

// thresholdFor returns the up-to-date threshold that serves a class best, or nil if none does.
func (t *tournament) thresholdFor(c class.Class) *threshold {
	k := &t.choices[c.ID()%uint64(len(t.choices))]
	if k.class != c.ID() || k.version != t.made {
		*k = thresholdChoice{c.ID(), t.made, t.narrowest(c.RoomNeeds())}
	}
	if k.at < 0 {
		return nil
	}
	h := &t.thresholds[k.at]
	h.used++
	h.sync(t)
	return h
}

// narrowest returns the index of the threshold with the fewest nodes that serves some needs. It is negative if there is none.
func (t *tournament) narrowest(needs readonly.List[index.Need]) int {
	narrowest := -1
	for i := range t.thresholds {
		if h := &t.thresholds[i]; h.serves(needs) && (narrowest < 0 || h.open < t.thresholds[narrowest].open) {
			narrowest = i
		}
	}
	return narrowest
}

// recordLongSearch adds up the cost of long searches. When they have visited as many blocks as there are, a threshold is made for the
// needs of the last one.
func (t *tournament) recordLongSearch(s *branchAndBound, led *threshold) {
	if s.visited < longSearch {
		return
	}
	if led != nil { // another threshold may be narrower by now
		t.choices[s.class.ID()%uint64(len(t.choices))].class = 0
	}
	if t.debt += s.visited; t.debt < (1+t.made/unchargedThresholds)*t.blocks()+32 {
		return
	}
	t.debt = 0
	needs := t.missingNeeds(s, led)
	if len(needs) > 0 && !slices.ContainsFunc(t.thresholds, func(h threshold) bool { return slices.Equal(h.needs.Clone(), needs) }) {
		t.addThreshold(needs)
	}
}

// missingNeeds returns the needs of a threshold that would have excluded the better nodes without room: those that some of these nodes
// do not meet, and those of the threshold that the search used.
func (t *tournament) missingNeeds(s *branchAndBound, led *threshold) (needs []index.Need) {
	lacks := make([]bool, t.free.width)
	for position, slot := range t.nodes {
		score := s.scores.at(int32(position))
		if score == closed || score < s.score || score == s.score && int32(position) >= s.best {
			continue
		}
		row := t.free.of(slot)
		for need := range s.class.RoomNeeds().All {
			lacks[need.Lane] = lacks[need.Lane] || row[need.Lane] < need.Min
		}
	}
	for need := range s.class.RoomNeeds().All {
		if lacks[need.Lane] {
			needs = append(needs, need)
		} else if led != nil {
			if i := slices.IndexFunc(led.needs.Clone(), func(n index.Need) bool { return n.Lane == need.Lane }); i >= 0 {
				needs = append(needs, led.needs.At(i))
			}
		}
	}
	return needs
}

// addThreshold makes a threshold. If there are too many, it replaces the least used one.
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
	if t.choices == nil {
		t.choices = make([]thresholdChoice, choiceSlots)
	}
	t.thresholds[at] = threshold{needs: readonly.Of(needs), used: used}
	t.thresholds[at].sync(t)
}
