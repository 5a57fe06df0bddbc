package features

import "testing"

func TestUnknownStep_NearestSentenceIsFound(t *testing.T) {
	m := newMatcher()
	for text, want := range map[string]string{
		`"a" is allocatd`:                         `{names} {is|are} allocated[ on {name}]`,
		`a is allocated on n1`:                    `{names} {is|are} allocated[ on {name}]`,
		`the node "n1" with 4 vcore, 2Gi memory`:  `a node {name} with {resources}`,
		`"a", "b" and "c" waited`:                 `{names} wait[s]`,
		`"a" requests in root.a for 1 vcore`:      `{names} ask[s] in {queue}[ as user {name}] for {resources}[ with priority {number}]`,
		`30s passed`:                              `{duration} pass[es]`,
		`the decisions were:`:                     `the decisions are:`,
		`node "n1" gets drained`:                  `node {name} is {drained|resumed|removed}`,
		`"x" evicts "y" on "n1"`:                  `{name} preempts {names}[ on {name}]`,
		`once upon a time there lived a princess`: ``,
		``: ``,
	} {
		found := m.match(PlayedStep{Text: text})
		if found.Status != StatusUndefined || found.Nearest != want {
			t.Errorf("%s: expected %q, found %s %q", text, want, found.Status, found.Nearest)
		}
	}
}
