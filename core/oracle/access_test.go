package oracle_test

import "testing"

const accessQueues = `
  queues:
  - name: root
    submitacl: "boss ops"
    queues:
    - name: open
      submitacl: "*"
    - name: team
      submitacl: "bob,eve devs"
      queues: [{name: a, adminacl: "ann"}, {name: b}]
    - name: closed
      submitacl: ""
`

func TestAccessListsAddDownwards(t *testing.T) {
	for _, p := range []placing{
		{"a user of the list", "", "root.team.b", "bob", nil, "root.team.b"},
		{"a group of the list", "", "root.team.b", "x devs", nil, "root.team.b"},
		{"on a list of root", "", "root.closed", "boss", nil, "root.closed"},
		{"a group on a list of root", "", "root.closed", "x ops", nil, "root.closed"},
		{"an administrator may submit", "", "root.team.a", "ann", nil, "root.team.a"},
		{"an administrator of a sibling", "", "root.team.b", "ann", nil, "access-denied"},
		{"on no list", "", "root.team.a", "x", nil, "access-denied"},
		{"an empty list lets nobody in", "", "root.closed", "bob", nil, "access-denied"},
		{"everybody", "", "root.open", "", nil, "root.open"},
		{"names compare with case", "", "root.team.a", "Bob", nil, "access-denied"},
		{"what else is wrong comes first", "", "root.team", "x", nil, "not-a-leaf"},
		{"a forced application", "", "root.team.a", "x", []string{"application.create.force", "true"}, "root.@recovery@"},

		{"a rule without access does not match", "{name: provided}, {name: fixed, value: open}", "root.team.a", "x", nil, "root.open"},
		{"access lacked alone", "{name: provided}", "root.team.a", "x", nil, "access-denied"},
		{"access was not all that lacked", "{name: provided}", "root.team.none", "x", nil, "not-placed"},
		{"a queue to be made asks the nearest above", "{name: provided, create: true}", "root.team.c.d", "x", nil, "access-denied"},
		{"corner 13: the list of a parent opens its dynamic children", "{name: provided, create: true}", "root.team.c.d", "eve", nil, "root.team.c.d"},
	} {
		t.Run(p.name, func(t *testing.T) { p.run(t, accessQueues) })
	}
}

func TestAPartitionWithoutListsIsOpen(t *testing.T) {
	placing{queue: "root.a", user: "x", expect: "root.a"}.run(t, "  queues: [{name: a}]\n")
}

func TestCorner9RootDefaultIsCheckedToo(t *testing.T) {
	placing{rules: "{name: tag, value: none}", user: "x", expect: "access-denied"}.run(t, "  queues: [{name: default, submitacl: bob}]\n")
	placing{rules: "{name: tag, value: none}", user: "bob", expect: "root.default"}.run(t, "  queues: [{name: default, submitacl: bob}]\n")
}

func TestCorner12AdminACLAloneSwitchesAccessOn(t *testing.T) {
	placing{queue: "root.a", user: "x", expect: "access-denied"}.run(t, "  queues: [{name: a}, {name: b, adminacl: bob}]\n")
}

func TestAccessIsNeverCheckedAgain(t *testing.T) {
	c := newCluster(t, "  queues: [{name: a}]\n")
	c.node("n", 4)
	c.app("x", "root.a", "x")
	c.config("  queues: [{name: a, submitacl: bob}]\n")
	c.ask("a", "x", 1)
	c.expect("node.accepted n", "app.accepted x root.a", "config.accepted", "allocation a n")
}
