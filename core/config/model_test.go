package config

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/resource"
)

func partitions(t *testing.T, text string) []*Partition {
	t.Helper()
	c, err := Decode([]byte("partitions: ["+text+"]"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c.Partitions
}

func TestPartitionsHaveSettingsOfTheirOwn(t *testing.T) {
	all := partitions(t, `{name: a, preemption: {enabled: false, quotapreemptionenabled: true}, usergroupresolver: {type: os},
		placementrules: [{name: user}], queues: [{name: root, submitacl: ann, properties: {reservation.delay: 9s}, queues: [{name: x}]}]},
		{queues: [{name: x}, {name: y}]}`)
	a, b := all[0], all[1]
	if a.Name != "a" || a.PreemptionEnabled || !a.QuotaPreemption || a.Resolver != ResolveOS || len(a.Rules) != 1 || !a.AccessControl ||
		a.ReservationDelay != instant.Delay(9*time.Second) || len(a.Root.Children) != 1 {
		t.Errorf("%+v", a)
	}
	if b.Name != "default" || !b.PreemptionEnabled || b.QuotaPreemption || b.Resolver != ResolveNone || b.Rules != nil || b.AccessControl ||
		b.ReservationDelay != DefaultReservationDelay || len(b.Root.Children) != 2 || b.NodeSort.Policy != Fair {
		t.Errorf("%+v", b)
	}
}

func TestAccessList_EmptyCountsNullDoesNot(t *testing.T) {
	for text, want := range map[string]bool{"": false, "submitacl: ": false, "adminacl: ~": false, `submitacl: ""`: true, `adminacl: " "`: true, `adminacl: "*"`: true} {
		p := partitions(t, "{queues: [{name: a, queues: [{name: b, "+text+"}]}]}")[0]
		b := p.Root.Children[0].Children[0]
		if p.AccessControl != want || (b.SubmitACL != nil || b.AdminACL != nil) != want {
			t.Errorf("%s: %v", text, p.AccessControl)
		}
	}
}

func TestQuotaDelaysAreInheritedAndOffWhenUnreadable(t *testing.T) {
	c := decode(t, `[{name: root, properties: {quota.preemption.delay: 5m}, queues: [{name: a, queues: [{name: b}]},
		{name: c, properties: {quota.preemption.delay: "0"}, queues: [{name: d}]}, {name: e, properties: {quota.preemption.delay: soon}},
		{name: f, properties: {quota.preemption.delay: -5m}}, {name: g, properties: {quota.preemption.delay: }}]}]`)
	for path, want := range map[string]time.Duration{"": 5 * time.Minute, "a": 5 * time.Minute, "a.b": 5 * time.Minute, "c": 0, "c.d": 0, "e": 0, "f": 0, "g": 5 * time.Minute} {
		names := strings.FieldsFunc(path, func(r rune) bool { return r == '.' })
		if got := at(t, c, names...).QuotaDelay; got != instant.Delay(want) {
			t.Errorf("%q: %s", path, got)
		}
	}
	if len(c.Warnings) != 2 {
		t.Errorf("%v", c.Warnings)
	}
}

func TestRulesAreParsed(t *testing.T) {
	rules := partitions(t, `{queues: [{name: a}], placementrules: [
		{name: TAG, value: Name.Space, create: true, parent: {name: Fixed, value: Made, create: true, parent: {name: user, filter: {users: ["^a"]}}}},
		{name: user, filter: {type: Deny, users: [bob, ann], groups: ["x$"]}}, {name: provided, filter: {type: allow}}]}`)[0].Rules
	ann, err := placement.Expression("^a")
	if err != nil {
		t.Fatal(err)
	}
	of, err := placement.Expression("x$")
	if err != nil {
		t.Fatal(err)
	}
	want := []*placement.Rule{
		{Kind: placement.Tag, Value: "name.space", Create: true, Parent: &placement.Rule{Kind: placement.Fixed, Value: "made", Create: true,
			Parent: &placement.Rule{Kind: placement.User, Filter: &placement.Filter{Users: ann}}}},
		{Kind: placement.User, Filter: &placement.Filter{Deny: true, Users: placement.List([]string{"ann", "bob"}), Groups: of}},
		{Kind: placement.Provided},
	}
	if !reflect.DeepEqual(rules, want) {
		t.Errorf("found %+v", rules)
	}
}

func TestLimitsAndTemplatesAreParsed(t *testing.T) {
	c := decode(t, `[{name: a, limits: [{limit: x, users: [zoe, ann], groups: [g], maxresources: {vcore: 1500m, gpu: 0}, maxapplications: 0x10}, {users: ["*"], maxapplications: 1}],
		childtemplate: {maxapplications: 2, resources: {guaranteed: {vcore: 1}, max: {vcore: 2}}, properties: {preemption.delay: 1s, own: x, priority.policy: }},
		queues: [{name: b, childtemplate: {}}, {name: c, childtemplate: {maxapplications: 0, resources: {max: {}}, properties: {}}}]}]`)
	a := at(t, c, "a")
	vcore := func(n int64) resource.Quantity { return resource.Quantity{Type: "vcore", Value: n} }
	limits := []Limit{
		{"x", []string{"zoe", "ann"}, []string{"g"}, resource.NewSet(vcore(1500), resource.Quantity{Type: "gpu"}), 16},
		{Users: []string{"*"}, MaxApplications: 1},
	}
	if !reflect.DeepEqual(a.Limits, limits) {
		t.Errorf("found %+v", a.Limits)
	}
	template := &Template{2, resource.NewSet(vcore(1000)), resource.NewSet(vcore(2000)), map[string]string{"preemption.delay": "1s", "own": "x"}}
	if !reflect.DeepEqual(a.Template, template) {
		t.Errorf("found %+v", a.Template)
	}
	if a.PreemptionDelay != DefaultPreemptionDelay || a.Inherited["own"] != "" {
		t.Error("a template says nothing about the queue it stands in")
	}
	if at(t, c, "a", "b").Template != nil || at(t, c, "a", "c").Template != nil || len(c.Warnings) != 0 {
		t.Errorf("an empty template is none: %v", c.Warnings)
	}
}

func TestSlipsThatAreValidAreWarnings(t *testing.T) {
	for text, want := range map[string]string{
		"{placementrules: [{name: user, value: x}], queues: [{name: a}]}":                                          "partition: placementrules[1].value: it has no effect on a rule by user",
		"{placementrules: [{name: provided, value: x}], queues: [{name: a}]}":                                      "partition: placementrules[1].value: it has no effect on a rule by provided",
		"{placementrules: [{name: user, filter: {type: deny}}], queues: [{name: a}]}":                              "partition: placementrules[1].filter.type: deny without users and groups excludes every application",
		"{queues: [{name: a, childtemplate: {maxapplications: 1}}]}":                                               "root.a: childtemplate: it has no effect on a leaf, which has no queues below it",
		"{queues: [{name: a, parent: true, childtemplate: {properties: {quota.preemption.delay: x}}}, {name: b}]}": `root.a: childtemplate.properties.quota.preemption.delay: "x" is not a duration such as 1m, or 0 for none; 0 is used`,
		"{queues: [{name: a, parent: true, childtemplate: {maxapplications: 1}}, {name: b}]}":                      "",
	} {
		c, err := Decode([]byte("partitions: ["+text+"]"), Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []string
		for _, w := range c.Warnings {
			got = append(got, w.Queue+": "+w.Key+": "+w.Text)
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%s\nexpected %s\nfound    %s", text, want, got)
		}
	}
}

func TestOneTemplateWarnsOfItsOwnOffsetAsAQueueDoes(t *testing.T) {
	c := decode(t, "[{name: root, childtemplate: {properties: {priority.offset: x, reservation.delay: x}}, queues: [{name: a}]}]")
	if len(c.Warnings) != 1 || c.Warnings[0].Key != "childtemplate.properties.priority.offset" {
		t.Errorf("%v", c.Warnings)
	}
}

func TestPlacementRules_ManyNamesDecodeInTime(t *testing.T) {
	var b strings.Builder
	b.WriteString("partitions:\n- placementrules:\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "  - {name: fixed, value: made%d, create: true}\n", i)
	}
	b.WriteString("  - name: user\n    filter:\n      users:\n")
	for i := range 100_000 {
		fmt.Fprintf(&b, "      - u%d\n", i)
	}
	b.WriteString("  queues:\n  - name: a\n")
	c, err := Decode([]byte(b.String()), Options{})
	if err != nil {
		t.Fatalf("%.300v", err)
	}
	rules := c.Partitions[0].Rules
	if f := rules[10_000].Filter; !f.Passes("u99999", nil) || f.Passes("u100000", nil) || len(rules) != 10_001 {
		t.Error("the last user passes, and no other")
	}
}

func TestDeepParentsOfRulesAreRefused(t *testing.T) {
	refused(t, "partitions: [{placementrules: ["+strings.Repeat("{name: user, parent: ", 300)+"x"+strings.Repeat("}", 300)+"]}]", YAML)
	refused(t, "partitions = [{placementrules = ["+strings.Repeat("{name = 'user', parent = ", 300)+"1"+strings.Repeat("}", 300)+"]}]", TOML)
}
