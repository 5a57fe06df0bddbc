package conformance

import (
	"fmt"

	"github.com/quern-project/quern/core/policy"
)

// Check is the result of one check. The names in JSON are part of the interface of `quern policy test --json`.
type Check struct {
	Group    string `json:"group"`
	Name     string `json:"check"`
	Result   Result `json:"result"`
	Expected string `json:"expected,omitempty"`
	Found    string `json:"found,omitempty"`
	Note     string `json:"note,omitempty"`
}

// Result is ok, failed or skipped.
type Result string

// The results.
const (
	Passed  Result = "ok"
	Failed  Result = "failed"
	Skipped Result = "skipped"
)

// Loads is the check that precedes all others: the host accepts the policy.
func Loads() Check { return Check{Group: "abi", Name: "the host loads it", Result: Passed} }

// Refused is that check for a policy that the host does not accept.
func Refused(why error) Check {
	c := Loads()
	c.Result, c.Expected, c.Found = Failed, "a policy that the host takes", why.Error()
	return c
}

// verdict is what a check came to: it passed unless something was found or it was skipped.
type verdict struct {
	expected, found string
	note            string
	skipped         bool
}

var fine = verdict{}

func differs(expected, found string, args ...any) verdict {
	return verdict{expected: expected, found: fmt.Sprintf(found, args...)}
}

func fault(p policy.Point, err error) verdict {
	return differs("an answer", "%s: %v", p, err)
}

func (v verdict) check(c check) Check {
	out := Check{Group: c.group, Name: c.name, Result: Passed, Expected: v.expected, Found: v.found, Note: v.note}
	switch {
	case v.skipped:
		out.Result = Skipped
	case v.found != "":
		out.Result = Failed
	}
	return out
}
