package ledger

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core"
)

// Outcome counts the endings or rejections with one reason.
type Outcome struct {
	Type    core.DecisionType // of a rejection; empty for an ending
	Reason  core.Reason
	Count   int
	Example string // ID of the first
}

// Withdrawn is the reason of the end of a pending ask if it or its application is removed.
const Withdrawn core.Reason = "withdrawn"

// outcomes is a short list, so it is searched linearly.
type outcomes []Outcome

// count adds one.
func (list *outcomes) count(t core.DecisionType, reason core.Reason, id string) {
	for i := range *list {
		if o := &(*list)[i]; o.Reason == reason && o.Type == t {
			o.Count++
			return
		}
	}
	*list = append(*list, Outcome{t, reason, 1, id})
}

// refusalTypes are the decisions that reject or ignore an input, in the order of lists.
var refusalTypes = []core.DecisionType{core.NodeRejected, core.AppRejected, core.AskRejected, core.Ignored}

// sorted returns the outcomes by decision type, nodes and applications before asks, and within a type in descending order of count.
func (list outcomes) sorted() []Outcome {
	all := slices.Clone(list)
	slices.SortFunc(all, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(slices.Index(refusalTypes, a.Type), slices.Index(refusalTypes, b.Type)),
			-cmp.Compare(a.Count, b.Count), cmp.Compare(a.Reason, b.Reason))
	})
	return all
}
