package features

import (
	"strings"

	"github.com/cucumber/godog"
	"github.com/quern-project/quern/core/explain"
)

var maxLines = []column[explain.MaxExplanation]{
	{"excess", func(e explain.MaxExplanation) string { return amountText(e.Excess) }, asAmounts},
	{"victims", func(e explain.MaxExplanation) string { return strings.Join(victimIDs(e.Victims), ", ") }, asIs},
	{"stays", func(e explain.MaxExplanation) string { return amountText(e.Stays) }, asAmounts},
	{"reason", func(e explain.MaxExplanation) string { return string(e.Reason) }, asIs},
	{"delay", func(e explain.MaxExplanation) string { return e.Delay.String() }, asDuration},
}

// maxExplained holds what a queue would release under another max against a table.
func (w *world) maxExplained(amounts, path string, table *godog.Table) error {
	limit, err := resourcesOf(amounts)
	if err != nil {
		return err
	}
	e, ok := w.driver.ExplainMax(path, limit)
	return explanation(table, maxLines, e, ok, e.Text)
}

func quotaOf(e explain.QueueExplanation) explain.QuotaExplanation {
	if e.Quota == nil {
		return explain.QuotaExplanation{}
	}
	return *e.Quota
}

// roundText is when a queue releases what it uses beyond its max; empty: it does not.
func roundText(e *explain.QuotaExplanation) string {
	if e == nil || e.Reason != "" {
		return ""
	}
	return e.Due.String()
}
