// Package nearest suggests known names for a misspelled one. Explanations, configurations, scenarios and the command line use it for
// unknown names.
package nearest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

const (
	// misspelled is the distance, see Distance, above which names are not suggested: two edits in five letters are.
	misspelled = 0.4
	// longest is the maximum length of compared names, in bytes, since the work grows with the product of two lengths.
	longest = 200
	// Most is the maximum number of suggestions.
	Most = 3
)

// Search collects the known names that are nearest to a given one.
type Search struct {
	name string
	best []match // nearest first; at most Most
}

type match struct {
	name string
	cost float64
}

// For begins a search.
func For(name string) *Search { return &Search{name: name} }

// Add adds a known name to the search. The result does not depend on the order of names.
func (s *Search) Add(known string) {
	if len(s.name) > longest || len(known) > longest || tooShort(len(s.name), len(known)) {
		return
	}
	m := match{known, Distance(s.name, known)}
	if m.cost > misspelled {
		return
	}
	at, _ := slices.BinarySearchFunc(s.best, m, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), strings.Compare(a.name, b.name))
	})
	if at < Most {
		s.best = slices.Insert(s.best, at, m)[:min(len(s.best)+1, Most)]
	}
}

// tooShort reports whether two lengths differ too much for the names to be near.
func tooShort(a, b int) bool {
	return float64(max(a, b)-min(a, b)) > misspelled*float64(max(a, b))
}

// Found returns the suggestions, nearest first. It leaves out names that are more than twice as far as the nearest.
func (s *Search) Found() (names []string) {
	for _, m := range s.best {
		if m.cost <= 2*s.best[0].cost {
			names = append(names, m.name)
		}
	}
	return names
}

// Names returns the known names that are nearest to a given one.
func Names(name string, known []string) []string {
	s := For(name)
	for _, k := range known {
		s.Add(k)
	}
	return s.Found()
}

// Hint formats suggestions as the end of an error message. It returns "" if there are none.
func Hint(names []string) string {
	if len(names) == 0 {
		return ""
	}
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = printable(name)
	}
	return "; did you mean " + strings.Join(shown, " or ") + "?"
}

// Distance returns the distance of two names, from 0 for equal ones, regardless of case, to 1: the number of edits divided by the length.
// Swapping two neighbouring letters counts as one edit.
func Distance(a, b string) float64 {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if a == b {
		return 0
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return float64(row[len(b)]) / float64(max(len(a), len(b)))
}

// printable returns a name, quoted if it contains characters that a terminal would interpret.
func printable(name string) string {
	if quoted := strconv.Quote(name); quoted != `"`+name+`"` {
		return quoted
	}
	return name
}
