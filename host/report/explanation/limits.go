package explanation

import (
	"encoding/json"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/host/format"
)

// limitObject is a limit that bars an ask or, without a type, an application.
type limitObject struct {
	Reason  string `json:"reason"`
	Queue   string `json:"queue"`
	Name    string `json:"name"`
	Type    string `json:"type,omitempty"`
	Limit   amount `json:"limit"`
	Used    amount `json:"used"`
	Missing amount `json:"missing"`
}

// amount is of a resource type or, without one, a number of applications.
type amount format.Quantity

// MarshalJSON writes the amount.
func (a amount) MarshalJSON() ([]byte, error) {
	if a.Type == "" {
		return json.Marshal(a.Value)
	}
	return json.Marshal(format.Quantity(a))
}

func limitLacks(list []explain.LimitShortfall) []limitObject {
	all := []limitObject{}
	for _, l := range list {
		all = append(all, limitObject{
			string(l.Reason), l.Queue, l.Name, l.Type, amount{Type: l.Type, Value: l.Limit, Milli: l.Milli}, amount{Type: l.Type, Value: l.Used, Milli: l.Milli}, amount{Type: l.Type, Value: l.Missing, Milli: l.Milli},
		})
	}
	return all
}
