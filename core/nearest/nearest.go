// Package nearest finds the names that a misspelled one was probably meant to be. It is used wherever a name is not known: in
// explanations, configurations, scenarios and on the command line.
package nearest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

const (
	// misspelled is the share of its letters in which a name may differ from the one that is meant.
	misspelled = 0.4
	// longest bounds the names that are compared, in bytes: the work grows with the product of two lengths.
	longest = 200
	// Most is how many names are found at most.
	Most = 3
)

// Search looks for the names that are the most like a given one.
type Search struct {
	name string
	best []match // the nearest first; Most at most
}

type match struct {
	name string
	cost float64
}

// For begins a search.
func For(name string) *Search { return &Search{name: name} }

// Look compares a known name. The result of a search does not depend on the order in which names come.
func (s *Search) Look(known string) {
	if len(s.name) > longest || len(known) > longest || tooShort(len(s.name), len(known)) {
		return
	}
	m := match{known, Unlike(s.name, known)}
	if m.cost >= misspelled {
		return
	}
	at, _ := slices.BinarySearchFunc(s.best, m, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), strings.Compare(a.name, b.name))
	})
	if at < Most {
		s.best = slices.Insert(s.best, at, m)[:min(len(s.best)+1, Most)]
	}
}

// tooShort reports whether two lengths differ so much that the names are not alike.
func tooShort(a, b int) bool {
	return float64(max(a, b)-min(a, b)) >= misspelled*float64(max(a, b))
}

// Found are the names, the nearest first, as far as they are about as near as it.
func (s *Search) Found() (names []string) {
	for _, m := range s.best {
		if m.cost <= 2*s.best[0].cost {
			names = append(names, m.name)
		}
	}
	return names
}

// Names are those of the known names that are the most like a given one.
func Names(name string, known []string) []string {
	s := For(name)
	for _, k := range known {
		s.Look(k)
	}
	return s.Found()
}

// Hint proposes names in words that follow an error; empty: there are none.
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

// Unlike is 0 for the same name, whatever its case, and 1 for one that has nothing in common with it: the share of letters to change,
// where two neighbours that changed places count as one.
func Unlike(a, b string) float64 {
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

// printable is a name as it is, or quoted where it has characters that a terminal would act on.
func printable(name string) string {
	if quoted := strconv.Quote(name); quoted != `"`+name+`"` {
		return quoted
	}
	return name
}
