package config

import (
	"fmt"
	"strings"
	"testing"
)

func TestNamesOfLimits(t *testing.T) {
	l := "root.a: limits[1]"
	checkRefusals(t, "partitions:\n- queues:\n  - name: a\n    limits: [", "]\n", []refusal{
		{`{users: [ann, b$, "c@d/e:f#g"], groups: [a.b-c:d], maxapplications: 1}`, ""},
		{`{limit: some, users: [ann], maxapplications: 1}, {users: ["*"], groups: [ops], maxapplications: 1}, {groups: ["*"], maxapplications: 1}`, ""},
		{`{maxapplications: 1}`, l + ": expected users or groups, found neither"},
		{`{users: [], groups: , maxapplications: 1}`, l + ": expected users or groups, found empty lists"},
		{`{users: ann, maxapplications: 1}`, l + `.users: expected a list, found "ann"`},
		{`{users: [ann, 1b], maxapplications: 1}`, l + `.users[2]: expected a user: a letter or _, then letters, digits, _ : # / . @ -, and perhaps a $ at the end, found "1b"`},
		{`{groups: ["staff@example.org", "/org/ml#1"], maxapplications: 1}`, l + `.groups[2]: expected a group: a letter or _, then letters, digits, _ : # / . @ -, found "/org/ml#1"`},
		{`{groups: ["org/ml#1@example.org"], maxapplications: 1}`, ""},
		{`{groups: [""], maxapplications: 1}`, l + `.groups[1]: expected a group: a letter or _, then letters, digits, _ : # / . @ -, found ""`},
		{`{groups: [~], maxapplications: 1}`, l + `.groups[1]: expected a name, found nothing`},
		{`{users: ["an n"], maxapplications: 1}`, l + `.users[1]: expected a user: a letter or _, then letters, digits, _ : # / . @ -, and perhaps a $ at the end, found "an n"`},
		{`{users: [ann, "*"], maxapplications: 1}`, l + `.users[2]: expected "*" alone, found 2 names`},
		{`{groups: [ops], maxapplications: 1}, {groups: [dev, "*"], maxapplications: 1}`, `root.a: limits[2].groups[2]: expected "*" alone, found 2 names`},
		{`{users: [ann, bob, ann], maxapplications: 1}`, l + `.users[3]: expected each name once in the queue, found "ann" again, after limits[1]`},
		{`{users: [ann], maxapplications: 1}, {users: [bob, ann], maxapplications: 2}`, `root.a: limits[2].users[2]: expected each name once in the queue, found "ann" again, after limits[1]`},
		{`{users: [ann], groups: [ann], maxapplications: 1}, {users: [Ann], maxapplications: 1}`, ""},
		{`{users: ["*"], maxapplications: 1}, {users: ["*"], maxapplications: 2}`, `root.a: limits[2].users[1]: expected each name once in the queue, found "*" again, after limits[1]`},
		{`{users: ["*"], maxapplications: 1}, {groups: [ops], maxapplications: 1}`, ""},
		{`{users: ["*"], maxapplications: 1}, {users: [ann], maxapplications: 1}`, l + `.users[1]: expected "*" in the last limit with users, found limits[2] after it`},
		{`{groups: ["*"], maxapplications: 1}`, l + `.groups[1]: expected a limit of a named group before that of "*", found none`},
		{`{groups: ["*"], maxapplications: 1}, {groups: [ops], maxapplications: 1}`, l + `.groups[1]: expected "*" in the last limit with groups, found limits[2] after it
` + l + `.groups[1]: expected a limit of a named group before that of "*", found none`},
		{`{user: [ann], maxapplications: 1}`, l + `.user: expected limit, users, groups, maxresources or maxapplications, found "user"; did you mean users?`},
		{`ann`, l + `: expected a mapping, found "ann"`},
	})
}

func TestBoundsOfLimits(t *testing.T) {
	l := "root.a: limits[1]"
	checkRefusals(t, "partitions:\n- queues:\n  - name: a\n    maxapplications: 5\n    resources: {max: {vcore: 4, gpu: 0}}\n    limits: [", "]\n", []refusal{
		{`{users: [ann], maxapplications: 5, maxresources: {vcore: 4, memory: 9Ti, gpu: 0}}`, ""},
		{`{users: [ann]}`, l + ": expected maxresources or maxapplications above 0, found neither"},
		{`{users: [ann], maxresources: {}, maxapplications: 0}`, l + ": expected maxresources or maxapplications above 0, found neither"},
		{`{users: [ann], maxresources: {}, maxapplications: 1}`, ""},
		{`{users: [ann], maxresources: {vcore: 1}, maxapplications: 0}`, ""},
		{`{users: [ann], maxresources: {vcore: 0, gpu: 0}, maxapplications: 1}`, l + ".maxresources: expected an amount above 0, found only zeros"},
		{`{users: [ann], maxresources: {vcore: 0, memory: 1}}`, ""},
		{`{users: [ann], maxresources: {vcore: x}}`, l + `.maxresources.vcore: expected a quantity such as 4, 1.5, 500m or 64Gi, found "x"`},
		{`{users: [ann], maxresources: 4}`, l + `.maxresources: expected a mapping, found "4"`},
		{`{users: [ann], maxapplications: -1}`, l + `.maxapplications: expected a whole number of zero or more, found "-1"`},
		{`{users: [ann], maxapplications: 6}`, l + ".maxapplications: expected at most 5, the maxapplications of the queue, found 6"},
		{`{users: [ann], maxresources: {vcore: 4500m, gpu: 1}}`, l + `.maxresources.vcore: expected at most 4 vcore, the max of the queue, found 4.5 vcore
` + l + ".maxresources.gpu: expected at most 0 gpu, the max of the queue, found 1 gpu"},
	})
}

// limitsAbove is a queue tree with limits at root, root.a and root.a.b, the last to be filled in.
const limitsAbove = `partitions:
- queues:
  - name: root
    limits:
    - {users: [ann], maxresources: {vcore: 8}, maxapplications: 9}
    - {users: ["*"], maxresources: {vcore: 6, memory: 100}, maxapplications: 3}
    - {groups: [ops], maxresources: {vcore: 10}}
    - {groups: ["*"], maxresources: {vcore: 5}}
    queues:
    - name: a
      limits:
      - {users: [bob], maxresources: {gpu: 2}}
      - {groups: [dev], maxapplications: 7}
      queues:
      - name: b
        limits: [`

func TestLimitsStayWithinThoseAbove(t *testing.T) {
	l := "root.a.b: limits[1]"
	checkRefusals(t, limitsAbove, "]\n", []refusal{
		{`{users: [ann], maxresources: {vcore: 8, memory: 1Ti}, maxapplications: 9}`, ""}, // root names ann, so * does not apply
		{`{users: [ann], maxresources: {vcore: 9}}`, l + ".maxresources.vcore: expected at most 8 vcore, the limit of user ann in root, found 9 vcore"},
		{`{users: [ann], maxapplications: 10}`, l + ".maxapplications: expected at most 9, the limit of user ann in root, found 10"},
		{`{users: [eve], maxresources: {vcore: 7, memory: 101}}`, l + `.maxresources.vcore: expected at most 6 vcore, the limit of user eve in root, found 7 vcore
` + l + ".maxresources.memory: expected at most 100 B memory, the limit of user eve in root, found 101 B memory"},
		{`{users: ["*"], maxresources: {vcore: 7}}`, l + ".maxresources.vcore: expected at most 6 vcore, the limit of all users in root, found 7 vcore"},
		{`{users: [bob], maxresources: {gpu: 3, vcore: 7}}`, l + `.maxresources.gpu: expected at most 2 gpu, the limit of user bob in root.a, found 3 gpu
` + l + ".maxresources.vcore: expected at most 6 vcore, the limit of user bob in root, found 7 vcore"},
		{`{users: [ann, eve, zoe], maxresources: {vcore: 7}}`, l + ".maxresources.vcore: expected at most 6 vcore, the limit of user eve in root, found 7 vcore"},
		{`{groups: [ops], maxresources: {vcore: 10}, maxapplications: 100}`, ""},
		{`{groups: [ops], maxresources: {vcore: 11}}`, l + ".maxresources.vcore: expected at most 10 vcore, the limit of group ops in root, found 11 vcore"},
		{`{groups: [dev], maxresources: {vcore: 11}, maxapplications: 8}`, l + ".maxapplications: expected at most 7, the limit of group dev in root.a, found 8"}, // * holds for no named group
		{`{groups: [dev], maxapplications: 0, maxresources: {vcore: 1}}`, ""},
		{`{groups: [dev], maxapplications: 1}, {groups: ["*"], maxresources: {vcore: 6}}`, "root.a.b: limits[2].maxresources.vcore: expected at most 5 vcore, the limit of all groups in root, found 6 vcore"},
		{`{users: [eve], groups: [ops], maxresources: {vcore: 11}}`, l + `.maxresources.vcore: expected at most 10 vcore, the limit of group ops in root, found 11 vcore
` + l + ".maxresources.vcore: expected at most 6 vcore, the limit of user eve in root, found 11 vcore"},
	})
}

func TestLimitsOfThePartitionAreThoseOfRoot(t *testing.T) {
	before := "partitions:\n- limits: [{limit: x, users: [ann], maxresources: {vcore: 1000m}, maxapplications: 3}]\n  queues:\n  - name: root\n    queues: [{name: a}]\n"
	for _, own := range []string{"", "    limits:\n", "    limits: []\n", "    limits: [{users: [ann], maxresources: {vcore: 1}, maxapplications: 3}]\n"} {
		c, err := Decode([]byte(before+own), Options{})
		if err != nil {
			t.Errorf("%s: %v", own, err)
			continue
		}
		if l := c.Partitions[0].Root.Limits; len(l) != 1 || l[0].Users[0] != "ann" || l[0].MaxApplications != 3 {
			t.Errorf("%s: %+v", own, l)
		}
	}
	checkRefusals(t, before, "\n", []refusal{
		{"    limits: [{users: [ann], maxresources: {vcore: 1}}]", "root: limits: expected the limits of the partition, or none, found other limits"},
		{"    limits: [{users: [bob], maxresources: {vcore: 1}, maxapplications: 3}]", "root: limits: expected the limits of the partition, or none, found other limits"},
		{"    maxapplications: 2", "partition: limits[1].maxapplications: expected at most 2, the maxapplications of the queue, found 3"},
	})
}

func TestLimits_ManyNamesDecodeInTime(t *testing.T) {
	var b strings.Builder
	b.WriteString("partitions:\n- queues:\n  - name: root\n    queues:\n    - name: a\n      limits:\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "      - {users: [u%d], groups: [g%d], maxresources: {vcore: 4}, maxapplications: 2}\n", i, i)
	}
	b.WriteString("      queues:\n      - name: b\n        limits:\n        - maxresources: {vcore: 3}\n          users:\n")
	for i := range 100_000 {
		fmt.Fprintf(&b, "          - u%d\n", i)
	}
	c, err := Decode([]byte(b.String()), Options{})
	if err != nil {
		t.Fatalf("%.300v", err)
	}
	a := at(t, c, "a")
	if len(a.Limits) != 10_000 || len(a.Children[0].Limits[0].Users) != 100_000 {
		t.Errorf("%d limits, %d users", len(a.Limits), len(a.Children[0].Limits[0].Users))
	}
	_, err = Decode([]byte(strings.Replace(b.String(), "vcore: 3", "vcore: 5", 1)), Options{})
	if all, ok := err.(Errors); !ok || len(all) != 1 || !strings.Contains(err.Error(), "the limit of user u0 in root.a") {
		t.Errorf("%.300v", err)
	}
}

// Names times types times levels can be much more than the length of a text.
func TestComparisonsOfLimitsAreBounded(t *testing.T) {
	var types, users strings.Builder
	for i := range 900 {
		fmt.Fprintf(&types, "t%d: 1, ", i)
	}
	for i := range 6_000 {
		fmt.Fprintf(&users, "u%d, ", i)
	}
	limits := "limits: [{users: [" + users.String() + "last], maxresources: {" + types.String() + "last: 1}}]"
	text := "partitions: [{queues: [{name: a, " + limits + ", queues: [{name: b, " + limits + ", queues: [{name: c, " + limits + "}]}]}]}]"
	got := errorsOf(t, text)
	if len(got) != 1 || got[0] != "root.a.b: limits[1]: expected at most 33554432 steps to compare limits with those above, found more" {
		t.Errorf("%.300v", got)
	}
}
