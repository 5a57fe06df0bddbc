package importing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/host/format"
)

// Tally counts the objects that were read, by result.
type Tally struct {
	Nodes, Applications, Asks, Allocations int // in the journal

	counts []count
	told   []string
}

// What can become of something that is not taken as it is.
const (
	occupied = "occupied"
	leftOut  = "left out"
	changed  = "note"
)

// count is how often something happened, for one reason.
type count struct {
	kind, noun, why string
	n               int
}

// Empty reports whether nothing was taken. Until the journal is written, its contents are not counted.
func (t *Tally) Empty() bool { return t.Nodes+t.Applications+t.Asks+t.Allocations == 0 }

// LeftOut counts something that is not in the journal. Noun is its name in the singular.
func (t *Tally) LeftOut(n int, noun, why string) { t.add(leftOut, n, noun, why) }

// Occupied counts something that is in the journal as room that is occupied.
func (t *Tally) Occupied(n int, noun, why string) { t.add(occupied, n, noun, why) }

// Changed counts something that is in the journal, but not with everything that the file says of it.
func (t *Tally) Changed(n int, noun, why string) { t.add(changed, n, noun, why) }

// Tell adds a line about what was taken, which Lines has behind its first.
func (t *Tally) Tell(line string) { t.told = append(t.told, line) }

func (t *Tally) add(kind string, n int, noun, why string) {
	if n == 0 {
		return
	}
	i := slices.IndexFunc(t.counts, func(c count) bool { return c.kind == kind && c.noun == noun && c.why == why })
	if i < 0 {
		i = len(t.counts)
		t.counts = append(t.counts, count{kind: kind, noun: noun, why: why})
	}
	t.counts[i].n += n
}

// Lines are the tally for people: what was taken, what is occupied room, what was left out, and the rest, each in the order in which it first
// came.
func (t *Tally) Lines() []string {
	taken := []string{plural(t.Nodes, "node"), plural(t.Applications, "application"), plural(t.Asks, "ask")}
	if t.Allocations > 0 {
		taken = append(taken, plural(t.Allocations, "allocation"))
	}
	lines := append([]string{"taken: " + strings.Join(taken, ", ")}, t.told...)
	for _, kind := range []string{occupied, leftOut, changed} {
		for _, c := range t.counts {
			if c.kind == kind {
				lines = append(lines, fmt.Sprintf("%s: %s: %s", kind, plural(c.n, c.noun), c.why))
			}
		}
	}
	return lines
}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return format.Grouped(n) + " " + noun
}
