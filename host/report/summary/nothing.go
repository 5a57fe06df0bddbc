package summary

import (
	"fmt"
	"strings"

	"github.com/quern-project/quern/host/format"
)

// Nothing says why a run has no figures, in words that follow a colon: the workload is empty, or all of it was rejected. It is empty for
// every other run.
func (s *Summary) Nothing() string {
	switch {
	case s.Inputs == 0:
		return "there are no inputs"
	case s.Asks > 0 && s.Rejected == s.Asks && s.Allocated == 0:
		return s.rejected(s.Asks, "ask")
	case s.Asks == 0 && s.Nodes == 0 && s.Apps == 0 && len(s.Refused) > 0:
		return s.rejected(s.Inputs, "input")
	}
	return ""
}

// rejected is a clause such as "all 7 asks were rejected (1 unknown-queue, such as a; 7 unknown-application, such as a-1)".
func (s *Summary) rejected(n int, noun string) string {
	var reasons []string
	for _, o := range s.Refused {
		reasons = append(reasons, fmt.Sprintf("%s %s, such as %s", format.Grouped(o.Count), o.Reason, format.Within(o.Example, mostName)))
	}
	text := "all " + format.Grouped(n) + " " + noun + "s were rejected"
	if n == 1 {
		text = "the only " + noun + " was rejected"
	}
	text += " (" + strings.Join(reasons, "; ") + ")"
	if len(s.Queues) == 2 && s.Queues[1].Path == "root.default" {
		text += "; the only queue is root.default: is a configuration missing?"
	}
	return text
}
