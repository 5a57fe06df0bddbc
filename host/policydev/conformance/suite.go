package conformance

import (
	"context"
	"errors"
	"fmt"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policydev"
)

// check is one rule of the contract.
type check struct {
	group, name string
	module      bool // it looks into memory: for modules alone
	run         func(*suite) verdict
}

// checks are all there are, in the order in which they run.
var checks = []check{
	{"abi", "its version and its manifest are the same every time", true, manifestStays},
	{"abi", "its manifest says which version it is", false, manifestHasVersion},
	{"abi", "the arena is aligned and grows", true, arenaGrows},
	{"abi", "frames of another major version are refused", true, otherVersionRefused},
	{"abi", "longer headers and descriptors are read by their sizes", true, grownFramesRead},
	{"abi", "unknown flags are ignored", true, flagsIgnored},
	{"abi", "quern_error says why a call failed", true, errorReadable},
	{"purity", "asked twice it answers the same", false, sameTwice},
	{"purity", "another instance answers the same", false, sameElsewhere},
	{"purity", "other batches in between change nothing", false, sameAfterOthers},
	{"purity", "asked in pieces it answers the same", false, sameInPieces},
	{"purity", "the order of rows changes nothing", false, sameInAnyOrder},
	{"purity", "other codes for the same texts change nothing", false, sameWithOtherCodes},
	{"purity", "texts that come up later are taken in", false, sameWithLateTexts},
	{"totality", "no row, one row, 10,000 rows", false, anyNumberOfRows},
	{"totality", "zeros, huge and negative numbers", false, extremeNumbers},
	{"totality", "NaN and infinities do not stop it", false, noNumbers},
	{"bounds", "it writes answers and nothing else", true, writesAnswersOnly},
	{"bounds", "it answers the rows asked about, all and only those", true, answersRowsAsked},
	{"bounds", "10,000 calls leave its memory as it is", true, memoryStays},
	{"dependence", "answers depend on what is declared and no more", false, dependsAsDeclared},
	{"limits", "1, 1,000 and 10,000 rows are answered within its limits", false, limitsSuffice},
	{"parameters", "every default and every bound configures it", false, parametersConfigure},
}

// suite is a policy under test.
type suite struct {
	ctx    context.Context
	host   *policydev.Host
	probe  *probe // nil for a process
	points []policy.Point
}

// Run holds a policy to every check, and tells each as soon as it is known; nil: nobody is told. The error is for what went
// wrong beside that.
func Run(ctx context.Context, h *policydev.Host, told func(*Check)) (*Report, error) {
	s := &suite{ctx: ctx, host: h, points: policydev.ServedPoints(h.Announced.Parsed)}
	if !h.Subject.Process {
		p, err := newProbe(ctx, h)
		if err != nil {
			return nil, err
		}
		s.probe = p
	}
	r := newReport(h.Subject)
	r.told = told
	r.add(Check{Group: "abi", Name: loads, Result: passed})
	for _, c := range checks {
		if err := ctx.Err(); err != nil {
			break
		}
		v := verdict{note: "a process has no memory to look into", skipped: true}
		if s.probe != nil || !c.module {
			v = c.run(s)
		}
		r.add(v.check(c))
	}
	err := ctx.Err()
	if s.probe != nil {
		err = errors.Join(err, s.probe.close())
	}
	r.Log = h.Log.Last()
	return r, err
}

// loads is the check that precedes all others: the host takes the policy.
const loads = "the host loads it"

// Refused is the report about a policy that the host does not take: there is nobody to ask.
func Refused(s *policydev.Subject, why *policydev.RefusedError, told func(*Check)) *Report {
	r := newReport(s)
	r.told = told
	r.Log = why.Log.Last()
	r.add(Check{Group: "abi", Name: loads, Result: failed, Expected: "a policy that the host takes", Found: why.Error()})
	return r
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
	out := Check{Group: c.group, Name: c.name, Result: passed, Expected: v.expected, Found: v.found, Note: v.note}
	switch {
	case v.skipped:
		out.Result = skipped
	case v.found != "":
		out.Result = failed
	}
	return out
}

// each runs a check at every point, up to the first that fails; notes are put together.
func (s *suite) each(f func(policy.Point) verdict) verdict {
	all := verdict{}
	for _, p := range s.points {
		v := f(p)
		if v.found != "" {
			return v
		}
		if v.note != "" {
			if all.note != "" {
				all.note += "; "
			}
			all.note += string(p) + ": " + v.note
		}
		all.skipped = v.skipped && len(s.points) == 1
	}
	return all
}
