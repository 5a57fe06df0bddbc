package node

import (
	"slices"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/index"
)

// threshold is a second tournament, of those nodes alone that have some room. Where the nodes with the best scores lack
// it, as nodes with idle cores may lack GPUs, it leads past all of them. It follows the tournament when a search may be led by it.
type threshold struct {
	scores scores
	needs  []index.Need
	open   int // nodes that have the room
	read   reader
	used   int // searches that it led, halved now and then
}

// choice is the threshold by which a class is searched for.
type choice struct {
	class uint64 // its ID; 0: no class
	made  int    // thresholds there had been
	at    int    // which it is; negative: none serves
}

const (
	// mostThresholds bounds how many a tournament keeps, since those in use follow every change.
	mostThresholds = 10
	// tireless is how many are made before more has to be gained by the next ones: where needs are of many kinds, thresholds
	// are of no avail.
	tireless = 8
	// longSearch is from how many blocks on a search counts as one that a threshold might have shortened.
	longSearch = 12
	// choices is for how many classes a tournament remembers the threshold that serves them best.
	choices = 64
)

// sync follows what changed in the tournament.
func (h *threshold) sync(t *tournament) {
	positions, all := t.changes.since(&h.read)
	if all || len(positions) > t.count { // then it costs less
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

// leader returns the threshold that leads searches for a class, up to date, or nil where none serves.
func (t *tournament) leader(c *class.Class) *threshold {
	k := &t.choices[c.ID%uint64(len(t.choices))]
	if k.class != c.ID || k.made != t.made {
		*k = choice{c.ID, t.made, t.narrowest(c.Needs)}
	}
	if k.at < 0 {
		return nil
	}
	h := &t.thresholds[k.at]
	h.used++
	h.sync(t)
	return h
}

// narrowest finds the threshold that serves some needs and that fewest nodes reach; none serves where it is negative.
func (t *tournament) narrowest(needs []index.Need) int {
	narrowest := -1
	for i := range t.thresholds {
		if h := &t.thresholds[i]; h.serves(needs) && (narrowest < 0 || h.open < t.thresholds[narrowest].open) {
			narrowest = i
		}
	}
	return narrowest
}

// lengthy notes how long a search was. When those that were too long add up to looking at all nodes, the last of them gets
// a threshold.
func (t *tournament) lengthy(s *branchAndBound, led *threshold) {
	if s.looked < longSearch {
		return
	}
	if led != nil { // another one may be narrower by now
		t.choices[s.class.ID%uint64(len(t.choices))].class = 0
	}
	if t.debt += s.looked; t.debt < (1+t.made/tireless)*t.blocks()+32 {
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
	lacks := make([]bool, t.free.width)
	for position, slot := range t.nodes {
		score := s.scores.at(int32(position))
		if score == closed || score < s.score || score == s.score && int32(position) >= s.best {
			continue
		}
		row := t.free.of(slot)
		for _, need := range s.class.Needs {
			lacks[need.Lane] = lacks[need.Lane] || row[need.Lane] < need.Min
		}
	}
	for _, need := range s.class.Needs {
		if lacks[need.Lane] {
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
	if t.choices == nil {
		t.choices = make([]choice, choices)
	}
	t.thresholds[at] = threshold{needs: needs, used: used}
	t.thresholds[at].sync(t)
}
