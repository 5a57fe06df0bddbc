package explain

import (
	"fmt"
	"slices"
	"strings"
)

// Sentence says how many members run, and which of them may be preempted.
func (g *RunningGang) Sentence() string {
	if g.ID == "" {
		return g.ofPlaceholders()
	}
	text := fmt.Sprintf("It belongs to gang %s, of which %s and %d are needed", g.ID, runningText(g.Running), g.Min)
	switch {
	case g.ByMember:
		return text + "; each of them may be preempted by itself."
	case g.Running < g.Min:
		return text + ": it is broken, and can be preempted only as a whole."
	case g.Surplus == 0:
		return text + ": it can be preempted only as a whole."
	}
	return text + fmt.Sprintf(": %d of them may be preempted, and the others only with the whole gang.", g.Surplus)
}

// ofPlaceholders is Sentence for an application with placeholders.
func (g *RunningGang) ofPlaceholders() string {
	text := fmt.Sprintf("Its application is a gang with placeholders, of which %s", runningText(g.Running))
	if g.ByMember {
		return text + "; each of them may be preempted by itself."
	}
	short := slices.ContainsFunc(g.Keeps, func(k Kept) bool { return k.Has < k.Min })
	kept := make([]string, len(g.Keeps))
	for i, k := range g.Keeps {
		kept[i] = fmt.Sprintf("%s of %s", readable(k.Type, k.Milli, k.Min), amount(k.Type, k.Milli, k.Has))
	}
	if short {
		return text + fmt.Sprintf(": they have less than their placeholders declared (%s), so they can be preempted only together.", strings.Join(kept, ", "))
	}
	return text + fmt.Sprintf(": they may be preempted as long as the others keep %s, and otherwise only together.", strings.Join(kept, ", "))
}

func runningText(n int) string {
	if n == 1 {
		return "1 member runs"
	}
	return fmt.Sprintf("%d members run", n)
}
