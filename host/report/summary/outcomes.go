package summary

import (
	"fmt"
	"io"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/format"
)

// outcomeObject counts what was refused, or ended, for one reason.
type outcomeObject struct {
	Decision string `json:"decision,omitempty"` // of a refusal
	Reason   string `json:"reason"`
	Count    int    `json:"count"`
	Example  string `json:"example"`
}

func outcomeObjects(list []ledger.Outcome) (all []outcomeObject) {
	for _, o := range list {
		all = append(all, outcomeObject{string(o.Type), string(o.Reason), o.Count, o.Example})
	}
	return all
}

// outcomeNames are the subjects of the lines about refusals.
var outcomeNames = map[core.DecisionType]string{
	core.NodeRejected: "nodes rejected", core.AppRejected: "applications rejected", core.AskRejected: "asks rejected", core.Ignored: "inputs ignored",
}

// mostName bounds an example in characters: an ID may be of any length.
const mostName = 60

// outcomes lists what was refused: a line for each decision, with the reasons and an example of each.
func (s *Summary) outcomes(w io.Writer) {
	for i, o := range s.Refused {
		if i == 0 || s.Refused[i-1].Type != o.Type {
			fmt.Fprintf(w, "  %s:\n", outcomeNames[o.Type])
		}
		fmt.Fprintf(w, "    %s %s, for example %s\n", format.Grouped(o.Count), o.Reason, format.Within(o.Example, mostName))
	}
}
