package explanation

import (
	"fmt"
	"slices"
	text "strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
)

// limitsObject lists what users and groups use where limits hold for them.
type limitsObject struct {
	At     string        `json:"at"`
	User   *string       `json:"user,omitempty"` // that is asked about
	Groups []string      `json:"groups"`         // likewise
	Usage  []usageObject `json:"usage"`
	Text   string        `json:"text"`
}

// usageObject is what a user or a group uses in a queue that limits it.
type usageObject struct {
	Queue           string        `json:"queue"`
	Kind            string        `json:"kind"`
	Name            string        `json:"name"`
	Used            format.Set    `json:"used"`
	Max             format.Limits `json:"max"`
	Applications    int           `json:"applications"`     // that have a place
	MaxApplications uint64        `json:"max_applications"` // 0: not bounded
	Text            string        `json:"text"`
}

// limits writes the usage of the user and the groups that are asked about or, without any, of all.
func (w writer) limits(q Question, list []core.LimitUsage) Answer {
	o := limitsObject{At: w.time(w.at), User: q.User, Groups: strings(q.Groups), Usage: []usageObject{}}
	var lines []string
	for i := range list {
		u := &list[i]
		if asked := q.User == nil && len(q.Groups) == 0; !asked && !q.isAbout(u) {
			continue
		}
		o.Usage = append(o.Usage, usageObject{
			core.ShownPath(u.Partition, u.Queue), kindOf(u), u.Name, format.Set(u.Used), format.Limits(u.Max), u.Applications, u.MaxApplications, usageText(u),
		})
		lines = append(lines, usageText(u))
	}
	if len(lines) == 0 {
		lines = []string{"No limit applies to a live application" + q.whose() + "."}
	}
	o.Text = text.Join(lines, " ")
	return Answer{lines, o}
}

func (q *Question) isAbout(u *core.LimitUsage) bool {
	if u.Group {
		return slices.Contains(q.Groups, u.Name)
	}
	return q.User != nil && *q.User == u.Name
}

// whose names the user or group of a question about limits, within a sentence; empty: all.
func (q *Question) whose() string {
	var who []string
	if q.User != nil {
		who = append(who, "user "+named(*q.User))
	}
	for _, g := range q.Groups {
		who = append(who, "group "+named(g))
	}
	if len(who) == 0 {
		return ""
	}
	return " of " + text.Join(who, ", ")
}

func kindOf(u *core.LimitUsage) string {
	if u.Group {
		return "group"
	}
	return "user"
}

// usageText says what is used of what is bounded.
func usageText(u *core.LimitUsage) string {
	var parts []string
	for _, m := range u.Max {
		used, _ := u.Used.Value(m.Type)
		parts = append(parts, resource.Readable(m.Type, used)+" of "+m.Readable())
	}
	if u.MaxApplications > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d applications", u.Applications, u.MaxApplications))
	}
	return fmt.Sprintf("In %s, %s %s uses %s.", core.ShownPath(u.Partition, u.Queue), kindOf(u), named(u.Name), text.Join(parts, ", "))
}

func named(name string) string {
	if name == "" {
		return `""`
	}
	return name
}
