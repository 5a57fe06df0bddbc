package features

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/resource"
)

// What tables may say of gangs. Where there is none, the lines are empty, or 0.
var (
	atomicLines = []column[explain.AskExplanation]{
		{"gang", func(e explain.AskExplanation) string { return atomicOf(e).ID }, asIs},
		{"gang min", func(e explain.AskExplanation) string { return strconv.Itoa(atomicOf(e).Min) }, asIs},
		{"gang succeeded", func(e explain.AskExplanation) string { return strconv.Itoa(atomicOf(e).Succeeded) }, asIs},
		{"gang pending", func(e explain.AskExplanation) string { return strconv.Itoa(atomicOf(e).Pending) }, asIs},
		{"gang resting", func(e explain.AskExplanation) string { return strconv.Itoa(atomicOf(e).Resting) }, asIs},
		{"gang fits", func(e explain.AskExplanation) string { return strconv.Itoa(atomicOf(e).Fits) }, asIs},
		{"gang ends", func(e explain.AskExplanation) string { return atomicOf(e).Ends.String() }, asDuration},
		{"gang barred", func(e explain.AskExplanation) string { return atomicOf(e).Unplaced }, asIs},
		{"gang lacks", func(e explain.AskExplanation) string { return lackText(atomicOf(e).Shortfalls) }, asLacks},
		{"gang limits", func(e explain.AskExplanation) string { return limitText(atomicOf(e).Limits) }, asLimits},
		{"gang domains", func(e explain.AskExplanation) string { return domainText(atomicOf(e).Domains) }, asIs},
		{"gang set", func(e explain.AskExplanation) string { return setText(atomicOf(e).Set) }, asIs},
		{"gang nodes", func(e explain.AskExplanation) string { return nodeText(atomicOf(e).Nodes) }, asIs},
	}
	runningLines = []column[explain.AskExplanation]{
		{"running gang", func(e explain.AskExplanation) string { return runningOf(e).ID }, asIs},
		{"gang runs", func(e explain.AskExplanation) string { return strconv.Itoa(runningOf(e).Running) }, asIs},
		{"gang needs", func(e explain.AskExplanation) string { return strconv.Itoa(runningOf(e).Min) }, asIs},
		{"gang surplus", func(e explain.AskExplanation) string { return strconv.Itoa(runningOf(e).Surplus) }, asIs},
		{"gang by member", func(e explain.AskExplanation) string { return yesNo(runningOf(e).ByMember) }, asIs},
		{"gang keeps", func(e explain.AskExplanation) string { return keptText(runningOf(e).Keeps) }, asIs},
	}
	memberLines = []column[explain.AskExplanation]{
		{"placeholder", func(e explain.AskExplanation) string { return yesNo(memberOf(e).Placeholder) }, asIs},
		{"takes", func(e explain.AskExplanation) string { return memberOf(e).Takes }, asIs},
		{"bound", func(e explain.AskExplanation) string { return yesNo(memberOf(e).Bound) }, asIs},
		{"lands on", func(e explain.AskExplanation) string { return memberOf(e).Node }, asIs},
		{"leaves for", func(e explain.AskExplanation) string { return memberOf(e).For }, asIs},
		{"gave up", func(e explain.AskExplanation) string { return yesNo(memberOf(e).GaveUp) }, asIs},
	}
	gangLines = []column[explain.AppExplanation]{
		{"formed", func(e explain.AppExplanation) string { return yesNo(gangIn(e).Formed) }, asIs},
		{"failed", func(e explain.AppExplanation) string { return yesNo(gangIn(e).Failed) }, asIs},
		{"declared", func(e explain.AppExplanation) string { return amountText(gangIn(e).Declared) }, asAmounts},
		{"staying", func(e explain.AppExplanation) string { return amountText(gangIn(e).Staying) }, asAmounts},
		{"placeholders", func(e explain.AppExplanation) string { return placeholderText(gangIn(e)) }, asIs},
		{"placeholders end", func(e explain.AppExplanation) string { return gangIn(e).EndsAt.String() }, asDuration},
	}
)

// setText is such as: s 2, complete 2, fits 1.
func setText(s *explain.GangSet) string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("%s %d, complete %d, fits %d", s.ID, s.Min, s.Complete, s.Fits)
}

func atomicOf(e explain.AskExplanation) explain.AtomicGang {
	if e.Atomic == nil {
		return explain.AtomicGang{}
	}
	return *e.Atomic
}

func runningOf(e explain.AskExplanation) explain.RunningGang {
	if e.Running == nil {
		return explain.RunningGang{}
	}
	return *e.Running
}

// keptText is `3 of 4 vcore, 1 of 1 gpu`.
func keptText(list []explain.Kept) string {
	var texts []string
	for _, k := range list {
		texts = append(texts, fmt.Sprintf("%s of %s %s", resource.Readable(k.Type, k.Min), resource.Readable(k.Type, k.Has), k.Type))
	}
	return strings.Join(texts, ", ")
}

func memberOf(e explain.AskExplanation) explain.MemberExplanation {
	if e.Member == nil {
		return explain.MemberExplanation{}
	}
	return *e.Member
}

func gangIn(e explain.AppExplanation) explain.GangExplanation {
	if e.Gang == nil {
		return explain.GangExplanation{}
	}
	return *e.Gang
}

// placeholderText is `1 pending, 2 allocated, 1 leaving, 0 replaced`.
func placeholderText(g explain.GangExplanation) string {
	return strconv.Itoa(g.Pending) + " pending, " + strconv.Itoa(g.Allocated) + " allocated, " + strconv.Itoa(g.Leaving) + " leaving, " +
		strconv.Itoa(g.Replaced) + " replaced"
}

// domainText is the number of members that the nearest domains have room for, each with those that take it: r2: 3 of 4 (n3, n4: train); r1: 2 of 4.
func domainText(d *explain.GangDomains) string {
	if d == nil {
		return ""
	}
	var list []string
	for _, r := range d.Nearest {
		text := fmt.Sprintf("%s: %d of %d", r.Domain, r.Fits, r.Fits+r.Missing)
		for _, t := range r.Takers {
			text += fmt.Sprintf(" (%s: %s)", strings.Join(t.Nodes, ", "), t.App)
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}
