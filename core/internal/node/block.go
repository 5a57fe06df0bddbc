package node

import "math"

// fanout is the number of entries of a block. With 8 entries, a block is one cache line (BenchmarkPlace).
const (
	fanout      = 1 << fanoutShift
	fanoutShift = 3
)

// closed is the score of entries that searches must not return.
const closed = math.MinInt64

// block holds one number for each of fanout neighbours.
type block [fanout]int64

// largest returns the largest number of a block.
func (b *block) largest() int64 {
	return max(max(b[0], b[1], b[2], b[3]), max(b[4], b[5], b[6], b[7]))
}

// reaching returns a bit for each number that is at least v.
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

// blocksFor returns the number of blocks for a number of entries.
func blocksFor(entries int) int { return (entries-1)>>fanoutShift + 1 }
