package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
)

// parametersConfigure gives each parameter each of its bounds, the others their defaults, and asks once.
func parametersConfigure(s *suite) verdict {
	declared := s.Declared.Parameters
	values := map[string]any{}
	for name, p := range declared {
		values[name] = p.Default
	}
	tried := 0
	if v := s.configured(values, "the defaults"); v.found != "" {
		return v
	}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		for _, bound := range bounds(declared[name]) {
			other := maps.Clone(values)
			other[name] = bound
			if v := s.configured(other, fmt.Sprintf("%s = %v", name, bound)); v.found != "" {
				return v
			}
			tried++
		}
	}
	return verdict{note: fmt.Sprintf("the defaults, and %d other values", tried)}
}

// configured makes a copy with these values and asks it about an item.
func (s *suite) configured(values map[string]any, what string) verdict {
	config, err := json.Marshal(values)
	if err != nil {
		return differs("values", "%v", err)
	}
	in, err := s.open(config, words)
	if err != nil {
		return differs("it to be configured with "+what, "%v", err)
	}
	defer in.end()
	return s.each(func(p policy.Point) verdict {
		if _, err := in.numbers(p, ids(0, 3), plausible); err != nil {
			return differs("an answer with "+what, "%s: %v", p, err)
		}
		return fine
	})
}

// bounds are values that a parameter may have and that are worth a try.
func bounds(p abi.Parameter) []any {
	var list []any
	for _, at := range []*float64{p.Min, p.Max} {
		if at != nil {
			list = append(list, valued(p, *at))
		}
	}
	switch p.Type {
	case abi.Boolean:
		list = []any{false, true}
	case abi.Text:
		for _, v := range p.Values {
			list = append(list, v)
		}
	}
	return list
}

// valued is a value of the parameter's type whose numbers are all v.
func valued(p abi.Parameter, v float64) any {
	switch given := p.Default.(type) {
	case []any:
		list := make([]any, max(len(given), 1))
		for i := range list {
			list[i] = v
		}
		return list
	case map[string]any:
		table := map[string]any{}
		for name := range given {
			table[name] = v
		}
		return table
	}
	return v
}
