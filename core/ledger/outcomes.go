package ledger

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core"
)

// Outcome counts what ended or was refused for the same reason.
type Outcome struct {
	Type    core.DecisionType // of a refusal; an end has none
	Reason  core.Reason
	Count   int
	Example string // the ID of the first
}

// Withdrawn is the reason for which a pending ask ends when it is removed, or when its application ends.
const Withdrawn core.Reason = "withdrawn"

// outcomes are few, so that they are found by looking at all of them.
type outcomes []Outcome

// count counts one more.
func (list *outcomes) count(t core.DecisionType, reason core.Reason, id string) {
	for i := range *list {
		if o := &(*list)[i]; o.Reason == reason && o.Type == t {
			o.Count++
			return
		}
	}
	*list = append(*list, Outcome{t, reason, 1, id})
}

// refusalTypes are the decisions that refuse or ignore an input, in the order in which they are listed.
var refusalTypes = []core.DecisionType{core.NodeRejected, core.AppRejected, core.AskRejected, core.Ignored}

// sorted lists asks after nodes and applications, and the most frequent reasons first.
func (list outcomes) sorted() []Outcome {
	all := slices.Clone(list)
	slices.SortFunc(all, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(slices.Index(refusalTypes, a.Type), slices.Index(refusalTypes, b.Type)),
			-cmp.Compare(a.Count, b.Count), cmp.Compare(a.Reason, b.Reason))
	})
	return all
}
