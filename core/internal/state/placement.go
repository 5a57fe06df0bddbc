package state

import (
	"fmt"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// Admission is the queue of a new application, or the reason why it is refused. Finding it changes nothing.
type Admission struct {
	Queue   string             // full name of the leaf, which may not exist yet
	Outcome *placement.Outcome // of the placement rules; nil if there are none, or they were not applied
	Reason  core.Reason        // why the application is refused; empty if it is accepted
	Message string

	queue queues.ID       // the leaf; queues.None if it does not exist yet
	quota placement.Quota // set by its tags
}

// refuse returns the admission as a refusal.
func (a Admission) refuse(reason core.Reason, message string) Admission {
	a.Reason, a.Message = reason, message
	return a
}

// Admit finds the queue of a new application, or the reason to refuse it.
func (s *State) Admit(in *core.AddApp) Admission {
	if message := core.TextTooLong(in); message != "" {
		return Admission{}.refuse(core.ReasonNameTooLong, message)
	}
	return s.admission(in)
}

// admission is Admit for an application whose texts are not too long.
func (s *State) admission(in *core.AddApp) Admission {
	var a Admission
	if s.PartitionOfApp(in.ID) != nil {
		return a.refuse(core.ReasonDuplicate, fmt.Sprintf("application %q already exists", in.ID))
	}
	if a = s.choose(in); a.Reason != "" {
		return a
	}
	if a.queue == queues.None {
		a.queue = s.Queues().Find(a.Queue)
	}
	if a.Queue != placement.RecoveryPath && (a.queue == queues.None || s.Queues().IsDynamic(a.queue)) {
		quota, wrong := placement.ReadQuota(in.Tags)
		if wrong != "" {
			return a.refuse(core.ReasonBadTag, fmt.Sprintf("the tag %s cannot be read, which sets a quota of the queue %s", wrong, core.ShownPath(s.shown, a.Queue)))
		}
		a.quota = quota
	}
	if p := in.Placeholders; p != nil && !p.Ask.IsZero() {
		leaf, above := s.settingsIn(&a)
		a.Reason, a.Message = s.gangRefusal(in, leaf, above)
	}
	return a
}

// settingsIn returns the settings of an application's leaf with the application in it, and the nearest existing queue above.
func (s *State) settingsIn(a *Admission) (*config.Queue, queues.ID) {
	q, tree := s.nearest(a.Queue), s.Queues()
	if tree.Path(q) != a.Queue { // missing queues between the two have no settings of their own
		name := a.Queue[strings.LastIndexByte(a.Queue, '.')+1:]
		conf := s.settingsOf(name, q, &dynamicLeaf{quota: a.quota})
		conf.Path = a.Queue
		return conf, q
	}
	above, d := tree.Parent(q), s.leaves[q].dynamic
	if d == nil || a.quota.IsEmpty() {
		return tree.Conf(q), above
	}
	return s.settingsOf(tree.Conf(q).Name, above, &dynamicLeaf{quota: a.quota.Or(d.quota)}), above
}

// choose finds the queue of an application by the placement rules or, if there are none, by the name that it gives.
func (s *State) choose(in *core.AddApp) Admission {
	if len(s.conf.Rules) > 0 {
		return s.chooseByRules(in)
	}
	a := s.chooseNamed(in)
	if a.Reason != "" && placement.Forced(in.Tags) {
		return Admission{Queue: placement.RecoveryPath, Outcome: &placement.Outcome{Queue: placement.RecoveryPath, Recovery: true}}
	}
	return a
}

// chooseNamed returns the admission to the queue that an application names, or a refusal.
func (s *State) chooseNamed(in *core.AddApp) Admission {
	tree, path := s.Queues(), in.Queue
	q := tree.Find(path)
	if q == queues.None { // paths are in lower case
		path = strings.ToLower(path)
		q = tree.Find(path)
	}
	a := Admission{Queue: path, queue: q}
	switch {
	case path == "":
		return a.refuse(core.ReasonNoQueue, "the application names no queue, and no placement rule chooses one")
	case q == queues.None || placement.IsRecovery(path):
		return a.refuse(core.ReasonUnknownQueue, fmt.Sprintf("there is no queue %.200q", core.ShownPath(s.shown, in.Queue)))
	case !tree.IsLeaf(q):
		return a.refuse(core.ReasonNotALeaf, fmt.Sprintf("queue %q is a parent: applications run in leaf queues", tree.Shown(q)))
	case tree.IsDraining(q):
		return a.refuse(core.ReasonQueueDraining, fmt.Sprintf("queue %q is draining: it takes no new applications", tree.Shown(q)))
	case !s.MaySubmit(q, in.User, in.Groups):
		return a.refuse(core.ReasonAccessDenied, fmt.Sprintf("no access list of queue %q, or of one above it, has the user %q or a group of the user", tree.Shown(q), in.User))
	}
	return a
}

// chooseByRules applies the placement rules.
func (s *State) chooseByRules(in *core.AddApp) Admission {
	request := placement.Request{Queue: in.Queue, User: in.User, Groups: in.Groups, Tags: in.Tags}
	outcome := placement.Place(s.conf.Rules, &request, func(path string) placement.Target {
		q, tree := s.nearest(path), s.Queues()
		return placement.Target{Path: tree.Path(q), Leaf: tree.IsLeaf(q), Draining: tree.IsDraining(q), Open: s.MaySubmit(q, in.User, in.Groups)}
	})
	a := Admission{Queue: outcome.Queue, Outcome: outcome}
	switch {
	case outcome.Queue != "":
		return a
	case outcome.Denied():
		a.Reason = core.ReasonAccessDenied
	default:
		a.Reason = core.ReasonNotPlaced
	}
	a.Message = explain.PlacementFailures(outcome, s.shown)
	return a
}

// MaySubmit reports whether a user may submit to a queue: the user, or one of the groups, must be on a list of the queue or of one above.
// If no queue of the partition has a list, all users may.
func (s *State) MaySubmit(q queues.ID, user string, groups []string) bool {
	if !s.conf.AccessControl {
		return true
	}
	for tree := s.Queues(); q != queues.None; q = tree.Parent(q) {
		if conf := tree.Conf(q); conf.SubmitACL.Allows(user, groups) || conf.AdminACL.Allows(user, groups) {
			return true
		}
	}
	return false
}
