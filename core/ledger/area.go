package ledger

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// Area is an amount of resources over time, in stored units times nanoseconds. It has 128 bits, since bytes times nanoseconds outgrow 64.
type Area struct{ hi, lo uint64 }

// add adds an amount that was held for some time. Neither is negative.
func (a *Area) add(amount int64, over time.Duration) {
	hi, lo := bits.Mul64(uint64(amount), uint64(over))
	a.plus(Area{hi, lo})
}

func (a *Area) plus(b Area) {
	var carry uint64
	a.lo, carry = bits.Add64(a.lo, b.lo, 0)
	a.hi, _ = bits.Add64(a.hi, b.hi, carry)
}

// over divides, and rounds down.
func (a Area) over(d uint64) Area {
	hi, rest := a.hi/d, a.hi%d
	lo, _ := bits.Div64(rest, a.lo, d)
	return Area{hi, lo}
}

// Hours returns the area in stored units times hours, rounded down, at most 2^63-1.
func (a Area) Hours() int64 {
	hours := a.over(uint64(time.Hour))
	if hours.hi > 0 || hours.lo > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(hours.lo)
}

// Seconds returns the area in stored units times seconds, rounded down, as a decimal number of any length.
func (a Area) Seconds() string {
	const digits, power = 19, 10_000_000_000_000_000_000
	seconds := a.over(uint64(time.Second))
	upper := seconds.over(power).lo
	lower := seconds.lo - upper*power // modulo 2^64, in which the difference lies
	if upper == 0 {
		return strconv.FormatUint(lower, 10)
	}
	text := strconv.FormatUint(lower, 10)
	return strconv.FormatUint(upper, 10) + strings.Repeat("0", digits-len(text)) + text
}

func (a Area) float() float64 { return float64(a.hi)*(1<<64) + float64(a.lo) }
