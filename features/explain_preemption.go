package features

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
	"github.com/quern-project/quern/core/explain"
)

// What tables may say of preemptions.
var (
	victimColumns = []column[explain.Victim]{
		{"victim", func(v explain.Victim) string { return v.ID }, asIs},
		{"application", func(v explain.Victim) string { return v.App }, asIs},
		{"queue", func(v explain.Victim) string { return v.Queue }, asIs},
		{"priority", func(v explain.Victim) string { return strconv.Itoa(int(v.Priority)) }, asIs},
		{"kind", func(v explain.Victim) string { return string(v.Kind) }, asIs},
		{"originator", func(v explain.Victim) string { return yesNo(v.Originator) }, asIs},
		{"opted out", func(v explain.Victim) string { return yesNo(v.OptedOut) }, asIs},
		{"common", func(v explain.Victim) string { return v.Common }, asIs},
		{"seen", func(v explain.Victim) string { return strconv.Itoa(int(v.Seen)) }, asIs},
		{"for seen", func(v explain.Victim) string { return strconv.Itoa(int(v.ForSeen)) }, asIs},
		{"over", func(v explain.Victim) string { return findingText(v.Over) }, asFindings},
	}
	preemptionLines = []column[explain.PreemptionExplanation]{
		{"verdict", func(e explain.PreemptionExplanation) string { return string(e.Verdict) }, asIs},
		{"kind", func(e explain.PreemptionExplanation) string { return string(e.Kind) }, asIs},
		{"due", func(e explain.PreemptionExplanation) string { return e.Due.String() }, asDuration},
		{"node", func(e explain.PreemptionExplanation) string { return e.Node }, asIs},
		{"victims", func(e explain.PreemptionExplanation) string { return strings.Join(victimIDs(e.Victims), ", ") }, asIs},
		{"barred", func(e explain.PreemptionExplanation) string { return barredText(e.Excluded) }, asIs},
		{"short", func(e explain.PreemptionExplanation) string { return shortText(e.Short) }, asShort},
		{"laws", func(e explain.PreemptionExplanation) string { return findingText(e.Laws) }, asFindings},
		{"nodes", func(e explain.PreemptionExplanation) string { return nodeText(e.Nodes) }, asIs},
		{"never", func(e explain.PreemptionExplanation) string { return boundText(e.Never) }, asLacks},
		{"in the way", func(e explain.PreemptionExplanation) string { return inWayText(e.NonVictims) }, asIs},
		{"observed", func(e explain.PreemptionExplanation) string { return yesNo(e.Observed) }, asIs},
		{"next", func(e explain.PreemptionExplanation) string { return nextText(e.Next) }, asIs},
	}
	goneLines = []column[explain.VictimExplanation]{
		{"for", func(e explain.VictimExplanation) string { return e.For }, asIs},
		{"for application", func(e explain.VictimExplanation) string { return e.ForApp }, asIs},
		{"for queue", func(e explain.VictimExplanation) string { return e.ForQueue }, asIs},
		{"node", func(e explain.VictimExplanation) string { return e.Node }, asIs},
		{"at", func(e explain.VictimExplanation) string { return e.At.String() }, asDuration},
		{"gone", func(e explain.VictimExplanation) string { return yesNo(e.Gone) }, asIs},
		{"with", func(e explain.VictimExplanation) string { return strings.Join(e.With, ", ") }, asIs},
		{"entitled", func(e explain.VictimExplanation) string { return findingText(e.Entitled) }, asFindings},
	}
	victimLines = slices.Concat(goneLines, ofVictim())
)

// ofVictim is what an explanation says of the victim itself.
func ofVictim() []column[explain.VictimExplanation] {
	var lines []column[explain.VictimExplanation]
	for _, c := range victimColumns {
		lines = append(lines, column[explain.VictimExplanation]{c.name, func(e explain.VictimExplanation) string { return c.found(e.Victim) }, c.want})
	}
	return lines
}

func victimIDs(victims []explain.Victim) []string {
	ids := make([]string, len(victims))
	for i, v := range victims {
		ids[i] = v.ID
	}
	return ids
}

// wouldPreempt holds the victims that an ask would take against a table, line by line.
func (w *world) wouldPreempt(id string, table *godog.Table) error {
	e, ok := w.driver.ExplainPreemption(id)
	if !ok {
		return errors.New("there is no explanation")
	}
	rows, err := itemsOf(table, names(victimColumns[:1]), names(victimColumns[1:])...)
	if err != nil {
		return err
	}
	if len(rows) != len(e.Victims) {
		return fmt.Errorf("expected %d victims, found %s\n%s", len(rows), list(victimIDs(e.Victims)), e.Text)
	}
	for i, r := range rows {
		wrong, err := differences(victimColumns, r, e.Victims[i])
		if err != nil {
			return err
		}
		if len(wrong) > 0 {
			return fmt.Errorf("line %d: %s\n%s", i+1, strings.Join(wrong, "; "), e.Text)
		}
	}
	return nil
}

func (w *world) preemptionExplained(id string, table *godog.Table) error {
	e, ok := w.driver.ExplainPreemption(id)
	return explanation(table, preemptionLines, e, ok, e.Text)
}

// victimExplained holds a table against what is told of an allocation that was preempted, there or not any more.
func (w *world) victimExplained(id string, table *godog.Table) error {
	e, ok := w.driver.ExplainAsk(id)
	if !ok || e.Victim == nil {
		return errors.New("the explanation does not say that it was preempted")
	}
	return explanation(table, victimLines, *e.Victim, ok, e.Victim.Text)
}

// nextText is `v1, v2 on n2: older`.
func nextText(a *explain.Alternative) string {
	if a == nil {
		return ""
	}
	return strings.Join(a.Victims, ", ") + " on " + a.Node + ": " + string(a.Worse)
}
