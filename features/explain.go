package features

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/resource"
)

// What tables may say of explanations. Their two columns are the name of a line below and what it says.
var (
	askLines = []column[explain.AskExplanation]{
		{"application", func(e explain.AskExplanation) string { return e.App }, asIs},
		{"queue", func(e explain.AskExplanation) string { return e.Queue }, asIs},
		{"pending", func(e explain.AskExplanation) string { return yesNo(e.Pending) }, asIs},
		{"node", func(e explain.AskExplanation) string { return e.Node }, asIs},
		{"reserved", func(e explain.AskExplanation) string { return yesNo(e.Reserved) }, asIs},
		{"kept", func(e explain.AskExplanation) string { return yesNo(e.Claimed) }, asIs},
		{"gone", func(e explain.AskExplanation) string { return yesNo(e.Gone) }, asIs},
		{"since", func(e explain.AskExplanation) string { return e.Since.String() }, asDuration},
		{"preempted", func(e explain.AskExplanation) string { return strconv.FormatInt(e.Preempted, 10) }, asIs},
		{"ends", func(e explain.AskExplanation) string { return endText(e.Ends) }, asDurationOrNone},
		{"priority", func(e explain.AskExplanation) string { return strconv.Itoa(int(e.Priority)) }, asIs},
		{"seen", func(e explain.AskExplanation) string { return seenText(e.Seen) }, asIs},
		{"place", func(e explain.AskExplanation) string { return strconv.Itoa(e.Place) }, asIs},
		{"reasons", func(e explain.AskExplanation) string { return reasonText(e.Reasons) }, asIs},
		{"lacks", func(e explain.AskExplanation) string { return lackText(e.Shortfalls) }, asLacks},
		{"blocked by", func(e explain.AskExplanation) string { return strings.Join(e.Blocked, ", ") }, asIs},
		{"nodes", func(e explain.AskExplanation) string { return nodeText(e.Nodes) }, asIs},
		{"never", func(e explain.AskExplanation) string { return boundText(e.Never) }, asLacks},
		{"fits", func(e explain.AskExplanation) string { return strconv.Itoa(e.Fits) }, asIs},
		{"limits", func(e explain.AskExplanation) string { return limitText(e.Limits) }, asLimits},
	}
	appLines = []column[explain.AppExplanation]{
		{"queue", func(e explain.AppExplanation) string { return e.Queue }, asIs},
		{"state", func(e explain.AppExplanation) string { return e.State }, asIs},
		{"since", func(e explain.AppExplanation) string { return e.Since.String() }, asDuration},
		{"pending", func(e explain.AppExplanation) string { return strconv.Itoa(e.Pending) }, asIs},
		{"allocations", func(e explain.AppExplanation) string { return strconv.Itoa(e.Allocations) }, asIs},
		{"preempted", func(e explain.AppExplanation) string { return strconv.FormatInt(e.Preempted, 10) }, asIs},
		{"priority", func(e explain.AppExplanation) string { return priorityText(e.HasPriority, e.Priority) }, asIs},
		{"reasons", func(e explain.AppExplanation) string { return reasonText(e.Reasons) }, asIs},
		{"blocked by", func(e explain.AppExplanation) string { return strings.Join(e.Blocked, ", ") }, asIs},
		{"waits", func(e explain.AppExplanation) string { return strings.Join(e.Waits, ", ") }, asIs},
		{"place", func(e explain.AppExplanation) string { return strconv.Itoa(e.Place) }, asIs},
		{"has a place", func(e explain.AppExplanation) string { return yesNo(e.HasPlace) }, asIs},
		{"group", func(e explain.AppExplanation) string { return e.Group }, asIs},
		{"limits", func(e explain.AppExplanation) string { return limitText(e.Limits) }, asLimits},
		{"rule", func(e explain.AppExplanation) string { return ruleNumber(e.Placement) }, asIs},
		{"tried", func(e explain.AppExplanation) string { return triedText(e.Placement) }, asIs},
	}
	queueLines = []column[explain.QueueExplanation]{
		{"state", func(e explain.QueueExplanation) string { return e.QueueState.State }, asIs},
		{"used", func(e explain.QueueExplanation) string { return amountText(e.QueueState.Used) }, asAmounts},
		{"headroom", func(e explain.QueueExplanation) string { return amountText(e.QueueState.Headroom) }, asAmounts},
		{"pending", func(e explain.QueueExplanation) string { return amountText(e.QueueState.Pending) }, asAmounts},
		{"dynamic", func(e explain.QueueExplanation) string { return yesNo(e.QueueState.Dynamic) }, asIs},
		{"template", func(e explain.QueueExplanation) string { return e.Template }, asIs},
		{"excess", func(e explain.QueueExplanation) string { return amountText(quotaOf(e).Excess) }, asAmounts},
		{"round due", func(e explain.QueueExplanation) string { return roundText(e.Quota) }, asIs},
		{"no round", func(e explain.QueueExplanation) string {
			return strings.TrimSpace(string(quotaOf(e).Reason) + " " + quotaOf(e).Above)
		}, asIs},
		{"reasons", func(e explain.QueueExplanation) string { return reasonText(e.Reasons) }, asIs},
		{"lacks", func(e explain.QueueExplanation) string { return lackText(e.Shortfalls) }, asLacks},
		{"in force", func(e explain.QueueExplanation) string { return settingText(e.Settings) }, asIs},
		{"fence", func(e explain.QueueExplanation) string { return e.Fence }, asIs},
	}
)

func seenText(list []explain.Seen) string {
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = s.Queue + " " + strconv.Itoa(int(s.Priority))
	}
	return strings.Join(parts, ", ")
}

func reasonText(list []core.Reason) string {
	parts := make([]string, len(list))
	for i, r := range list {
		parts[i] = string(r)
	}
	return strings.Join(parts, ", ")
}

func lackText(list []explain.HeadroomShortfall) string {
	parts := make([]string, len(list))
	for i, l := range list {
		parts[i] = l.Queue + " " + resource.Format(l.Type, l.Missing) + " " + l.Type
	}
	return strings.Join(parts, ", ")
}

// together says that nodes have too little only of all types at once.
const together = "nodes together"

// boundText writes what there is at most, of the nodes behind that word, the way lackText does.
func boundText(list []explain.Bound) string {
	var lacks []explain.HeadroomShortfall
	for _, b := range list {
		if b.Queue == "" {
			b.Queue = "nodes"
		}
		if b.Type == "" {
			return together
		}
		lacks = append(lacks, explain.HeadroomShortfall{Queue: b.Queue, Type: b.Type, Missing: b.Most})
	}
	return lackText(lacks)
}

// asLacks brings `root.a 1 vcore, root.a 1Gi memory` into the spelling of lackText.
func asLacks(cell string) (string, error) {
	if cell == none || cell == nothing {
		return "", nil
	}
	if cell == together {
		return cell, nil
	}
	var list []explain.HeadroomShortfall
	for part := range strings.SplitSeq(cell, ", ") {
		queue, rest, _ := strings.Cut(part, " ")
		set, err := expectedOf(rest)
		if err != nil {
			return "", err
		}
		if len(set) != 1 {
			return "", fmt.Errorf("expected something like `root.a 1 vcore`, found %q", part)
		}
		list = append(list, explain.HeadroomShortfall{Queue: queue, Type: set[0].Type, Missing: set[0].Value})
	}
	return lackText(list), nil
}

func nodeText(list []explain.NodeCount) string {
	parts := make([]string, len(list))
	for i, n := range list {
		parts[i] = strings.TrimSpace(strconv.Itoa(n.Nodes) + " " + string(n.Reason) + " " + n.Detail)
	}
	return strings.Join(parts, ", ")
}

// explained holds a table against the explanation of an ask or an application.
func (w *world) explained(kind, id string, table *godog.Table) error {
	if kind == "ask" {
		e, ok := w.driver.ExplainAsk(id)
		return explanation(table, slices.Concat(askLines, nodeLines, plannedLines, memberLines, atomicLines, runningLines), e, ok, e.Text)
	}
	e, ok := w.driver.ExplainApp(id)
	return explanation(table, slices.Concat(appLines, gangLines), e, ok, e.Text)
}

func (w *world) queueExplained(path string, table *godog.Table) error {
	e, ok := w.driver.ExplainQueue(path)
	return explanation(table, queueLines, e, ok, e.Text)
}

func (w *world) unexplained(kind, id string) error {
	var ok bool
	switch kind {
	case "ask":
		_, ok = w.driver.ExplainAsk(id)
	case "application":
		_, ok = w.driver.ExplainApp(id)
	case "queue":
		_, ok = w.driver.ExplainQueue(id)
	}
	if ok {
		return fmt.Errorf("there is an explanation of %s %q", kind, id)
	}
	return nil
}

// explanation reads the table upright: each line is a name and what it says.
func explanation[T any](table *godog.Table, lines []column[T], e T, ok bool, text string) error {
	if !ok {
		return errors.New("there is no explanation")
	}
	r := row{}
	for _, line := range table.Rows {
		if len(line.Cells) != 2 {
			return errors.New("table: expected two columns, the name of a line and what it says")
		}
		name, cell := line.Cells[0].Value, line.Cells[1].Value
		known := names(lines)
		switch _, twice := r[name]; {
		case !slices.Contains(known, name):
			return fmt.Errorf("table: expected lines of %s, found %q%s", strings.Join(known, ", "), name, meant(name, known))
		case twice:
			return fmt.Errorf("table: expected each line once, found %q twice", name)
		case cell == "":
			return fmt.Errorf("table: expected what line %q says, such as none, found nothing", name)
		}
		r[name] = cell
	}
	wrong, err := differences(lines, r, e)
	if err != nil {
		return err
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s\n%s", strings.Join(wrong, "; "), text)
	}
	return nil
}
