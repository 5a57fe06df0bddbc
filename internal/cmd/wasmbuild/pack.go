package main

import (
	"encoding/binary"
	"slices"
)

// pack makes a module smaller, above all when compressed, and leaves its behaviour unchanged. It drops custom sections and
// long runs of zeros, reduces the runtime's tables of functions (slimPclntab), and shortens branches (shortenBranches).
func pack(module []byte) ([]byte, error) {
	sections, err := readSections(module)
	if err != nil {
		return nil, err
	}
	if data := find(sections, dataSection); data != nil {
		if sections, err = packData(sections, data); err != nil {
			return nil, err
		}
	}
	if code := find(sections, codeSection); code != nil {
		if err := shortenBranches(code); err != nil {
			return nil, err
		}
	}
	return appendSections([]byte(header), sections), nil
}

func packData(sections []section, data *section) ([]section, error) {
	segments, err := readData(data.content)
	if err != nil {
		return nil, err
	}
	memory, err := memoryImage(segments)
	if err != nil {
		return nil, err
	}
	if at := findPclntab(memory); at >= 0 {
		for _, id := range []byte{typeSection, importSection, functionSection, memorySection, codeSection} {
			if find(sections, id) == nil {
				return nil, errModule
			}
		}
		encodings, err := slimPclntab(memory, at)
		if err != nil {
			return nil, err
		}
		sections = withDecoders(sections, encodings)
		if err := withRoom(find(sections, memorySection), encodings); err != nil {
			return nil, err
		}
		data = find(sections, dataSection)
	}
	data.content = appendData(nil, splitAtZeros(memory))
	return sections, nil
}

// gap is the largest number of zeros between two segments that are written out. The linker begins a new segment after
// every few zeros, which makes eighty thousand of them; zeros in a row cost next to nothing once they are compressed.
const gap = 32

// maxMemory bounds the initial memory of a module, in bytes.
const maxMemory = 64 << 20

// segment is a part of the initial memory.
type segment struct {
	at   int64
	data []byte
}

// readData reads segments with a constant address in the only memory.
func readData(content []byte) ([]segment, error) {
	const constant, end = 0x41, 0x0b
	r := &reader{rest: content}
	var segments []segment
	for n := r.unsigned(); n > 0 && !r.failed; n-- {
		kind, op := r.byte(), r.byte()
		s := segment{at: r.signed()}
		if kind != 0 || op != constant || r.byte() != end {
			return nil, errModule
		}
		s.data = r.bytes(r.unsigned())
		segments = append(segments, s)
	}
	if r.failed {
		return nil, errModule
	}
	return segments, nil
}

// memoryImage returns the initial memory that segments describe; they never overlap.
func memoryImage(segments []segment) ([]byte, error) {
	var size int64
	for _, s := range segments {
		end := s.at + int64(len(s.data))
		if s.at < 0 || end > maxMemory {
			return nil, errModule
		}
		size = max(size, end)
	}
	memory := make([]byte, size)
	for _, s := range segments {
		copy(memory[s.at:], s.data)
	}
	return memory, nil
}

// splitAtZeros returns the segments between runs of more zeros than gap.
func splitAtZeros(memory []byte) []segment {
	var segments []segment
	zeros := gap + 1
	for at, b := range memory {
		if b == 0 {
			zeros++
			continue
		}
		if zeros > gap {
			segments = append(segments, segment{at: int64(at)})
			zeros = 0
		}
		last := &segments[len(segments)-1]
		last.data = append(slices.Grow(last.data, zeros+1), memory[at-zeros:at+1]...)
		zeros = 0
	}
	return segments
}

func appendData(out []byte, segments []segment) []byte {
	out = binary.AppendUvarint(out, uint64(len(segments)))
	for _, s := range segments {
		out = append(appendSigned(append(out, 0, 0x41), s.at), 0x0b)
		out = append(binary.AppendUvarint(out, uint64(len(s.data))), s.data...)
	}
	return out
}
