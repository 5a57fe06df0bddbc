package kubelabels

import (
	"fmt"
	"strings"
	"time"
)

// Metadata is the labels and annotations of an object.
type Metadata struct {
	Labels      map[string]string
	Annotations map[string]string
}

// A Problem is a label or an annotation that cannot be read.
type Problem struct {
	Key      string
	Label    bool   // Key is a label; otherwise an annotation
	Resource string // within the value; empty: the value as a whole
	Expected string
	Found    string
}

// Error returns `annotation KEY: expected …, found …`.
func (p *Problem) Error() string {
	kind, key := "annotation", p.Key
	if p.Label {
		kind = "label"
	}
	if p.Resource != "" {
		key += ": " + p.Resource
	}
	return fmt.Sprintf("%s %s: expected %s, found %s", kind, key, p.Expected, p.Found)
}

// longestQuote is how many bytes of a value a Problem repeats.
const longestQuote = 80

// problem is what is wrong with an annotation.
func problem(key, expected, found string) *Problem {
	switch {
	case found == "":
		found = "nothing"
	case len(found) > longestQuote:
		found = fmt.Sprintf("%q…", strings.ToValidUTF8(found[:longestQuote], ""))
	default:
		found = fmt.Sprintf("%q", found)
	}
	return &Problem{Key: key, Expected: expected, Found: found}
}

// first returns the first text that is not empty.
func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// App returns the ID of a pod's application, from the first of the labels app-id and applicationId, the annotation app-id, and Spark's label
// spark-app-selector. Empty: the pod names none.
func (m Metadata) App() string {
	return first(m.Labels[AppID], m.Labels[AppIDShort], m.Annotations[AppID], m.Labels[SparkAppID])
}

// Queue returns the queue that a pod names: the first of the labels with and without the domain, and the annotation. Empty: it names
// none.
func (m Metadata) Queue() string {
	return first(m.Labels[QueueName], m.Labels[QueueShort], m.Annotations[QueueName])
}

// IgnoresStateAware reports whether a pod says that its application may start beside others in a queue that is stateaware.
func (m Metadata) IgnoresStateAware() bool {
	return strings.EqualFold(m.Labels[DisableStateAware], "true")
}

// TaskGroup returns the task group that a pod belongs to; empty: to none.
func (m Metadata) TaskGroup() string { return m.Annotations[TaskGroupName] }

// Placeholder reports whether a pod holds the room of a task that is to come.
func (m Metadata) Placeholder() bool { return m.Annotations[PlaceholderKey] == "true" }

// Movable reports whether a pod may be moved to another node once it runs.
func (m Metadata) Movable() (may bool, bad *Problem) {
	switch text := m.Annotations[MovableKey]; text {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	default:
		return false, problem(MovableKey, `"true" or "false"`, text)
	}
}

// Preemptable returns what a pod or a priority class says of its preemption; given is false where it says nothing, or nothing
// that can be read.
func (m Metadata) Preemptable() (may, given bool, bad *Problem) {
	switch text, ok := m.Annotations[AllowPreemption]; {
	case !ok:
		return true, false, nil
	case text == "true" || text == "false":
		return text == "true", true, nil
	default:
		return true, false, problem(AllowPreemption, `"true" or "false"`, text)
	}
}

// Walltime returns how long a pod promises to run at most; 0: it says nothing, or nothing that can be read.
func (m Metadata) Walltime() (time.Duration, *Problem) {
	text, ok := m.Annotations[Walltime]
	if !ok {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, problem(Walltime, "a Go duration above zero, such as 1h30m", text)
	}
	return d, nil
}
