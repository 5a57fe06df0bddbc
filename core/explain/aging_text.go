package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// agingText tells the usage by which a queue is compared with its siblings, and the users in it with one another.
func agingText(q *core.QueueDump) string {
	var b strings.Builder
	if a := q.Aged; a != nil {
		fmt.Fprintf(&b, " Its usage ages with a half-life of %s: it is %s now.", a.HalfLife, agedText(a, func(t core.AgedAmount) core.Fraction { return t.Aged }))
		fmt.Fprintf(&b, " Its parent compares %s, which is a share of %s%s.", comparedText(a), shareText(a.Share), aheadText(a.LookAhead))
		if a.BelowGuaranteed {
			b.WriteString(" It is below its guarantee, and comes before siblings that are not.")
		}
	}
	for i := range q.Users {
		u := &q.Users[i]
		fmt.Fprintf(&b, " User %q counts as %s, a share of %s.", u.User, comparedText(&u.Aged), shareText(u.Share))
	}
	return b.String()
}

func comparedText(a *core.Aged) string {
	return agedText(a, func(t core.AgedAmount) core.Fraction { return t.Compared })
}

// agedText lists one of the amounts of each type, rounded down.
func agedText(a *core.Aged, which func(core.AgedAmount) core.Fraction) string {
	var parts []string
	for _, t := range a.Types {
		if units := which(t).Units; units > 0 {
			parts = append(parts, resource.Readable(t.Type, units)+" "+t.Type)
		}
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

func aheadText(ahead time.Duration) string {
	if ahead == 0 {
		return ""
	}
	return fmt.Sprintf(" with a look-ahead of %s", ahead)
}

// shareText formats a share in billionths as a percentage with up to two decimals, rounded down.
func shareText(billionths int64) string {
	hundredths := billionths / 100_000
	text := fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + " %"
}
