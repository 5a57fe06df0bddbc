package html

import "github.com/quern-project/quern/core/ledger"

// refusal counts inputs that were refused or ignored for one reason.
type refusal struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Count    int    `json:"count"`
	Example  string `json:"example"` // the ID of the first
}

func refusalsOf(list []ledger.Outcome) []refusal {
	all := []refusal{}
	for _, o := range list {
		all = append(all, refusal{string(o.Type), string(o.Reason), o.Count, o.Example})
	}
	return all
}
