package oracle_test

import (
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"pgregory.net/rapid"
)

// drawWholeQuotas draws a scenario of queues that exceed their max, in which applications have users, tags and placeholders, asks are members
// of gangs, and rules and limits are added and removed.
func drawWholeQuotas(t *rapid.T) scenario {
	s := drawQuotas(t)
	s.steps = slices.Clone(s.steps)
	w := &world{focus: gangFocus}
	w.limited = 1
	for i := range s.steps {
		step := &s.steps[i]
		if step.input == nil {
			continue
		}
		in := step.input.Clone()
		step.input = &in
		switch e := in.Event.(type) {
		case *core.SetConfig:
			e.Config = drawRulesAndLimits(t, e.Config)
		case *core.AddApp:
			w.drawUser(t, e)
			e.Tags, e.Placeholders = drawModelTags(t, nil), w.drawPlaceholders(t)
			if chance(t, "created", 3) {
				e.Queue = pick(t, "queue", "root.d.x", "root.p.n", "x", "a", "root.p.c.e")
			}
		case *core.AddAsk, *core.RestoreAllocation:
			w.drawMembership(t, &in.Ask().Ask)
			if in.Ask().Placeholder = in.Ask().Placeholder && chance(t, "placeholder", 2); chance(t, "atomic", 8) {
				in.Ask().Gang = drawGang(t)
			}
		case *core.MoveApp:
			e.Queue = pick(t, "target", "root.p.a", "root.p.b", "root.q", "root.o", "root.p.c.d", "root.d.x")
		default:
		}
	}
	s.steps = append(s.steps, step{kind: stepWait, wait: 10 * time.Second})
	return s
}

// drawRulesAndLimits adds rules and limits to a configuration of drawQuotas.
func drawRulesAndLimits(t *rapid.T, text string) string {
	const partition, root = "- name: default\n", "  - name: root\n"
	if rule := pick(t, "rule", "", "", "{name: provided}", "{name: provided, create: true}", "{name: tag, value: ns, create: true}, {name: provided, create: true}"); rule != "" {
		text = strings.Replace(text, partition, partition+"  placementrules: ["+rule+"]\n", 1)
	}
	limits := pick(t, "limits", "", "", "{users: [u], maxresources: {vcore: 6}}", `{users: ["*"], maxresources: {vcore: 5}}, {groups: [g], maxresources: {vcore: 7}, maxapplications: 2}`,
		`{users: [u, v], maxapplications: 1}, {groups: [g], maxresources: {memory: 3}}, {groups: ["*"], maxresources: {vcore: 4}}`)
	return strings.Replace(text, root, root+"    limits: ["+limits+"]\n", 1)
}
