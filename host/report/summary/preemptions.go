package summary

import (
	"fmt"
	"io"
	"strings"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/host/format"
)

// kinds are those that there are, with how they are called beside a number.
var kinds = []struct {
	kind explain.PreemptionKind
	text string
}{
	{explain.ByGuarantee, "by guarantee"},
	{explain.ByIntraQueue, "within a queue"},
	{explain.ByNode, "for a required node"},
	{explain.ByQuota, "by quota"},
	{explain.BySurplus, "of the surplus of gangs"},
}

// preemptions says in a line how many were preempted by which right, where there were any.
func (s *Summary) preemptions(w io.Writer) {
	var parts []string
	for _, k := range kinds {
		if n := s.Kinds[k.kind]; n > 0 {
			parts = append(parts, format.Grouped(n)+" "+k.text)
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(w, "  preempted: %s\n", strings.Join(parts, ", "))
	}
	if s.Observed > 0 {
		fmt.Fprintf(w, "  %s would have been preempted: the partition only observes\n", format.Grouped(s.Observed))
	}
}

// byKind is the counts as programs read them: every kind, whether there were any or not.
func (s *Summary) byKind() map[string]int {
	counts := map[string]int{}
	for _, k := range kinds {
		counts[string(k.kind)] = s.Kinds[k.kind]
	}
	return counts
}
