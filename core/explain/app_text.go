package explain

import (
	"fmt"
	"strings"
	"time"
)

// Sentences returns the explanation in sentences. first is the text of the application's first pending ask.
func (e *AppExplanation) Sentences(first string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Application %s in %s is %s", e.ID, e.Queue, e.State)
	if e.HasPriority {
		fmt.Fprintf(&b, " with %s pending, %d allocated; it is number %d in the order of its queue.", Count(e.Pending, "ask"), e.Allocations, e.Place)
	} else {
		b.WriteString(" and has nothing pending.")
	}
	if e.Preempted > 0 {
		fmt.Fprintf(&b, " %s of it %s preempted so far.", Count(int(e.Preempted), "allocation"), wereOrWas(e.Preempted))
	}
	if e.Group != "" {
		fmt.Fprintf(&b, " It counts for the limits of group %s.", e.Group)
	}
	if e.HasPriority {
		b.WriteString(" First of its asks: " + first)
	} else if e.Gang != nil {
		b.WriteString(" " + e.Gang.Sentence())
	}
	if e.Placement != nil {
		b.WriteString(" " + e.Placement.Text)
	}
	return b.String()
}

// Sentences returns the explanation in sentences. first is the text of the queue's first pending ask, or "".
func (e *QueueExplanation) Sentences(shown string, now time.Duration, first string) string {
	var b strings.Builder
	q := &e.QueueState
	fmt.Fprintf(&b, "Queue %s has", shown)
	if first == "" {
		b.WriteString(" nothing pending.")
	} else {
		fmt.Fprintf(&b, " %s pending and %d allocated.", Count(q.PendingAsks, "ask"), q.Allocations)
	}
	if q.Dynamic {
		b.WriteString(" It is dynamic")
		if e.Template != "" {
			b.WriteString(", with the child template of " + e.Template)
		}
		b.WriteString(".")
	}
	b.WriteString(e.settings(shown))
	b.WriteString(agingText(q))
	if e.Quota != nil {
		b.WriteString(" " + e.Quota.Sentence(shown, now))
	}
	if first != "" {
		b.WriteString(" First in order: " + first)
	}
	return b.String()
}

// settings lists the settings that differ from the defaults.
func (e *QueueExplanation) settings(shown string) string {
	var parts []string
	for _, s := range e.Settings {
		switch {
		case s.From == "":
		case s.Template:
			parts = append(parts, fmt.Sprintf("%s %s (child template of %s)", s.Name, s.Value, s.From))
		case s.From == shown:
			parts = append(parts, s.Name+" "+s.Value)
		default:
			parts = append(parts, fmt.Sprintf("%s %s (from %s)", s.Name, s.Value, s.From))
		}
	}
	text := ""
	if len(parts) > 0 {
		text = " In force: " + strings.Join(parts, ", ") + "."
	}
	if e.Fence != "" {
		text += fmt.Sprintf(" Its asks preempt only inside %s.", e.Fence)
	}
	return text
}

func wereOrWas(n int64) string {
	if n == 1 {
		return "was"
	}
	return "were"
}
