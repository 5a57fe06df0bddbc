package explanation

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
)

// placementObject is where placement rules have put an application.
type placementObject struct {
	Queue    string        `json:"queue"`
	Recovery bool          `json:"recovery"`
	Rule     int           `json:"rule"` // 0: none of them
	Tried    []trialObject `json:"tried"`
	Text     string        `json:"text"`
}

// trialObject is what came of a placement rule, or of root.default after them.
type trialObject struct {
	Rule   int    `json:"rule"` // 0: root.default
	Kind   string `json:"kind,omitempty"`
	Value  string `json:"value,omitempty"`
	Yield  string `json:"yield,omitempty"`
	Fault  string `json:"fault,omitempty"`
	At     string `json:"at,omitempty"`
	Parent bool   `json:"parent"`
}

func placement(e *explain.PlacementExplanation) *placementObject {
	if e == nil {
		return nil
	}
	return &placementObject{Queue: shownPath(e.Partition, e.Queue), Recovery: e.Recovery, Rule: e.Rule, Tried: trials(e.Partition, e.Tried), Text: e.Text}
}

func trials(partition string, list []explain.PlacementTrial) []trialObject {
	all := []trialObject{}
	for _, t := range list {
		all = append(all, trialObject{t.Rule, string(t.Kind), t.Value, shownPath(partition, t.Yield), string(t.Fault), shownPath(partition, t.At), t.Parent})
	}
	return all
}

// shownPath is the path of a queue as texts have it; empty: none.
func shownPath(partition, path string) string {
	if path == "" {
		return ""
	}
	return core.ShownPath(partition, path)
}

// Application is what an application to be placed says of itself, beside its user and groups.
type Application struct {
	Queue     string // that it names; may be empty
	Partition string // empty: the first
	Tags      map[string]string
}

// submission is the app.add that would bring the application.
func (q *Question) submission() *core.AddApp {
	in := &core.AddApp{Partition: q.App.Partition, Queue: q.App.Queue, Groups: q.Groups, Tags: q.App.Tags}
	if q.User != nil {
		in.User = *q.User
	}
	return in
}

// placeObject is where an application would go.
type placeObject struct {
	At       string            `json:"at"`
	User     string            `json:"user"`
	Groups   []string          `json:"groups"`
	To       string            `json:"to,omitempty"` // the queue that it names
	Tags     map[string]string `json:"tags"`
	Queue    string            `json:"queue,omitempty"` // absent: it is refused
	Recovery bool              `json:"recovery"`
	Rule     int               `json:"rule"`
	Tried    []trialObject     `json:"tried"`
	Creates  []string          `json:"creates"`
	Reason   string            `json:"reason,omitempty"` // of a refusal
	Text     string            `json:"text"`
}

func (w writer) place(in *core.AddApp, e explain.PlacementExplanation) placeObject {
	o := placeObject{
		At: w.time(w.at), User: in.User, Groups: strings(in.Groups), To: in.Queue, Tags: in.Tags,
		Queue: shownPath(e.Partition, e.Queue), Recovery: e.Recovery, Rule: e.Rule, Tried: trials(e.Partition, e.Tried), Creates: []string{},
		Reason: string(e.Reason), Text: e.Text,
	}
	for _, path := range e.Creates {
		o.Creates = append(o.Creates, shownPath(e.Partition, path))
	}
	if o.Tags == nil {
		o.Tags = map[string]string{}
	}
	return o
}
