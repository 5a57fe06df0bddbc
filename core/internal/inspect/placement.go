package inspect

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/access"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// ExplainPlacement explains in which queue an application would be placed, and the result of each placement rule.
func (s *View) ExplainPlacement(in *core.AddApp) explain.PlacementExplanation {
	a := s.Admit(in)
	e := explain.PlacementExplanation{Partition: s.Shown(), Queue: a.Queue}
	if o := a.Outcome; o != nil {
		e = *explain.PlacementOf(o, s.Shown())
	}
	if e.Reason = a.Reason; e.Reason != "" {
		e.Queue, e.Text = "", "Refused: "+a.Message+"."
		return e
	}
	var shown []string
	for path := e.Queue; s.Queues().Find(path) == queues.None; path = path[:strings.LastIndexByte(path, '.')] {
		e.Creates, shown = append(e.Creates, path), append(shown, core.ShownPath(s.Shown(), path))
	}
	slices.Reverse(e.Creates)
	slices.Reverse(shown)
	if e.Text == "" {
		e.Text = "It goes to " + core.ShownPath(s.Shown(), e.Queue) + ", which it names: there are no placement rules."
	}
	if len(e.Creates) > 0 {
		e.Text += " Queues that would be made: " + strings.Join(shown, ", ") + "."
	}
	return e
}

// ExplainAccess explains what a user may do in a queue, and which access list permits it. ok is false if no queue has the path.
func (s *View) ExplainAccess(path, user string, groups []string) (e explain.AccessExplanation, ok bool) {
	tree := s.Queues()
	q := tree.Find(strings.ToLower(path))
	if q == queues.None {
		return e, false
	}
	e = explain.AccessExplanation{Queue: tree.Shown(q), Open: !s.Conf().AccessControl}
	e.Submit, e.Admin = e.Open, e.Open
	for ; q != queues.None && !e.Open && !(e.Submit && e.Admin); q = tree.Parent(q) {
		lists := []struct {
			name string
			list *access.List
		}{{"submitacl", tree.Conf(q).SubmitACL}, {"adminacl", tree.Conf(q).AdminACL}}
		for i, l := range lists {
			name, isGroup, listed := l.list.Entry(user, groups)
			if !listed {
				continue
			}
			entry := explain.AccessEntry{Queue: tree.Shown(q), List: l.name, Name: name, Group: isGroup}
			if !e.Submit {
				e.Submit, e.SubmitBy = true, entry
			}
			if i == 1 && !e.Admin {
				e.Admin, e.AdminBy = true, entry
			}
		}
	}
	e.Text = e.Sentences(user)
	return e, true
}
