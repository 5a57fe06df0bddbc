package conformance

import (
	"hash/fnv"
	"math"

	"github.com/quern-project/quern/core/policy"
)

// describe is the number in a column for an item.
type describe func(id int, p policy.Point, c *policy.Column) float64

// words are the texts that codes of made-up items stand for.
var words = []string{"a", "b", "gold", "prod", "zone-1", "zone-2", "éé", "A100", "1"}

// ids are the items from to from+n-1.
func ids(from, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = from + i
	}
	return list
}

// plausible describes items as a cluster might have them: whole numbers of the size that the column has.
func plausible(id int, p policy.Point, c *policy.Column) float64 {
	if v, coded := text(id, c); coded {
		return v
	}
	h := mix(id, c)
	switch c.Kind {
	case policy.Submitted:
		return float64(id + 1)
	case policy.Share:
		if h%17 == 0 && (p == policy.NodeScore || p == policy.NodeFilter) {
			return -1 // no capacity
		}
		return float64(h % 1_200_000_001)
	case policy.UserLimitShare, policy.GroupLimitShare:
		if h%17 == 0 {
			return c.Default // no limit
		}
		return float64(h % 1_200_000_001)
	case policy.FairShare, policy.PendingShare, policy.TopShare:
		return float64(h % 1_200_000_001)
	case policy.Priority, policy.AskPriority:
		return float64(h%2001) - 1000
	case policy.PendingAsks, policy.Allocations, policy.Running:
		return float64(h % 500)
	case policy.GangSize, policy.GangMin, policy.GangSurplus, policy.DomainFits:
		return float64(h % 65)
	case policy.Placeholder:
		return float64(h % 2)
	case policy.HalfLife, policy.Walltime:
		if h%17 == 0 {
			return c.Default // none
		}
		return float64(h%5_000_000+1) / 8
	case policy.Aged:
		return float64(h%(1<<43)) / 8
	case policy.SubmittedAt:
		return float64(h % 2_000_000_000)
	case policy.Attribute, policy.Tag, policy.Property:
		return (float64(h%20_001) - 10_000) / 8
	}
	return float64(h % (1 << 40))
}

// always describes every item by one number; codes stay what they are, since a host makes those up.
func always(v float64) describe {
	return func(id int, _ policy.Point, c *policy.Column) float64 {
		if code, coded := text(id, c); coded {
			return code
		}
		if spelled := c.Kind == policy.Attribute || c.Kind == policy.Tag || c.Kind == policy.Property; !spelled && math.Abs(v) <= math.MaxFloat64 {
			return math.Trunc(max(-whole, min(whole, v))) // the contract says so of all but texts
		}
		return v
	}
}

// whole is the largest number that the contract promises.
const whole = 1<<53 - 1

// text is the code in a column of codes; one in ten items has none.
func text(id int, c *policy.Column) (code float64, coded bool) {
	if !c.Kind.Coded() {
		return 0, false
	}
	n := mix(id, c) % uint64(len(words)+1)
	if n == 0 {
		return 0, true
	}
	return c.Code(words[n-1]), true
}

// mix is a number that looks random, and is the same in every run.
func mix(id int, c *policy.Column) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(c.String())) // it never fails
	x := h.Sum64() + uint64(id)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// extremes are finite numbers that a column may hold.
var extremes = []float64{0, 1, -1, whole, -whole, 0.1, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64}

// shuffled are ids in another order, and where each of them went.
func shuffled(list []int) (other, place []int) {
	n := len(list)
	other, place = make([]int, n), make([]int, n)
	step := 7
	for gcd(step, n) != 1 {
		step++
	}
	for i := range list {
		at := (n - 1 - i*step%n) % n
		other[at], place[i] = list[i], at
	}
	return other, place
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
