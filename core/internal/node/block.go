package node

import "math"

// fanout is how many entries a block has: with 8, a block is one cache line (BenchmarkPlace).
const (
	fanout      = 1 << fanoutShift
	fanoutShift = 3
)

// closed is the score of an entry that no search may return.
const closed = math.MinInt64

// block holds one figure of each of fanout neighbours.
type block [fanout]int64

// largest is the largest figure of a block.
func (b *block) largest() int64 {
	return max(max(b[0], b[1], b[2], b[3]), max(b[4], b[5], b[6], b[7]))
}

// reaching returns a bit for each figure that is no less than some value.
func (b *block) reaching(v int64) uint {
	return bit(b[0] >= v) | bit(b[1] >= v)<<1 | bit(b[2] >= v)<<2 | bit(b[3] >= v)<<3 |
		bit(b[4] >= v)<<4 | bit(b[5] >= v)<<5 | bit(b[6] >= v)<<6 | bit(b[7] >= v)<<7
}

func bit(is bool) uint {
	if is {
		return 1
	}
	return 0
}

// blocksFor is the number of blocks that hold so many entries.
func blocksFor(entries int) int { return (entries-1)>>fanoutShift + 1 }
