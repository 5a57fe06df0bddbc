package format

import (
	"encoding/json"
	"strconv"

	"github.com/quern-project/quern/core/resource"
)

// Quantity is an amount of a type, written as decisions write it: vcore and devices as text, whatever else as an integer.
type Quantity resource.Quantity

// MarshalJSON writes the amount.
func (q Quantity) MarshalJSON() ([]byte, error) {
	text := resource.Quantity(q).Format()
	if resource.Quantity(q).InThousandths() {
		return strconv.AppendQuote(nil, text), nil
	}
	return []byte(text), nil
}

// Set is a resource set without its zeros.
type Set resource.Set

// MarshalJSON writes an object by type, bytewise.
func (a Set) MarshalJSON() ([]byte, error) {
	m := map[string]Quantity{}
	for _, q := range a {
		if q.Value != 0 {
			m[q.Type] = Quantity(q)
		}
	}
	return json.Marshal(m)
}

// Limits is a resource set with its zeros, which in a limit say: none of it.
type Limits resource.Set

// MarshalJSON writes an object by type, bytewise.
func (l Limits) MarshalJSON() ([]byte, error) {
	m := map[string]Quantity{}
	for _, q := range l {
		m[q.Type] = Quantity(q)
	}
	return json.Marshal(m)
}
