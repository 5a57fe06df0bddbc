package summary

import (
	"fmt"
	"strings"
	"time"

	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
)

// Verdict says in one or two sentences how a run differs from the first; empty: one of them did not come to its end. The
// playground says the same of its comparisons: testdata/verdicts.json has cases for both.
func Verdict(first, other Named, name string) string {
	return VerdictBeside("the first run", first, other, name)
}

// VerdictBeside is Verdict, with the words that name the first run.
func VerdictBeside(what string, first, other Named, name string) string {
	if first.Summary == nil || other.Summary == nil || first.Interrupted || other.Interrupted {
		return ""
	}
	return verdictText(what, name, verdictFigures(first.Summary, other.Summary))
}

// verdictFigure is a figure of two runs of one workload: counts, milliseconds, or millionths of shares.
type verdictFigure struct {
	key  string // a measure of --fail-if, or used[TYPE]
	a, b int64
}

// verdictFigures are in the order in which sentences name them.
func verdictFigures(a, b *Summary) (all []verdictFigure) {
	add := func(key string, of func(*Summary) int64) { all = append(all, verdictFigure{key, of(a), of(b)}) }
	add("wait.p99", func(s *Summary) int64 { return millis(s.Waits().Percentile(99)) })
	add("wait.mean", func(s *Summary) int64 { return millis(s.Waits().Mean()) })
	add("wait.max", func(s *Summary) int64 { return millis(s.Waits().Max()) })
	add("pending", func(s *Summary) int64 { return int64(s.Pending) })
	add("allocated", func(s *Summary) int64 { return int64(s.Allocated) })
	add("preempted", func(s *Summary) int64 { return int64(s.Preempted) })
	if !a.lasted() || !b.lasted() {
		return all
	}
	add("makespan", func(s *Summary) int64 { return millis(s.Usage.Makespan) })
	for _, name := range typesOf([]Named{{Summary: a}, {Summary: b}}) {
		add("used["+name+"]", func(s *Summary) int64 { return s.Usage.Type(name).Share / (resource.ShareUnit / 1_000_000) })
	}
	return all
}

func millis(d time.Duration) int64 { return d.Round(time.Millisecond).Milliseconds() }

// verdictWords are a figure in sentences: "waits 12% less at p99", "preempts 3 instead of 0".
type verdictWords struct {
	verb, less, more, as string
	tail                 string                // what comes last
	tailOfValue          string                // likewise, where a value stands in the place of a change
	value                func(n int64) string  // a value
	small                func(a, b int64) bool // values say more than their change; nil: never
}

var wordsByKey = map[string]verdictWords{
	"wait.p99":  {verb: "waits", less: "less", more: "longer", as: "as long", tail: " at p99", tailOfValue: " at p99", value: timeText},
	"wait.mean": {verb: "waits", less: "less", more: "longer", as: "as long", tail: " on average", tailOfValue: " on average", value: timeText},
	"wait.max":  {verb: "waits", less: "less", more: "longer", as: "as long", tail: " at most", tailOfValue: " at most", value: timeText},
	"pending":   {verb: "leaves", less: "fewer asks", more: "more asks", as: "as many asks", tail: " pending", tailOfValue: " pending", value: countText, small: few},
	"allocated": {verb: "allocates", less: "fewer asks", more: "more asks", as: "as many asks", value: countText, small: few},
	"preempted": {verb: "preempts", less: "less often", more: "more often", as: "as often", value: countText, small: few},
	"makespan":  {verb: "takes", less: "less time", more: "more time", as: "as much time", tail: " in all", tailOfValue: " in all", value: timeText},
}

func wordsFor(key string) (verdictWords, bool) {
	name, ok := strings.CutPrefix(key, "used[")
	if !ok {
		w, ok := wordsByKey[key]
		return w, ok
	}
	name = format.Cell(strings.TrimSuffix(name, "]"))
	return verdictWords{verb: "uses", less: "less " + name, more: "more " + name, as: "as much " + name, tailOfValue: " of the " + name, value: shareText}, true
}

func timeText(n int64) string  { return format.Duration(time.Duration(n) * time.Millisecond) }
func countText(n int64) string { return format.Grouped(int(n)) }
func shareText(n int64) string { return fmt.Sprintf("%d%%", quotient(n, 10_000)) }
func few(a, b int64) bool      { return max(a, b) < 10 }

// mostClaims bounds the differences that a sentence names.
const mostClaims = 4

func verdictText(a, b string, figures []verdictFigure) string {
	var claims []string
	verb, differ := "", false
	for _, f := range figures {
		w, ok := wordsFor(f.key)
		if !ok || f.a == f.b {
			continue
		}
		differ = true
		text := w.claim(f.a, f.b)
		if text == "" {
			continue
		}
		if w.verb != verb {
			text = w.verb + " " + text
		}
		claims, verb = append(claims, text), w.verb
	}
	lead := fmt.Sprintf("Compared with %s, %s ", a, format.Cell(b))
	switch more := len(claims) - mostClaims; {
	case !differ:
		return lead + "has the same figures."
	case len(claims) == 0:
		return lead + "differs by less than 1% in every figure."
	case more == 1:
		return lead + format.List(claims[:mostClaims]) + ". One more figure differs."
	case more > 0:
		return fmt.Sprintf("%s%s. %d more figures differ.", lead, format.List(claims[:mostClaims]), more)
	}
	return lead + format.List(claims) + "."
}

// claim is what follows the verb; empty where a difference is below one percent.
func (w *verdictWords) claim(from, to int64) string {
	if min(from, to) <= 0 || w.small != nil && w.small(from, to) {
		return fmt.Sprintf("%s%s instead of %s", w.value(to), w.tailOfValue, w.value(from))
	}
	degree := w.degree(from, to)
	if degree == "" {
		return ""
	}
	return degree + w.tail
}

func (w *verdictWords) degree(from, to int64) string {
	hundredths := quotient(100*to, from)
	switch {
	case hundredths >= 195 && hundredths <= 205:
		return "twice " + w.as
	case hundredths > 205:
		tenths := quotient(10*to, from)
		if tenths%10 == 0 {
			return fmt.Sprintf("%d times %s", tenths/10, w.as)
		}
		return fmt.Sprintf("%d.%d times %s", tenths/10, tenths%10, w.as)
	case hundredths >= 48 && hundredths <= 52:
		return "half " + w.as
	case hundredths > 100:
		return fmt.Sprintf("%d%% %s", hundredths-100, w.more)
	case hundredths < 100:
		return fmt.Sprintf("%d%% %s", 100-hundredths, w.less)
	}
	return ""
}

// quotient rounds to the nearest, halves up.
func quotient(above, below int64) int64 { return (2*above + below) / (2 * below) }
