package features

import (
	"fmt"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/resource"
)

// Spellings of what explanations of preemptions find.

func barredText(list []explain.Excluded) string {
	parts := make([]string, len(list))
	for i, b := range list {
		parts[i] = fmt.Sprintf("%s %d %s", b.Queue, b.Allocations, b.Reason)
	}
	return strings.Join(parts, ", ")
}

func inWayText(list []explain.NonVictim) string {
	parts := make([]string, len(list))
	for i, a := range list {
		parts[i] = a.ID + " " + string(a.Reason)
	}
	return strings.Join(parts, ", ")
}

// findingText writes `law-4 root.a 1000m of 2000m vcore`, and `broken` behind it where the law does not hold.
func findingText(list []explain.Finding) string {
	parts := make([]string, len(list))
	for i, f := range list {
		parts[i] = fmt.Sprintf("%s %s %s of %s %s", f.Law, f.Queue, resource.Format(f.Type, f.Used), resource.Format(f.Type, f.Guaranteed), f.Type)
		if !f.Holds {
			parts[i] += " broken"
		}
	}
	return strings.Join(parts, ", ")
}

// asFindings brings `law-4 root.a 1 of 2 vcore` into the spelling of findingText.
func asFindings(cell string) (string, error) {
	if cell == none {
		return "", nil
	}
	var list []explain.Finding
	for part := range strings.SplitSeq(cell, ", ") {
		words := strings.Fields(part)
		broken := len(words) == 7 && words[6] == "broken"
		if len(words) != 6 && !broken {
			return "", fmt.Errorf("expected something like `law-4 root.a 1 of 2 vcore broken`, found %q", part)
		}
		used, err := signedOf(words[5], words[2])
		if err != nil {
			return "", err
		}
		guaranteed, err := signedOf(words[5], words[4])
		if err != nil {
			return "", err
		}
		list = append(list, explain.Finding{Law: core.Reason(words[0]), Queue: words[1], Type: words[5], Used: used, Guaranteed: guaranteed, Holds: !broken})
	}
	return findingText(list), nil
}

// signedOf reads one quantity of a type.
func signedOf(typ, quantity string) (int64, error) {
	set, err := expectedOf(quantity + " " + typ)
	if err != nil {
		return 0, err
	}
	return set[0].Value, nil
}

// shortText writes `1000m vcore` for a node, and the queue before it where a max is meant.
func shortText(list []explain.Shortfall) string {
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = strings.TrimSpace(s.Queue + " " + resource.Format(s.Type, s.Missing) + " " + s.Type)
	}
	return strings.Join(parts, ", ")
}

func asShort(cell string) (string, error) {
	if cell == none || cell == nothing {
		return "", nil
	}
	var list []explain.Shortfall
	for part := range strings.SplitSeq(cell, ", ") {
		words := strings.Fields(part)
		if len(words) < 2 || len(words) > 3 {
			return "", fmt.Errorf("expected something like `root.a 1 vcore` or `1 vcore`, found %q", part)
		}
		s := explain.Shortfall{Type: words[len(words)-1]}
		var err error
		if s.Missing, err = signedOf(s.Type, words[len(words)-2]); err != nil {
			return "", err
		}
		if len(words) == 3 {
			s.Queue = words[0]
		}
		list = append(list, s)
	}
	return shortText(list), nil
}
