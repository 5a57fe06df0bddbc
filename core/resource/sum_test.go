package resource

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"
)

// TestASumLosesNothing compares with big integers while amounts up to the largest int64 are added and subtracted.
func TestASumLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const width = 2
		sum, exact := Sum{low: make(Vec, width)}, [width]*big.Int{new(big.Int), new(big.Int)}
		amount := rapid.OneOf(rapid.Int64Range(0, 9), rapid.Int64Range(Most-9, Most))
		var in []Vec
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			if len(in) > 0 && rapid.Bool().Draw(t, "take away") {
				i := rapid.IntRange(0, len(in)-1).Draw(t, "which")
				sum.Sub(in[i])
				for k := range exact {
					exact[k].Sub(exact[k], big.NewInt(in[i][k]))
				}
				in = append(in[:i], in[i+1:]...)
			} else {
				v := Vec{amount.Draw(t, "first"), amount.Draw(t, "second")}
				sum.Add(v)
				in = append(in, v)
				for k := range exact {
					exact[k].Add(exact[k], big.NewInt(v[k]))
				}
			}
			if rapid.Bool().Draw(t, "move") {
				sum.MoveTo(make(Vec, width))
			}
			other := Sum{low: make(Vec, width)}
			other.AddSum(sum)
			other.Widen(width + 1)
			for k := range exact {
				want := int64(Most)
				if exact[k].IsInt64() {
					want = exact[k].Int64()
				}
				if sum.At(k) != want || sum.Vec()[k] != want || other.At(k) != want {
					t.Fatalf("expected %d, found %d, %d and, copied, %d", want, sum.At(k), sum.Vec()[k], other.At(k))
				}
			}
		}
	})
}
