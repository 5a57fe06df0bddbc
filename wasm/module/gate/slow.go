package gate

// What single instructions cost beyond one unit, where a processor needs several times a nanosecond for them: roots,
// divisions, conversions that saturate. Measured with dependent chains of each; rounded up.
const (
	rootCost       = 11
	divisionCost   = 5
	conversionCost = 4
)

// slowOps are instructions of one byte, slowVectors those behind 0xfd.
var (
	slowOps = costTable([]costRange{
		{0x6d, 0x70, divisionCost}, {0x7f, 0x82, divisionCost}, // i32 and i64: div, rem
		{0x91, 0x91, rootCost}, {0x9f, 0x9f, rootCost}, // sqrt
		{0x95, 0x95, divisionCost}, {0xa3, 0xa3, divisionCost}, // f32 and f64: div
		{0xa8, 0xb1, conversionCost}, // trunc
	})
	slowVectors = costTable([]costRange{
		{0xcc, 0xcc, conversionCost},                   // i64x2.shr_s
		{0xe3, 0xe3, rootCost}, {0xef, 0xef, rootCost}, // sqrt
		{0xe7, 0xe7, divisionCost}, {0xf3, 0xf3, divisionCost}, // div
		{0xf8, 0xf9, conversionCost}, {0xfc, 0xfd, conversionCost}, // trunc_sat
	})
)

// costRange gives all opcodes of a range the same cost.
type costRange struct {
	first, last int
	cost        uint64
}

func costTable(ranges []costRange) (t [256]uint64) {
	for _, r := range ranges {
		for op := r.first; op <= r.last; op++ {
			t[op] = r.cost
		}
	}
	return t
}
