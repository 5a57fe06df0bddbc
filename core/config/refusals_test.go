package config

import (
	"strings"
	"testing"
)

// tree is a configuration to put rules and limits in: parents root.prod and root.dev, leaves root.prod.web, root.dev.x
// and root.batch.
const tree = `- name: root
    maxapplications: 50
    queues:
    - {name: prod, maxapplications: 20, resources: {max: {vcore: 10}}, queues: [{name: web}]}
    - {name: dev, queues: [{name: x}]}
    - {name: batch}
`

// errorsOf lists the errors of a configuration without their places, which golden files show.
func errorsOf(t *testing.T, text string) []string {
	t.Helper()
	_, err := Decode([]byte(text), Options{})
	if err == nil {
		return nil
	}
	var lines []string
	for _, e := range err.(Errors) {
		lines = append(lines, e.Queue+": "+e.Key+": expected "+e.Expected+", found "+e.Found)
	}
	return lines
}

type refusal struct {
	text string // of the keys in question
	want string // one line for each error; empty if the configuration is valid
}

func checkRefusals(t *testing.T, before, after string, cases []refusal) {
	t.Helper()
	for _, c := range cases {
		got := strings.Join(errorsOf(t, before+c.text+after), "\n")
		if want := strings.TrimSpace(c.want); got != want {
			t.Errorf("%s\nexpected %s\nfound    %s", c.text, want, got)
		}
	}
}

func checkRules(t *testing.T, cases []refusal) {
	t.Helper()
	checkRefusals(t, "partitions:\n- placementrules: [", "]\n  queues:\n  "+tree, cases)
}

func TestNamesAndValuesOfRules(t *testing.T) {
	checkRules(t, []refusal{
		{`{name: provided}, {name: USER, create: true}, {name: Tag, value: Namespace}, {name: fixed, value: Batch}`, ""},
		{`{name: tag, value: example.com/Team}`, ""},
		{`{}`, "partition: placementrules[1].name: expected provided, user, tag or fixed, found none"},
		{`provided`, `partition: placementrules[1]: expected a mapping, found "provided"`},
		{`{name: user}, {name: test}`, `partition: placementrules[2].name: expected provided, user, tag or fixed, found "test"`},
		{`{name: [a]}`, `partition: placementrules[1].name: expected provided, user, tag or fixed, found a list`},
		{`{name: user, create: maybe}`, `partition: placementrules[1].create: expected true or false, found "maybe"`},
		{`{name: user, crate: true}`, `partition: placementrules[1].crate: expected name, create, value, parent or filter, found "crate"; did you mean create?`},
		{`{name: user, create: true, create: true}`, `partition: placementrules[1].create: expected each key once, found it again, after line 2`},
		{`{name: tag}`, "partition: placementrules[1].value: expected the name of a tag, of the characters a-z, A-Z, 0-9, _ : # / @ - ., found none"},
		{`{name: tag, value: ""}`, "partition: placementrules[1].value: expected the name of a tag, of the characters a-z, A-Z, 0-9, _ : # / @ - ., found none"},
		{`{name: tag, value: a b}`, `partition: placementrules[1].value: expected the name of a tag, of the characters a-z, A-Z, 0-9, _ : # / @ - ., found "a b"`},
		{`{name: tag, value: [a]}`, `partition: placementrules[1].value: expected a text, found a list`},
		{`{name: fixed}`, "partition: placementrules[1].value: expected a queue, its labels 1 to 64 of the characters a-z, A-Z, 0-9, _ : # / @ -, found none"},
		{`{name: fixed, value: a..b}`, `partition: placementrules[1].value: expected a queue, its labels 1 to 64 of the characters a-z, A-Z, 0-9, _ : # / @ -, found "a..b"`},
		{`{name: fixed, value: root.}`, `partition: placementrules[1].value: expected a queue, its labels 1 to 64 of the characters a-z, A-Z, 0-9, _ : # / @ -, found "root."`},
		{`{name: fixed, value: Root}`, `partition: placementrules[1].value: expected a queue below root, found "root"`},
		{`{name: fixed, value: "` + strings.Repeat("a", 65) + `", create: true}`, `partition: placementrules[1].value: expected a queue, its labels 1 to 64 of the characters a-z, A-Z, 0-9, _ : # / @ -, found "` + strings.Repeat("a", 65) + `"`},
		{`{name: user, parent: {name: tag, parent: {name: x}}}`, `
partition: placementrules[1].parent.value: expected the name of a tag, of the characters a-z, A-Z, 0-9, _ : # / @ - ., found none
partition: placementrules[1].parent.parent.name: expected provided, user, tag or fixed, found "x"`},
	})
}

func TestParentsOfRules(t *testing.T) {
	const deepest = 31
	nested := func(rules int) string {
		return strings.Repeat("{name: user, create: true, parent: ", rules-1) + "{name: user, create: true}" + strings.Repeat("}", rules-1)
	}
	checkRules(t, []refusal{
		{`{name: fixed, value: web, parent: {name: fixed, value: prod}}`, ""},
		{`{name: user, parent: }`, ""},
		{`{name: fixed, value: root.batch, parent: {name: user}}`, "partition: placementrules[1].parent: expected none for a full name, found one"},
		{`{name: user, parent: {}}`, "partition: placementrules[1].parent.name: expected provided, user, tag or fixed, found none"},
		{`{name: user, parent: prod}`, `partition: placementrules[1].parent: expected a mapping, found "prod"`},
		{nested(deepest), ""},
		{nested(deepest + 1), "partition: placementrules[1]." + strings.Repeat("parent.", deepest-1) + "parent: expected at most 31 rules within one another, found more"},
	})
}

func TestQueuesOfFixedRules(t *testing.T) {
	value := "partition: placementrules[1].value: expected "
	parent := "partition: placementrules[1].parent.value: expected "
	checkRules(t, []refusal{
		{`{name: fixed, value: prod.web}, {name: fixed, value: root.dev.X}`, ""},
		{`{name: fixed, value: prod.db}`, value + "a configured leaf, or create: true, found root.prod.db, which is not configured"},
		{`{name: fixed, value: prod}`, value + "a leaf, found root.prod, which is a parent"},
		{`{name: fixed, value: root.prod, create: true}`, value + "a leaf, found root.prod, which is a parent"},
		{`{name: fixed, value: prod.web, create: true}, {name: fixed, value: a.b.c, create: true}, {name: fixed, value: prod.db, create: true}`, ""},
		{`{name: fixed, value: batch.b.c, create: true}`, value + "no leaf above the queue, found root.batch, which is a leaf"},
		{`{name: user, parent: {name: fixed, value: batch}}`, parent + "a parent, found root.batch, which is a leaf"},
		{`{name: user, parent: {name: fixed, value: batch, create: true}}`, parent + "a parent, found root.batch, which is a leaf"},
		{`{name: user, parent: {name: fixed, value: team}}`, parent + "a configured parent, or create: true, found root.team, which is not configured"},
		{`{name: user, parent: {name: fixed, value: team, create: true}}`, ""},
		{`{name: user, parent: {name: fixed, value: batch.team, create: true}}`, parent + "no leaf above the queue, found root.batch, which is a leaf"},
		{`{name: fixed, value: db, parent: {name: fixed, value: prod}}`, value + "a configured leaf, or create: true, found root.prod.db, which is not configured"},
		{`{name: fixed, value: web, parent: {name: fixed, value: dev}}`, value + "a configured leaf, or create: true, found root.dev.web, which is not configured"},
		{`{name: fixed, value: anything, parent: {name: user}}`, ""}, // not known before there are users
		{`{name: fixed, value: "@recovery@", create: true}`, value + "a queue other than root.@recovery@, found root.@recovery@"},
		{`{name: fixed, value: root.@Recovery@.a, create: true}`, value + "a queue other than root.@recovery@, found root.@recovery@.a"},
		{`{name: fixed, value: prod.@recovery@, create: true}`, ""},
		{`{name: fixed, create: true, value: ` + strings.TrimSuffix(strings.Repeat("a.", 31), ".") + `}`, ""},
		{`{name: fixed, create: true, value: ` + strings.TrimSuffix(strings.Repeat("a.", 32), ".") + `}`, value + "at most 32 labels, root included, found 33"},
	})
}

func TestFiltersOfRules(t *testing.T) {
	filter := "partition: placementrules[1].filter."
	checkRules(t, []refusal{
		{`{name: user, filter: {type: ALLOW, users: [ann, b$], groups: ["^dev"]}}`, ""},
		{`{name: user, filter: {type: allow, groups: [group1, "group_a-b_#_c/_d@dom:ain.com"]}}`, ""},
		{`{name: user, filter: {groups: ["group_a-b_#_c/_d@dom:ain.com"]}}`, ""},
		{`{name: user, filter: }, {name: user, filter: {type: }}`, ""},
		{`{name: user, filter: {type: deny, users: ["a$"]}}`, ""},
		{`{name: user, filter: {type: block}}`, filter + `type: expected allow or deny, found "block"`},
		{`{name: user, filter: {type: ""}}`, filter + `type: expected allow or deny, found ""`},
		{`{name: user, filter: [a]}`, `partition: placementrules[1].filter: expected a mapping, found a list`},
		{`{name: user, filter: {user: [a]}}`, filter + `user: expected type, users or groups, found "user"; did you mean users?`},
		{`{name: user, filter: {users: ann}}`, filter + `users: expected a list, found "ann"`},
		{`{name: user, filter: {users: [ann, {a: b}]}}`, filter + `users[2]: expected a name, found a mapping`},
		{`{name: user, filter: {users: [ann, "b*"]}}`, filter + `users[2]: expected a user: a letter or _, then letters, digits, _ : # / . @ -, and perhaps a $ at the end, found "b*"`},
		{`{name: user, filter: {users: [1]}}`, filter + `users[1]: expected a user: a letter or _, then letters, digits, _ : # / . @ -, and perhaps a $ at the end, found "1"`},
		{`{name: user, filter: {groups: [dev, "b$"]}}`, filter + `groups[2]: expected a group: a letter or _, then letters, digits, _ : # / . @ -, found "b$"`},
		{`{name: user, filter: {users: ["*"]}}`, filter + `users[1]: expected an expression that compiles, found "*", missing argument to repetition operator`},
		{`{name: user, filter: {groups: ["("]}}`, filter + `groups[1]: expected an expression that compiles, found "(", missing closing )`},
		{`{name: user, filter: {users: ["` + strings.Repeat("a", 300) + `+"]}}`, filter + `users[1]: expected an expression of at most 256 bytes, found 301`},
		{`{name: user, parent: {name: user, filter: {type: x}}}`, `partition: placementrules[1].parent.filter.type: expected allow or deny, found "x"`},
	})
}

func TestAccessLists(t *testing.T) {
	checkRefusals(t, "partitions:\n- queues:\n  - name: a\n    ", "\n", []refusal{
		{`submitacl: "*"`, ""},
		{`submitacl: "ann,bob ops,dev"`, ""},
		{`adminacl: ""`, ""},
		{`adminacl: " "`, ""},
		{`adminacl: " ops"`, ""},
		{`adminacl: "ann *"`, ""},
		{`submitacl: ann  ops`, `root.a: submitacl: expected "*", or users and groups with one space between, found "ann  ops"`},
		{`submitacl: "ann, bob"`, `root.a: submitacl: expected a user: a letter or _, then letters, digits, _ : # / . @ -, and perhaps a $ at the end, found ""`},
		{`adminacl: "*,ann"`, `root.a: adminacl: expected "*" alone in its part, found "*,ann"`},
		{`adminacl: "ann group_a-b_#c/d@example:com.org"`, ""},
		{`adminacl: "ann o*s"`, `root.a: adminacl: expected a group: a letter or _, then letters, digits, _ : # / . @ -, found "o*s"`},
		{`adminacl: [ann]`, `root.a: adminacl: expected a text, found a list`},
	})
}

func TestNamesOfPartitionsAndQueues(t *testing.T) {
	checkRefusals(t, "partitions:\n- queues: [{name: a}]\n- ", "\n", []refusal{
		{`{name: gpu, queues: [{name: a}]}`, ""},
		{`{name: Default, queues: [{name: a}]}`, `partition: name: expected each partition once, found "Default" again, after partition 1`},
		{`{queues: [{name: a}]}`, `partition: name: expected each partition once, found "default" again, after partition 1`},
		{`{name: gpu}`, `partition: queues: expected a list with at least one queue, found none`},
		{`{name: gpu, queues: [{name: a, x: 1}]}`, `[gpu]root.a: x: expected name, parent, resources, maxapplications, properties, submitacl, adminacl, childtemplate, limits or queues, found "x"`},
		{`{name: gpu, queues: [{name: a, resources: {max: {vcore: 1}}, queues: [{name: b, resources: {max: {vcore: 2}}}]}]}`,
			`[gpu]root.a.b: resources.max.vcore: expected at most 1 vcore, the max of [gpu]root.a, found 2 vcore`},
		{`{name: gpu, queues: [{name: "@Recovery@"}]}`, `[gpu]root: name: expected another name: @recovery@ below root is made when it is needed, found "@Recovery@"`},
		{`{name: gpu, queues: [{name: a, queues: [{name: "@recovery@"}]}]}`, ""},
		{`{name: gpu, usergroupresolver: {type: ldap}, queues: [{name: a}]}`, ""},
		{`{name: gpu, usergroupresolver: {type: nis}, queues: [{name: a}]}`, `partition: usergroupresolver.type: expected none, os or ldap, found "nis"`},
		{`{name: gpu, preemption: {quotapreemptionenabled: 1}, queues: [{name: a}]}`, `partition: preemption.quotapreemptionenabled: expected true or false, found "1"`},
	})
}

func TestTemplates(t *testing.T) {
	checkRefusals(t, "partitions:\n- queues:\n  - name: a\n    resources: {max: {vcore: 1}}\n    queues: [{name: b}]\n    childtemplate: ", "\n", []refusal{
		{`{maxapplications: 5, resources: {guaranteed: {vcore: 2}, max: {vcore: 4}}, properties: {application.sort.policy: fair, x: y}}`, ""},
		{`{resources: {guaranteed: {vcore: 2}, max: {vcore: 1}}}`, "root.a: childtemplate.resources.guaranteed.vcore: expected at most 1 vcore, the max of the queue, found 2 vcore"},
		{`{resources: {max: {vcore: -1}}}`, `root.a: childtemplate.resources.max.vcore: expected a quantity of zero or more, found "-1"`},
		{`{resources: {most: {vcore: 1}}}`, `root.a: childtemplate.resources.most: expected guaranteed or max, found "most"`},
		{`{maxapplications: many}`, `root.a: childtemplate.maxapplications: expected a whole number of zero or more, found "many"`},
		{`{queues: [{name: a}]}`, `root.a: childtemplate.queues: expected maxapplications, resources or properties, found "queues"`},
		{`{properties: {application.sort.policy: x}}`, `root.a: childtemplate.properties.application.sort.policy: expected fifo, fair, fair-users, stateaware or a loaded policy for app.order, found "x"`},
		{`{properties: {preemption.x: y}}`, `root.a: childtemplate.properties.preemption.x: expected preemption.policy, preemption.delay, preemption.intra-queue, preemption.gangs, preemption.surplus, preemption.min-runtime, preemption.min-runtime.max, preemption.min-runtime.required, preemption.budget or preemption.patience, found "preemption.x"`},
		{`{properties: 1}`, `root.a: childtemplate.properties: expected a mapping, found "1"`},
		{`[a]`, `root.a: childtemplate: expected a mapping, found a list`},
	})
}
