package oracle_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
	"github.com/quern-project/quern/core/oracle"
	"github.com/quern-project/quern/core/scheduler"
)

// sliced is a machine whose instants are cut into cycles of drawn limits. It is resumed from its place now and then.
type sliced struct {
	dumper
	t *rapid.T
}

// Cycle implements core.Machine.
func (s sliced) Cycle(limit int) (made int) {
	instant := drive.Now(s.dumper)
	for !instant.Decided() && (limit < 0 || made < limit) {
		slice := rapid.IntRange(1, 4).Draw(s.t, "slice")
		if limit >= 0 {
			slice = min(slice, limit-made)
		}
		made += instant.Cycle(slice)
		instant = drive.Resume(s.dumper, instant.Progress)
	}
	return made
}

// TestInstant_SlicedDecidesAsWhole holds sliced schedulers and oracles against whole ones.
func TestInstant_SlicedDecidesAsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hasty := scheduler.New(core.Options{SearchSteps: rapid.SampledFrom([]int{1, 20, 500}).Draw(t, "steps")})
		r := &lockstepRun{t: t, scenario: scenarios().Draw(t, "scenario"), machines: []dumper{newMachine(), sliced{hasty, t}}}
		r.check = r.sameToTheLetter
		r.run()
	})
}

func TestInstant_SlicedOracleDecidesAsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &lockstepRun{t: t, scenario: scenarios().Draw(t, "scenario"), machines: []dumper{oracle.New(), sliced{oracle.New(), t}}}
		r.check = r.sameToTheLetter
		r.run()
	})
}
