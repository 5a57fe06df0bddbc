package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/placement"
)

const (
	recoveryPath = placement.Root + "." + placement.Recovery
	fallbackPath = placement.Root + ".default"
	tagForce     = "application.create.force" // "true": the application already runs and must not be rejected
)

// chooseQueue returns the full name of the queue for a new application, whether or not the queue exists, or the reason for refusing it.
func (p *partition) chooseQueue(in *core.AddApp) (path string, why core.Reason, message string) {
	if len(p.settings.Rules) == 0 {
		path, why = strings.ToLower(in.Queue), p.wrongLeaf(in)
	} else {
		path, why, message = p.placedByRules(in)
	}
	if why != "" && tagValue(in.Tags, tagForce) == "true" {
		return recoveryPath, "", ""
	}
	if len(p.settings.Rules) > 0 && why != "" {
		return p.fallback(in, why, message)
	}
	return path, why, message
}

// wrongLeaf returns the reason why the application cannot be placed in the queue that it names, or "".
func (p *partition) wrongLeaf(in *core.AddApp) core.Reason {
	path := strings.ToLower(in.Queue)
	q := p.findQueue(path)
	switch {
	case path == "":
		return core.ReasonNoQueue
	case q == nil || isRecovery(path):
		return core.ReasonUnknownQueue
	case !q.isLeaf():
		return core.ReasonNotALeaf
	case q.draining:
		return core.ReasonQueueDraining
	case !p.maySubmit(q, in.User, in.Groups):
		return core.ReasonAccessDenied
	}
	return ""
}

// placedByRules returns the queue of the first rule that yields a usable one.
func (p *partition) placedByRules(in *core.AddApp) (path string, why core.Reason, message string) {
	var told []string
	why = core.ReasonNotPlaced
	for i, r := range p.settings.Rules {
		path, fault := p.yield(r, in)
		if fault == "" {
			fault = p.unusable(path, r.Create, in)
		}
		switch fault {
		case "":
			return path, "", ""
		case faultAccess:
			why = core.ReasonAccessDenied
		}
		told = append(told, strings.TrimSpace(fmt.Sprintf("rule %d (%s): %s", i+1, r.Kind, strings.TrimPrefix(path+": "+fault, ": "))))
	}
	return "", why, strings.Join(told, "; ")
}

// fallback places an application that no rule has placed in root.default, if that is usable.
func (p *partition) fallback(in *core.AddApp, why core.Reason, message string) (string, core.Reason, string) {
	fault := p.unusable(fallbackPath, false, in)
	switch fault {
	case "":
		return fallbackPath, "", ""
	case faultAccess:
		why = core.ReasonAccessDenied
	}
	return "", why, message + "; " + fallbackPath + ": " + fault
}

// Reasons why a rule does not place an application.
const (
	faultFilter   = "the filter does not let the user pass"
	faultNoName   = "no name"
	faultLabel    = "not the name of a queue"
	faultDepth    = "too many levels"
	faultRecovery = "kept for recovery"
	faultParent   = "a parent"
	faultLeaf     = "a leaf"
	faultDraining = "draining"
	faultAbsent   = "does not exist"
	faultAccess   = "access denied"
)

// yield returns the full name that a rule makes for an application, whether or not the queue exists.
func (p *partition) yield(r *placement.Rule, in *core.AddApp) (path, fault string) {
	if !filterPasses(r.Filter, in) {
		return "", faultFilter
	}
	name := strings.ToLower(nameBy(r, in))
	if name == "" || name == placement.Root {
		return "", faultNoName
	}
	if r.Kind != placement.User && strings.HasPrefix(name, placement.Root+".") {
		return name, pathFault(name)
	}
	above := placement.Root
	if r.Parent != nil {
		if above, fault = p.yieldParent(r.Parent, in); fault != "" {
			return above, "as the parent: " + fault
		}
	}
	if r.Kind != placement.Fixed {
		name = strings.ReplaceAll(name, ".", "_dot_")
	}
	path = above + "." + name
	return path, pathFault(path)
}

// yieldParent is yield for a rule that must yield a parent.
func (p *partition) yieldParent(r *placement.Rule, in *core.AddApp) (path, fault string) {
	path, fault = p.yield(r, in)
	if fault != "" {
		return path, fault
	}
	switch q := p.findQueue(path); {
	case q == nil && !r.Create:
		return path, faultAbsent
	case q != nil && q.isLeaf():
		return path, faultLeaf
	}
	return path, ""
}

// filterPasses reports whether the filter of a rule passes the user.
func filterPasses(f *placement.Filter, in *core.AddApp) bool {
	if f == nil {
		return true
	}
	if f.Users.Empty() && f.Groups.Empty() {
		return !f.Deny
	}
	hit := f.Users.Match(in.User)
	for _, group := range in.Groups {
		hit = hit || f.Groups.Match(group)
	}
	return hit != f.Deny
}

func nameBy(r *placement.Rule, in *core.AddApp) string {
	switch r.Kind {
	case placement.Provided:
		return in.Queue
	case placement.User:
		return in.User
	case placement.Tag:
		return tagValue(in.Tags, r.Value)
	}
	return r.Value
}

// tagValue returns the value of a tag, whose name is not case-sensitive. If there are several, it is that of the bytewise first name.
func tagValue(tags map[string]string, name string) string {
	var names []string
	for tag := range tags {
		if strings.ToLower(tag) == name {
			names = append(names, tag)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return tags[slices.Min(names)]
}

// pathFault returns the reason why a full name cannot be that of a queue, or "".
func pathFault(path string) string {
	labels := strings.Split(path, ".")
	switch {
	case slices.ContainsFunc(labels, func(label string) bool { return !isLabel(label) }):
		return faultLabel
	case len(labels) > placement.MostLabels:
		return faultDepth
	case isRecovery(path):
		return faultRecovery
	}
	return ""
}

func isLabel(label string) bool {
	const characters = "abcdefghijklmnopqrstuvwxyz0123456789_:#/@-"
	return len(label) >= 1 && len(label) <= 64 && strings.Trim(label, characters) == ""
}

// isRecovery reports whether the full name is that of the recovery queue, or below it.
func isRecovery(path string) bool {
	return path == recoveryPath || strings.HasPrefix(path, recoveryPath+".")
}

// unusable returns the reason why the application cannot be placed in a queue, or "".
func (p *partition) unusable(path string, create bool, in *core.AddApp) string {
	q := p.findQueue(path)
	exists := q != nil
	if !exists {
		q = p.nearestAbove(path)
	}
	switch {
	case !exists && !create:
		return faultAbsent
	case exists && !q.isLeaf():
		return faultParent
	case !exists && q.isLeaf():
		return q.path() + " is " + faultLeaf
	case q.draining:
		return faultDraining
	case !p.maySubmit(q, in.User, in.Groups):
		return faultAccess
	}
	return ""
}

// nearestAbove returns the lowest existing queue on the path of a full name.
func (p *partition) nearestAbove(path string) *queue {
	for {
		path = path[:strings.LastIndex(path, ".")]
		if q := p.findQueue(path); q != nil {
			return q
		}
	}
}
