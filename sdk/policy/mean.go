package policy

import (
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/internal/errfmt"
)

// Bounds of the weights of a WeightedMean, the same in every SDK.
const (
	mostWeights   = 64      // weights above 0
	mostNameBytes = 4095    // of all their names together
	mostWeight    = 1 << 30 // thousandths; a million, rounded up
)

// WeightedMean is the weighted mean of columns about types, such as share:*: for a row, the sum of weight * value over the
// sum of weights, rounded down, exact for values below 2^53. Values below 0 do not count, nor do types without a
// weight. Weights count in thousandths. The scheduler's own fair and binpacking orders of nodes use this mean.
//
// Configure it with a parameter of type weights, hand it all texts, and Open it for each frame.
type WeightedMean struct {
	byName map[string]uint64
	byCode map[uint32]uint64
	chosen []weighted
}

type weighted struct {
	column abi.View
	weight uint64
}

// Configure sets the weights. It fails where one is below 0 or above a million, and where there are more than 64.
func (m *WeightedMean) Configure(weights []Weight) error {
	m.byName, m.byCode = map[string]uint64{}, map[uint32]uint64{}
	names := 0
	for _, w := range weights {
		thousandths := w.Value*1000 + 0.5
		if !(thousandths >= 0 && thousandths < mostWeight) {
			return errfmt.Errorf("weights: %s: expected 0 to 1000000, found %v", w.Name, w.Value)
		}
		if thousandths >= 1 {
			m.byName[w.Name] = uint64(thousandths)
			names += len(w.Name)
		}
	}
	if len(m.byName) > mostWeights || names > mostNameBytes {
		return errfmt.Errorf("weights: expected at most %d, with %d bytes of names, found %d with %d", mostWeights, mostNameBytes, len(m.byName), names)
	}
	return nil
}

// Texts takes texts, which types are among.
func (m *WeightedMean) Texts(first uint32, texts []string) {
	for i, t := range texts {
		if w, ok := m.byName[t]; ok {
			m.byCode[first+uint32(i)] = w
		}
	}
}

// Open takes a frame whose columns from first on are the ones that the mean is of.
func (m *WeightedMean) Open(f *abi.Frame, first int) {
	m.chosen = m.chosen[:0]
	for i := first; i < len(f.Columns); i++ {
		if w, ok := m.byCode[f.Columns[i].Arg]; ok {
			m.chosen = append(m.chosen, weighted{f.Column(i), w})
		}
	}
}

// At is the mean for a row, 0 where nothing counts.
func (m *WeightedMean) At(row int) float64 {
	var sum, weights, all uint64
	for i := range m.chosen {
		c := &m.chosen[i]
		v := int64(c.column.At(row))
		if v < 0 {
			continue
		}
		sum += uint64(v) * c.weight
		weights += c.weight
		all |= uint64(v)
	}
	switch {
	case weights == 0:
		return 0
	case (all|weights)>>32 != 0:
		return float64(m.large(row, weights))
	}
	return float64(sum / weights) // below 2^64, since weights and values are below 2^32
}

// large is the mean of values that may be as large as they get: weights are below 2^36 together and values below 2^53, so
// that sums of the upper 27 bits and of the lower 26 bits of values are below 2^63.
func (m *WeightedMean) large(row int, weights uint64) uint64 {
	const lower = 26
	var high, low uint64
	for i := range m.chosen {
		c := &m.chosen[i]
		if v := int64(c.column.At(row)); v >= 0 {
			high += uint64(v) >> lower * c.weight
			low += uint64(v) & (1<<lower - 1) * c.weight
		}
	}
	return high/weights<<lower + (high%weights<<lower+low)/weights
}
