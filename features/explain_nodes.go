package features

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/resource"
)

// nodeLines are what tables may say of an ask itself and of the nodes that it may get, in the explanation of an ask.
var nodeLines = []column[explain.AskExplanation]{
	{"needs", func(e explain.AskExplanation) string { return amountText(e.Resources) }, asAmounts},
	{"required node", requiredText, asIs},
	{"use and max", func(e explain.AskExplanation) string { return useText(e.Shortfalls) }, asIs},
	{"held", func(e explain.AskExplanation) string { return holderText(e.Holders) }, asIs},
	{"attributes", func(e explain.AskExplanation) string { return mismatchText(e.Mismatches) }, asIs},
	{"candidates", func(e explain.AskExplanation) string { return candidateText(e.Candidates) }, asIs},
	{"by", func(e explain.AskExplanation) string { return e.NodePolicy }, asIs},
}

// requiredText is the node that an ask requires, with a mark where it does not exist.
func requiredText(e explain.AskExplanation) string {
	if e.NoSuchNode {
		return e.Required + " missing"
	}
	return e.Required
}

func useText(list []explain.HeadroomShortfall) string {
	parts := make([]string, len(list))
	for i, l := range list {
		parts[i] = fmt.Sprintf("%s %s of %s %s", l.Queue, resource.Format(l.Type, l.Used), resource.Format(l.Type, l.Max), l.Type)
	}
	return strings.Join(parts, ", ")
}

func holderText(list []explain.Holder) string {
	parts := make([]string, len(list))
	for i, h := range list {
		parts[i] = h.Node + " for " + h.Ask + " in " + h.Queue
		if h.Claimed {
			parts[i] += ", kept"
		}
		if h.From != nil {
			parts[i] += " from " + h.From.String()
		}
		if h.Until > 0 {
			parts[i] += " until " + h.Until.String()
		}
	}
	return strings.Join(parts, "; ")
}

func mismatchText(list []explain.Mismatch) string {
	parts := make([]string, len(list))
	for i, m := range list {
		parts[i] = m.Attribute + " " + strings.Join(m.Wanted, "/") + ":"
		for _, p := range m.Present {
			parts[i] += " " + strconv.Itoa(p.Nodes) + " " + p.Value
		}
		if m.Without > 0 {
			parts[i] += " " + strconv.Itoa(m.Without) + " without"
		}
	}
	return strings.Join(parts, ", ")
}

func candidateText(list []explain.Candidate) string {
	parts := make([]string, len(list))
	for i, c := range list {
		parts[i] = strings.TrimSpace(fmt.Sprintf("%s %g %s %s", c.Node, c.Score, c.Reason, c.Detail))
	}
	return strings.Join(parts, ", ")
}

// settingText lists the properties that a queue sets, or one above it.
func settingText(list []explain.Setting) string {
	var parts []string
	for _, s := range list {
		if s.From != "" {
			parts = append(parts, s.Name+" "+s.Value+" from "+s.From)
		}
	}
	return strings.Join(parts, ", ")
}
