package features

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Words that stand for an empty value in a cell.
const (
	nothing = "nothing" // no resources, no attributes
	none    = "none"    // no priority, no name
)

// amount is one part of `2 vcore, 4Gi memory`, still as text.
type amount struct{ quantity, typ string }

func amountsOf(text string) ([]amount, error) {
	if text == nothing || text == "" {
		return nil, nil
	}
	var list []amount
	for part := range strings.SplitSeq(text, ",") {
		fields := strings.Fields(part)
		if len(fields) != 2 {
			return nil, fmt.Errorf("resources: expected a list such as `2 vcore, 4Gi memory`, found %q", text)
		}
		a := amount{fields[0], fields[1]}
		if err := misnamed(a.typ); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(b amount) bool { return b.typ == a.typ }) {
			return nil, fmt.Errorf("resources: expected each type once, found %s twice in %q", a.typ, text)
		}
		list = append(list, a)
	}
	return list, nil
}

// resourcesOf reads `2 vcore, 4Gi memory`, as a scenario submits it: like a journal, it has no amounts below zero.
func resourcesOf(text string) (resource.Set, error) {
	amounts, err := amountsOf(text)
	if err != nil {
		return nil, err
	}
	for _, a := range amounts {
		if strings.HasPrefix(a.quantity, "-") {
			return nil, fmt.Errorf("resources: expected amounts of 0 or more, found %s %s", a.quantity, a.typ)
		}
	}
	return expectedOf(text)
}

// expectedOf reads expected amounts, which may be below zero, as a headroom may be.
func expectedOf(text string) (resource.Set, error) {
	amounts, err := amountsOf(text)
	if err != nil {
		return nil, err
	}
	quantities := make([]resource.Quantity, 0, len(amounts))
	for _, a := range amounts {
		positive := strings.TrimPrefix(a.quantity, "-")
		value, err := resource.Parse(a.typ, positive)
		milli := false
		if err != nil && !slices.Contains(everywhere, a.typ) { // a part of a device
			value, err = resource.ParseMilli(a.typ, positive)
			milli = true
		}
		if err != nil {
			return nil, err
		}
		if positive != a.quantity {
			value = -value
		}
		quantities = append(quantities, resource.Quantity{Type: a.typ, Value: value, Milli: milli})
	}
	return resource.NewSet(quantities...), nil
}

// resourceText writes a set the way expectedOf reads it.
func resourceText(set resource.Set) string {
	if len(set) == 0 {
		return nothing
	}
	parts := make([]string, len(set))
	for i, q := range set {
		if q.Milli && q.Value%core.WholeDevice == 0 {
			q.Value, q.Milli = q.Value/core.WholeDevice, false
		}
		parts[i] = q.Format() + " " + q.Type
	}
	return strings.Join(parts, ", ")
}

// amountText is resourceText without zeros.
func amountText(set resource.Set) string { return resourceText(withoutZeros(set)) }

func withoutZeros(set resource.Set) (left resource.Set) {
	for _, q := range set {
		if q.Value != 0 {
			left = append(left, q)
		}
	}
	return left
}

// listOf reads `dev, ops`.
func listOf(text string) []string {
	if text == none || text == nothing || text == "" {
		return nil
	}
	var list []string
	for part := range strings.SplitSeq(text, ",") {
		list = append(list, strings.TrimSpace(part))
	}
	return list
}

// pairsOf reads `zone=a, gpu=t4`.
func pairsOf(text string) (map[string]string, error) {
	pairs := map[string]string{}
	if text == nothing || text == "" {
		return pairs, nil
	}
	for _, part := range strings.FieldsFunc(text, outsideBraces(',')) {
		key, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok {
			return nil, fmt.Errorf("expected a list such as `zone=a, gpu=t4`, found %q", text)
		}
		if _, twice := pairs[key]; twice {
			return nil, fmt.Errorf("expected each name once, found %s twice in %q", key, text)
		}
		pairs[key] = value
	}
	return pairs, nil
}

// outsideBraces finds a separator, except in values such as `{"vcore":"1","memory":"2Gi"}`.
func outsideBraces(separator rune) func(rune) bool {
	depth := 0
	return func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return r == separator && depth == 0
	}
}

// constraintsOf reads `zone=a|b, gpu=t4`.
func constraintsOf(text string) (map[string][]string, error) {
	pairs, err := pairsOf(text)
	if err != nil || len(pairs) == 0 {
		return nil, err
	}
	constraints := make(map[string][]string, len(pairs))
	for key, values := range pairs {
		constraints[key] = strings.Split(values, "|")
	}
	return constraints, nil
}

// shareOf reads `70 %`, `1/3` or `0.5` as billionths, rounded down as shares are.
func shareOf(text string) (int64, error) {
	number, percent := strings.CutSuffix(text, "%")
	ratio, ok := new(big.Rat).SetString(strings.TrimSpace(number))
	if !ok {
		return 0, fmt.Errorf("share: expected something like `70 %%`, `1/3` or `0.5`, found %q", text)
	}
	ratio.Mul(ratio, big.NewRat(resource.ShareUnit, 1))
	if percent {
		ratio.Mul(ratio, big.NewRat(1, 100))
	}
	return new(big.Int).Quo(ratio.Num(), ratio.Denom()).Int64(), nil
}

func shareText(billionths int64) string {
	return strconv.FormatInt(billionths, 10) + " billionths"
}

func priorityOf(text string) (int32, error) {
	p, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("priority: expected a 32-bit number, found %q", text)
	}
	return int32(p), nil
}

func boolOf(text string) (bool, error) {
	switch text {
	case "yes", "true":
		return true, nil
	case "no", "false":
		return false, nil
	}
	return false, fmt.Errorf("expected yes or no, found %q", text)
}
