package conformance

import (
	"context"

	"github.com/quern-project/quern/core/policy"
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
	{"abi", "its manifest has its version", false, manifestHasVersion},
	{"abi", "the arena is aligned and grows", true, arenaGrows},
	{"abi", "frames of another major version are refused", true, otherVersionRefused},
	{"abi", "longer headers and descriptors are read by their sizes", true, grownFramesRead},
	{"abi", "unknown flags are ignored", true, flagsIgnored},
	{"abi", "quern_error explains why a call failed", true, errorReadable},
	{"purity", "the same question gets the same answer", false, sameTwice},
	{"purity", "another instance answers the same", false, sameElsewhere},
	{"purity", "other batches in between change nothing", false, sameAfterOthers},
	{"purity", "a divided batch gets the same answers", false, sameInPieces},
	{"purity", "the order of rows changes nothing", false, sameInAnyOrder},
	{"purity", "other codes for the same texts change nothing", false, sameWithOtherCodes},
	{"purity", "texts that appear later are accepted", false, sameWithLateTexts},
	{"totality", "no row, one row, 10,000 rows", false, anyNumberOfRows},
	{"totality", "zeros, huge and negative numbers", false, extremeNumbers},
	{"totality", "NaN and infinities do not make it fail", false, noNumbers},
	{"bounds", "it writes only answers", true, writesAnswersOnly},
	{"bounds", "it answers all rows asked about, and no others", true, answersRowsAsked},
	{"bounds", "its memory does not grow in 10,000 calls", true, memoryStays},
	{"dependence", "answers depend only on declared columns", false, dependsAsDeclared},
	{"limits", "1, 1,000 and 10,000 rows are answered within its limits", false, limitsSuffice},
	{"parameters", "every default and every bound configures it", false, parametersConfigure},
}

// suite is a policy under test.
type suite struct {
	*Subject
	points []policy.Point
}

// Run holds a policy to every check and passes each result to told as soon as it is known. The error is that of the
// context; the checks up to there were told.
func Run(ctx context.Context, subject *Subject, told func(Check)) error {
	for i := range Count() {
		if err := ctx.Err(); err != nil {
			return err
		}
		told(subject.Check(i))
	}
	return ctx.Err()
}

// Count is the number of checks.
func Count() int { return len(checks) }

// Check holds the policy to one check, the i-th from 0.
func (s *Subject) Check(i int) Check {
	c := checks[i]
	if s.Instance == nil && c.module {
		return verdict{note: "a process has no memory to look into", skipped: true}.check(c)
	}
	return c.run(&suite{Subject: s, points: ServedPoints(s.Announced)}).check(c)
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
