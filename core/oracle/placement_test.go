package oracle_test

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
)

// placing is a case of one application under some rules.
type placing struct {
	name   string
	rules  string // of a partition, by flow style
	queue  string
	user   string
	tags   []string
	expect string // the queue, or the reason of the refusal
}

// run returns the queue in which the application was placed, or the reason of the refusal.
func (p placing) run(t *testing.T, queues string) {
	t.Helper()
	c := newCluster(t, "  placementrules: ["+p.rules+"]\n"+queues)
	c.app("x", p.queue, p.user, p.tags...)
	for _, d := range c.m.Take() {
		found := ""
		switch d.Type {
		case core.AppAccepted:
			found = d.Queue
		case core.AppRejected:
			found = string(d.Reason)
		default:
			continue
		}
		if found != p.expect {
			t.Errorf("expected %s, found %s (%s)", p.expect, found, d.Message)
		}
		return
	}
	t.Error("no decision")
}

const plainQueues = `
  queues:
  - name: default
  - name: prod
    queues: [{name: web}]
  - name: users
    parent: true
  - name: "@odd@"
`

func TestRulesPlaceApplications(t *testing.T) {
	deep := "root" + strings.Repeat(".a", 31)
	for _, p := range []placing{
		{"provided by its full name", "{name: provided}", "ROOT.Prod.Web", "u", nil, "root.prod.web"},
		{"provided by one label below root", "{name: provided, create: true}", "team", "u", nil, "root.team"},
		{"provided with dots is one label", "{name: provided, create: true}", "a.b", "u", nil, "root.a_dot_b"},
		{"user", "{name: user, create: true}", "", "Bob", nil, "root.bob"},
		{"a user is never a full name", "{name: user, create: true}", "", "root.prod.web", nil, "root.root_dot_prod_dot_web"},
		{"tag", "{name: tag, value: Team, create: true}", "", "u", []string{"team", "blue"}, "root.blue"},
		{"of tags that differ in case the bytewise first", "{name: tag, value: team, create: true}", "", "u", []string{"team", "b", "TEAM", "a"}, "root.a"},
		{"fixed", "{name: fixed, value: prod.web}", "", "u", nil, "root.prod.web"},
		{"fixed keeps dots as levels", "{name: fixed, value: a.b, create: true}", "", "u", nil, "root.a.b"},
		{"below a parent rule", "{name: user, create: true, parent: {name: fixed, value: users}}", "", "u", nil, "root.users.u"},
		{"below a parent that is made", "{name: user, create: true, parent: {name: tag, value: ns, create: true}}", "", "u", []string{"ns", "n"}, "root.n.u"},
		{"without create on the parent", "{name: user, create: true, parent: {name: tag, value: ns}}, {name: fixed, value: default}", "", "u", []string{"ns", "n"}, "root.default"},
		{"a parent that is a leaf", "{name: user, create: true, parent: {name: tag, value: ns, create: true}}, {name: fixed, value: prod.web}", "", "u", []string{"ns", "default"}, "root.prod.web"},
		{"the filter of the parent", "{name: user, create: true, parent: {name: fixed, value: users, filter: {type: deny, users: [u]}}}, {name: fixed, value: prod.web}", "", "u", nil, "root.prod.web"},
		{"the first rule that matches", "{name: tag, value: none}, {name: fixed, value: prod.web}, {name: fixed, value: default}", "", "u", nil, "root.prod.web"},
		{"absent without create", "{name: provided}", "root.none", "u", nil, "root.default"},
		{"a parent queue", "{name: provided}", "root.prod", "u", nil, "root.default"},
		{"root", "{name: provided}", "ROOT", "u", nil, "root.default"},
		{"no name", "{name: provided}", "", "u", nil, "root.default"},
		{"a leaf in the way", "{name: provided, create: true}", "root.prod.web.x", "u", nil, "root.default"},
		{"a bad label", "{name: provided, create: true}", "root.a b", "u", nil, "root.default"},
		{"an empty label", "{name: provided, create: true}", "root.a..b", "u", nil, "root.default"},
		{"a label of 65", "{name: provided, create: true}", strings.Repeat("a", 65), "u", nil, "root.default"},
		{"32 labels", "{name: provided, create: true}", deep, "u", nil, deep},
		{"33 labels", "{name: provided, create: true}", deep + ".a", "u", nil, "root.default"},
		{"the recovery queue", "{name: provided, create: true}", "root.@Recovery@", "u", nil, "root.default"},
		{"below the recovery queue", "{name: provided, create: true}", "root.@recovery@.x", "u", nil, "root.default"},

		{"corner 1: a user with $ makes no label", "{name: user, create: true}", "", "a$", nil, "root.default"},
		{"corner 2: a single entry a$ is an expression", "{name: fixed, value: prod.web, filter: {users: [a$]}}", "", "banana", nil, "root.prod.web"},
		{"corner 3: a full name skips the parent rule", "{name: provided, parent: {name: fixed, value: users, filter: {type: deny}}}", "root.prod.web", "u", nil, "root.prod.web"},
		{"corner 3: but not the filter", "{name: provided, filter: {type: deny}}", "root.prod.web", "u", nil, "root.default"},
		{"corner 3: and not create", "{name: provided, parent: {name: fixed, value: users}}", "root.prod.none", "u", nil, "root.default"},
		{"corner 11: a forced application that a rule places goes there", "{name: fixed, value: prod.web}", "", "u", []string{"application.create.force", "true"}, "root.prod.web"},

		{"allow passes on a hit", "{name: fixed, value: prod.web, filter: {users: [u, v]}}", "", "u", nil, "root.prod.web"},
		{"allow passes nobody else", "{name: fixed, value: prod.web, filter: {users: [v, w]}}", "", "u", nil, "root.default"},
		{"by a group", "{name: fixed, value: prod.web, filter: {groups: [g, h]}}", "", "u f h", nil, "root.prod.web"},
		{"by an expression for each group alone", "{name: fixed, value: prod.web, filter: {groups: [\"^f h$\"]}}", "", "u f h", nil, "root.default"},
		{"deny passes without a hit", "{name: fixed, value: prod.web, filter: {type: deny, users: [v, w]}}", "", "u", nil, "root.prod.web"},
		{"deny bars on a hit", "{name: fixed, value: prod.web, filter: {type: deny, groups: [g, h]}}", "", "u g", nil, "root.default"},
		{"allow without lists passes all", "{name: fixed, value: prod.web, filter: {type: allow}}", "", "u", nil, "root.prod.web"},
		{"users compare with case", "{name: fixed, value: prod.web, filter: {users: [Bob, v]}}", "", "bob", nil, "root.default"},

		{"forced where no rule places", "{name: tag, value: none}", "", "u", []string{"application.create.force", "true"}, "root.@recovery@"},
		{"forced false", "{name: tag, value: none}", "", "u", []string{"application.create.force", "false"}, "root.default"},
	} {
		t.Run(p.name, func(t *testing.T) { p.run(t, plainQueues) })
	}
}

func TestPlacement_RejectedWithoutRootDefault(t *testing.T) {
	placing{rules: "{name: tag, value: none}", user: "u", expect: "not-placed"}.run(t, "  queues: [{name: a}]\n")
}

func TestTheMessageOfARefusalListsEachRule(t *testing.T) {
	c := newCluster(t, `
  placementrules: [{name: provided}, {name: user, parent: {name: tag, value: ns}}]
  queues: [{name: a}]
`)
	c.app("x", "root.none", "u")
	const want = "rule 1 (provided): root.none: does not exist; rule 2 (user): as the parent: no name; root.default: does not exist"
	if d := c.m.Take()[0]; d.Message != want || d.Reason != core.ReasonNotPlaced {
		t.Errorf("expected %s\nfound    %s: %s", want, d.Reason, d.Message)
	}
}

func TestWithoutRulesTheFullNameCounts(t *testing.T) {
	for _, p := range []placing{
		{"a leaf", "", "Root.Prod.Web", "u", nil, "root.prod.web"},
		{"no name", "", "", "u", nil, "no-queue"},
		{"never made, and no fallback", "", "root.none", "u", nil, "unknown-queue"},
		{"one label is no full name", "", "default", "u", nil, "unknown-queue"},
		{"a parent", "", "root.prod", "u", nil, "not-a-leaf"},
		{"a forced one whose name fails", "", "root.none", "u", []string{"application.create.force", "true"}, "root.@recovery@"},
		{"a forced one whose name is good", "", "root.default", "u", []string{"Application.Create.Force", "true"}, "root.default"},
	} {
		t.Run(p.name, func(t *testing.T) { p.run(t, plainQueues) })
	}
}

func TestTheRecoveryQueueIsUnknownByNameAndSchedules(t *testing.T) {
	c := newCluster(t, "  queues: [{name: default}]\n")
	c.node("n", 4)
	c.app("x", "", "u", "application.create.force", "true")
	c.app("y", "root.@recovery@", "u")
	c.ask("a", "x", 1)
	c.expect("node.accepted n", "queue.state root.@recovery@ stopped active created", "app.accepted x root.@recovery@",
		"app.rejected y unknown-queue", "allocation a n")
}

// Corner 10.
func TestRecoveryQueue_CountsForRoot(t *testing.T) {
	c := newCluster(t, `
  limits: [{users: [u], maxresources: {vcore: 2}}]
  queues: [{name: root, maxapplications: 2, queues: [{name: default}]}]
`)
	c.node("n", 8)
	force := []string{"application.create.force", "true"}
	c.app("x", "", "u", force...)
	c.ask("a", "x", 2)
	c.ask("b", "x", 1)
	c.app("y", "", "v", force...)
	c.ask("c", "y", 1)
	c.app("z", "", "w", force...)
	c.ask("d", "z", 1)
	c.expect("node.accepted n", "queue.state root.@recovery@ stopped active created", "app.accepted x root.@recovery@", "allocation a n",
		"app.accepted y root.@recovery@", "allocation c n", "app.accepted z root.@recovery@")
}

// Corner 4.
func TestNamesThatMakeOneLabelShareAQueue(t *testing.T) {
	c := newCluster(t, "  placementrules: [{name: user, create: true}]\n  queues: [{name: default}]\n")
	c.app("x", "", "a.b")
	c.app("y", "", "a_dot_b")
	c.expect("queue.state root.a_dot_b stopped active created", "app.accepted x root.a_dot_b", "app.accepted y root.a_dot_b")
}

// Corner 5.
func TestADynamicLeafInTheWayIsNoMatch(t *testing.T) {
	c := newCluster(t, "  placementrules: [{name: provided, create: true}]\n  queues: [{name: default}]\n")
	c.app("x", "root.a", "u")
	c.app("y", "root.a.b", "u")
	c.expect("queue.state root.a stopped active created", "app.accepted x root.a", "app.accepted y root.default")
}

// Corner 6.
func TestADrainingQueueIsNoMatchWithOrWithoutCreate(t *testing.T) {
	for _, create := range []string{"false", "true"} {
		rules := "  placementrules: [{name: provided, create: " + create + "}]\n"
		c := newCluster(t, rules+"  queues: [{name: default}, {name: a}, {name: p, queues: [{name: b}]}]\n")
		c.app("x", "root.a", "u")
		c.app("y", "root.p.b", "u")
		c.config(rules + "  queues: [{name: default}]\n")
		c.skip()
		c.app("z", "root.a", "u")
		c.app("w", "root.p.c", "u")
		c.expect("app.accepted z root.default", "app.accepted w root.default")
	}
}
