package abi

import (
	"encoding/binary"

	"github.com/quern-project/quern/sdk/internal/errfmt"
)

// Texts writes texts for quern_dictionary: the code of the first (codes count from 1 and are never given out twice), how
// many there are, for each where it ends within the bytes that follow, and those bytes, in UTF-8. All numbers are
// little-endian u32.
func Texts(first uint32, texts []string) []byte {
	out := binary.LittleEndian.AppendUint32(nil, first)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(texts)))
	end := 0
	for _, t := range texts {
		end += len(t)
		out = binary.LittleEndian.AppendUint32(out, uint32(end))
	}
	for _, t := range texts {
		out = append(out, t...)
	}
	return out
}

// ReadTexts reads what Texts wrote.
func ReadTexts(data []byte) (first uint32, texts []string, err error) {
	if len(data) < 8 {
		return 0, nil, errfmt.Errorf("texts: expected 8 bytes at least, found %d", len(data))
	}
	first, n := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
	if uint64(n)*4+8 > uint64(len(data)) {
		return 0, nil, errfmt.Errorf("texts: expected the ends of %d texts, found %d bytes", n, len(data))
	}
	body := data[8+4*n:]
	start := uint32(0)
	for i := range n {
		end := binary.LittleEndian.Uint32(data[8+4*i:])
		if end < start || end > uint32(len(body)) {
			return 0, nil, errfmt.Errorf("texts: text %d: expected its end between %d and %d, found %d", i, start, len(body), end)
		}
		texts = append(texts, string(body[start:end]))
		start = end
	}
	return first, texts, nil
}
