// Package threshold holds conditions under which a replay counts as failed, such as queue[root.a].wait.p99 > 5m.
//
// A condition compares a figure of a summary with a limit. Both are whole numbers in the unit of the figure, so that the same run
// fails on every machine. Figures lists what can be compared; the documents list the same.
package threshold

import (
	"fmt"
	"strings"

	"github.com/quern-project/quern/host/report/summary"
)

// Condition is a parsed condition.
type Condition struct {
	text   string
	scope  scope
	name   string // of the queue, the priority or the user; every for each of them
	figure *figure
	typ    string // in brackets behind the figure
	op     string
	limit  int64
}

// every stands for all leaf queues, all priorities or all users.
const every = "*"

// String is the condition as it was written.
func (c *Condition) String() string { return c.text }

// Error says where a text is no condition.
type Error struct {
	Text     string
	At       int // the character, from 1
	Expected string
	Found    string
	Hint     string // may be empty
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%q, character %d: expected %s, found %s", e.Text, e.At, e.Expected, e.Found)
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Violation says that a run fails by a condition.
type Violation struct {
	Condition string
	Text      string // a sentence without its full stop
}

// Check returns a violation for each condition by which a run fails. An error says that a condition names a queue or user that the run does
// not have.
func Check(conditions []*Condition, s *summary.Summary) (found []Violation, err error) {
	for _, c := range conditions {
		v, err := c.check(s)
		if err != nil {
			return found, fmt.Errorf("%q: %w", c.text, err)
		}
		if v != "" {
			found = append(found, Violation{c.text, v})
		}
	}
	return found, nil
}

// Figures lists the names of the figures by scope, as the documents do.
func Figures() (run, queue, priority, user []string) {
	for i := range figures {
		f := &figures[i]
		name := f.name
		if f.typed {
			base, rest, _ := strings.Cut(name, ".")
			name = strings.TrimSuffix(base+"[TYPE]."+rest, ".")
		}
		for scope, list := range map[scope]*[]string{ofRun: &run, ofQueue: &queue, ofPriority: &priority, ofUser: &user} {
			if f.of(scope) {
				*list = append(*list, name)
			}
		}
	}
	return run, queue, priority, user
}
