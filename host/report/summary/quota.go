package summary

import (
	"fmt"
	"io"
	"strings"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
)

// quotaObject is what a queue released because it was over its max, as programs read it.
type quotaObject struct {
	Rounds  int           `json:"rounds"`
	Victims int           `json:"victims"`
	Taken   amountsObject `json:"taken"`
}

func quotaObjects(list []ledger.QuotaSummary) map[string]quotaObject {
	if len(list) == 0 {
		return nil
	}
	all := map[string]quotaObject{}
	for _, q := range list {
		all[q.Path] = quotaObject{q.Rounds, q.Victims, amountsObject(q.Taken)}
	}
	return all
}

// quotas lists the queues that released what they had over their max, where there were any.
func (s *Summary) quotas(w io.Writer, style Style) {
	if len(s.Quotas) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := table(style)
	t.Add("over its max", "rounds", "victims", "released")
	shown := s.Quotas[:min(len(s.Quotas), mostRows)]
	for _, q := range shown {
		t.Add(q.Path, format.Grouped(q.Rounds), format.Grouped(q.Victims), amounts(q.Taken))
	}
	t.Write(w, func(column int) bool { return column == 1 || column == 2 })
	if left := len(s.Quotas) - len(shown); left > 0 {
		fmt.Fprintf(w, "\n  %s\n", style.dim(format.Grouped(left)+" more queues released resources; --json and --report list them."))
	}
}

// amounts writes a set in one line.
func amounts(s resource.Set) string {
	var parts []string
	for _, q := range s {
		parts = append(parts, q.Type+" "+resource.Rounded(q.Type, q.Value))
	}
	return strings.Join(parts, ", ")
}
