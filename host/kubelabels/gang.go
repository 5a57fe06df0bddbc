package kubelabels

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core/resource"
)

// MostMembers bounds the members of a task group.
const MostMembers = 1_000_000

// TaskGroup is tasks that are alike. P is what the annotation says of the nodes that they need.
type TaskGroup[P any] struct {
	Name      string
	MinMember int          // 0 to MostMembers; 0: its members wait for nothing
	Each      resource.Set // of one member, without the pod itself
	Placement P
}

// TaskGroups reads the task groups that a pod declares. P names what is read of each besides, with JSON tags such as nodeSelector. If
// a group cannot be read, there are none: a gang without one of its groups is another gang.
func TaskGroups[P any](m Metadata) ([]TaskGroup[P], []*Problem) {
	text := m.Annotations[TaskGroupsKey]
	if text == "" {
		return nil, nil
	}
	var groups []struct {
		Name        string              `json:"name"`
		MinMember   *int                `json:"minMember"`
		MinResource map[string]Quantity `json:"minResource"`
	}
	var placements []P
	if decode(text, &groups) != nil || decode(text, &placements) != nil {
		return nil, []*Problem{problem(TaskGroupsKey, "a list of task groups with name, minMember and minResource", text)}
	}
	var bad []*Problem
	list := make([]TaskGroup[P], 0, len(groups))
	seen := map[string]bool{}
	for n, g := range groups {
		each, wrong := amounts(TaskGroupsKey, g.MinResource)
		switch {
		case g.Name == "" || g.MinMember == nil || *g.MinMember < 0 || *g.MinMember > MostMembers:
			wrong = problem(TaskGroupsKey, fmt.Sprintf("a name and a minMember from 0 to %d in task group %d", MostMembers, n+1), nameAndCount(g.Name, g.MinMember))
		case seen[g.Name]:
			wrong = problem(TaskGroupsKey, "each task group once", g.Name)
		}
		if wrong != nil {
			bad = append(bad, wrong)
			continue
		}
		seen[g.Name] = true
		list = append(list, TaskGroup[P]{g.Name, *g.MinMember, each, placements[n]})
	}
	if bad != nil {
		return nil, bad
	}
	return list, nil
}

// nameAndCount shows the name and the minMember of a task group, as far as they are given.
func nameAndCount(name string, count *int) string {
	if count == nil {
		return name + ", none"
	}
	return fmt.Sprintf("%s, %d", name, *count)
}

// GangPolicy says how long the tasks of a gang wait for one another, and what happens then; and what becomes of a gang that runs.
type GangPolicy struct {
	Hard       bool          // the application fails; otherwise its tasks go on without a gang
	Timeout    time.Duration // 0: not set
	Disruption string        // what preemption may take of it: unit, whole or member; empty: not set
	Repair     time.Duration // how long it may be broken, if HasRepair
	HasRepair  bool
	Max        int // the most members at a time; 0: not set
}

// GangPolicy reads the parameters of a gang: pairs such as placeholderTimeoutInSeconds=60, with spaces between them. Others than
// those of GangPolicy have no effect. One that cannot be read counts as not set.
func (m Metadata) GangPolicy() (p GangPolicy, bad []*Problem) {
	for _, parameter := range strings.Fields(m.Annotations[SchedulingParameters]) {
		if expected, found := p.set(parameter); expected != "" {
			bad = append(bad, problem(SchedulingParameters, expected, found))
		}
	}
	return p, bad
}

// set sets a parameter. If its value cannot be read, it returns what was expected and found.
func (p *GangPolicy) set(parameter string) (expected, found string) {
	name, value, _ := strings.Cut(parameter, "=")
	switch name {
	case "gangSchedulingStyle":
		if p.Hard = strings.EqualFold(value, "Hard"); !p.Hard && !strings.EqualFold(value, "Soft") {
			return "Soft or Hard in gangSchedulingStyle", value
		}
	case "placeholderTimeoutInSeconds":
		timeout, ok := seconds(value)
		if !ok {
			return "a number of seconds in placeholderTimeoutInSeconds", value
		}
		p.Timeout = timeout
	case "gangDisruption":
		of := strings.ToLower(value)
		if of != "unit" && of != "whole" && of != "member" {
			return "unit, whole or member in gangDisruption", value
		}
		p.Disruption = of
	case "gangRepairInSeconds":
		repair, ok := seconds(value)
		if !ok {
			return "a number of seconds in gangRepairInSeconds", value
		}
		p.Repair, p.HasRepair = repair, true
	case "gangMaxMembers":
		most, err := strconv.Atoi(value)
		if err != nil || most < 1 || most > MostMembers {
			return fmt.Sprintf("a number from 1 to %d in gangMaxMembers", MostMembers), value
		}
		p.Max = most
	}
	return "", ""
}

func seconds(value string) (d time.Duration, ok bool) {
	n, err := strconv.ParseUint(value, 10, 31)
	return time.Duration(n) * time.Second, err == nil
}
