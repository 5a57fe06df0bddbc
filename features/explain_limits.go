package features

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/resource"
)

// ofApplications stands for the applications of a limit, where others have a resource.
const ofApplications = "applications"

// limitText is `root.a user bob 2 vcore, root.a group ops applications`: what of each limit is missing.
func limitText(list []explain.LimitShortfall) string {
	parts := make([]string, len(list))
	for i, l := range list {
		kind := "user"
		if l.Reason == explain.WaitGroupLimit || l.Reason == explain.WaitGroupMaxApps {
			kind = "group"
		}
		missing := ofApplications
		if l.Type != "" {
			missing = resource.Format(l.Type, l.Missing) + " " + l.Type
		}
		parts[i] = strings.Join([]string{l.Queue, kind, l.Name, missing}, " ")
	}
	return strings.Join(parts, ", ")
}

// asLimits brings a cell into the spelling of limitText.
func asLimits(cell string) (string, error) {
	if cell == none || cell == nothing {
		return "", nil
	}
	var parts []string
	for part := range strings.SplitSeq(cell, ", ") {
		words := strings.SplitN(part, " ", 4)
		if len(words) != 4 || words[1] != "user" && words[1] != "group" {
			return "", fmt.Errorf("expected something like `root.a user bob 1 vcore`, or `applications` in place of the amount, found %q", part)
		}
		if words[3] != ofApplications {
			set, err := expectedOf(words[3])
			if err != nil {
				return "", err
			}
			if len(set) != 1 {
				return "", fmt.Errorf("expected one amount, found %q", words[3])
			}
			words[3] = resource.Format(set[0].Type, set[0].Value) + " " + set[0].Type
		}
		parts = append(parts, strings.Join(words, " "))
	}
	return strings.Join(parts, ", "), nil
}

var usageColumns = []column[core.LimitUsage]{
	{"queue", func(u core.LimitUsage) string { return pathText(u.Partition, u.Queue) }, asIs},
	{"user", func(u core.LimitUsage) string { return nameIf(!u.Group, u.Name) }, asIs},
	{"group", func(u core.LimitUsage) string { return nameIf(u.Group, u.Name) }, asIs},
	{"used", func(u core.LimitUsage) string { return amountText(u.Used) }, asAmounts},
	{"max", func(u core.LimitUsage) string { return resourceText(u.Max) }, asResources},
	{ofApplications, func(u core.LimitUsage) string { return strconv.Itoa(u.Applications) }, asIs},
	{"maxapplications", func(u core.LimitUsage) string { return strconv.FormatUint(u.MaxApplications, 10) }, asIs},
}

func nameIf(is bool, name string) string {
	if !is {
		return ""
	}
	return name
}

// limitsUsed holds all that limits count against a table.
func (w *world) limitsUsed(table *godog.Table) error {
	rows, err := itemsOf(table, []string{"queue"}, names(usageColumns[1:])...)
	if err != nil {
		return err
	}
	for i, r := range rows {
		if (r["user"] == "") == (r["group"] == "") {
			return fmt.Errorf("table: expected either a user or a group in line %d", i+1)
		}
	}
	found := w.driver.LimitUsage()
	if len(found) != len(rows) {
		var who []string
		for _, u := range found {
			who = append(who, u.Name+" in "+pathText(u.Partition, u.Queue))
		}
		return fmt.Errorf("expected %d lines, found %s", len(rows), list(who))
	}
	for i, r := range rows {
		wrong, err := differences(usageColumns, r, found[i])
		if err != nil {
			return err
		}
		if len(wrong) > 0 {
			return fmt.Errorf("line %d: %s", i+1, strings.Join(wrong, "; "))
		}
	}
	return nil
}
