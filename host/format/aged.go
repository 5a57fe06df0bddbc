package format

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Aged is the usage by which an order with a half-life compares a queue or a user, with amounts rounded down.
type Aged struct {
	HalfLife        string `json:"half_life,omitempty"`  // none: only current usage counts
	LookAhead       string `json:"look_ahead,omitempty"` // with a half-life
	Aged            Set    `json:"aged"`                 // now
	Compared        Set    `json:"compared"`             // of aged usage at the last multiple of the period, and of current usage
	Share           int64  `json:"share_billionths"`     // the largest of the compared usage
	BelowGuaranteed bool   `json:"below_guaranteed"`     // it comes before siblings that are not
}

// AgedUser is a user in a leaf that sorts by users.
type AgedUser struct {
	User string `json:"user"`
	Aged
}

// AgedOf returns the aged usage of a queue, or nil for nil.
func AgedOf(a *core.Aged) *Aged {
	if a == nil {
		return nil
	}
	out := aged(a)
	return &out
}

// AgedUsers returns the aged usage of users.
func AgedUsers(list []core.AgedUser) (out []AgedUser) {
	for i := range list {
		out = append(out, AgedUser{list[i].User, aged(&list[i].Aged)})
	}
	return out
}

func aged(a *core.Aged) Aged {
	out := Aged{Share: a.Share, BelowGuaranteed: a.BelowGuaranteed}
	if a.HalfLife > 0 {
		out.HalfLife, out.LookAhead = Duration(a.HalfLife), Duration(a.LookAhead)
	}
	var now, compared resource.Set
	for _, t := range a.Types {
		now = append(now, resource.Quantity{Type: t.Type, Value: t.Aged.Units})
		compared = append(compared, resource.Quantity{Type: t.Type, Value: t.Compared.Units})
	}
	out.Aged, out.Compared = Set(now), Set(compared)
	return out
}
