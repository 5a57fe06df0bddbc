package explain

import "fmt"

// Sentence says how many members run, and which of them may be preempted.
func (g *RunningGang) Sentence() string {
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

func runningText(n int) string {
	if n == 1 {
		return "1 member runs"
	}
	return fmt.Sprintf("%d members run", n)
}
