package replacements

import (
	"maps"
	"testing"

	"pgregory.net/rapid"
)

func TestFork_ReplacementsAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := []*trial{newTrial(t)}
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			tr := all[rapid.IntRange(0, len(all)-1).Draw(t, "fork")]
			if len(all) < 5 && tr.roll("forks", 10) == 0 {
				all = append(all, &trial{T: t, o: tr.o.Freeze().Fork(), told: maps.Clone(tr.told), wait: maps.Clone(tr.wait), tasks: tr.tasks})
			}
			tr.step()
			for _, other := range all {
				other.check()
			}
		}
	})
}
