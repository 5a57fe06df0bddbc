package features

import (
	"strconv"

	"github.com/quern-project/quern/core"
)

// What tables may say of gangs. Where there is none, the lines are empty, or 0.
var (
	atomicLines = []column[core.AskExplanation]{
		{"gang", func(e core.AskExplanation) string { return atomicOf(e).ID }, asIs},
		{"gang min", func(e core.AskExplanation) string { return strconv.Itoa(atomicOf(e).Min) }, asIs},
		{"gang succeeded", func(e core.AskExplanation) string { return strconv.Itoa(atomicOf(e).Succeeded) }, asIs},
		{"gang pending", func(e core.AskExplanation) string { return strconv.Itoa(atomicOf(e).Pending) }, asIs},
		{"gang resting", func(e core.AskExplanation) string { return strconv.Itoa(atomicOf(e).Resting) }, asIs},
		{"gang fits", func(e core.AskExplanation) string { return strconv.Itoa(atomicOf(e).Fits) }, asIs},
		{"gang ends", func(e core.AskExplanation) string { return atomicOf(e).Ends.String() }, asDuration},
		{"gang barred", func(e core.AskExplanation) string { return atomicOf(e).Barred }, asIs},
		{"gang lacks", func(e core.AskExplanation) string { return lackText(atomicOf(e).Lacks) }, asLacks},
		{"gang limits", func(e core.AskExplanation) string { return limitText(atomicOf(e).Limits) }, asLimits},
		{"gang nodes", func(e core.AskExplanation) string { return nodeText(atomicOf(e).Nodes) }, asIs},
	}
	memberLines = []column[core.AskExplanation]{
		{"placeholder", func(e core.AskExplanation) string { return yesNo(memberOf(e).Placeholder) }, asIs},
		{"takes", func(e core.AskExplanation) string { return memberOf(e).Takes }, asIs},
		{"bound", func(e core.AskExplanation) string { return yesNo(memberOf(e).Bound) }, asIs},
		{"lands on", func(e core.AskExplanation) string { return memberOf(e).Node }, asIs},
		{"leaves for", func(e core.AskExplanation) string { return memberOf(e).For }, asIs},
		{"gave up", func(e core.AskExplanation) string { return yesNo(memberOf(e).GaveUp) }, asIs},
	}
	gangLines = []column[core.AppExplanation]{
		{"formed", func(e core.AppExplanation) string { return yesNo(gangIn(e).Formed) }, asIs},
		{"failed", func(e core.AppExplanation) string { return yesNo(gangIn(e).Failed) }, asIs},
		{"declared", func(e core.AppExplanation) string { return amountText(gangIn(e).Declared) }, asAmounts},
		{"staying", func(e core.AppExplanation) string { return amountText(gangIn(e).Staying) }, asAmounts},
		{"placeholders", func(e core.AppExplanation) string { return placeholderText(gangIn(e)) }, asIs},
		{"placeholders end", func(e core.AppExplanation) string { return gangIn(e).EndsAt.String() }, asDuration},
	}
)

func atomicOf(e core.AskExplanation) core.AtomicGang {
	if e.Atomic == nil {
		return core.AtomicGang{}
	}
	return *e.Atomic
}

func memberOf(e core.AskExplanation) core.MemberExplanation {
	if e.Member == nil {
		return core.MemberExplanation{}
	}
	return *e.Member
}

func gangIn(e core.AppExplanation) core.GangExplanation {
	if e.Gang == nil {
		return core.GangExplanation{}
	}
	return *e.Gang
}

// placeholderText is `1 pending, 2 allocated, 1 leaving, 0 replaced`.
func placeholderText(g core.GangExplanation) string {
	return strconv.Itoa(g.Pending) + " pending, " + strconv.Itoa(g.Allocated) + " allocated, " + strconv.Itoa(g.Leaving) + " leaving, " +
		strconv.Itoa(g.Replaced) + " replaced"
}
