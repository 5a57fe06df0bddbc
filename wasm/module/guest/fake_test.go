package guest

import (
	"encoding/binary"
	"math"

	"github.com/quern-project/quern/sdk/abi"
)

// fake is a module that is written in Go. Its memory is shared with the host, or copied.
type fake struct {
	memory []byte
	copies bool
	mirror []byte // of the arena, where the memory is copied
	base   uint32
	texts  []string
	config string
	moves  bool // each arena is elsewhere
	scrawl bool // it writes over the columns and the index after it has answered
	fails  func(f Function, calls int) error
	calls  int
	counts bool // its answers depend on how often it was asked
	asked  int
	closed bool
}

const (
	fakeMemory = 4 << 20
	fakeText   = 64 // where it says why
)

func newFake(copies bool) *fake { return &fake{memory: make([]byte, fakeMemory), copies: copies} }

func (m *fake) Has(f Function) bool { return f != initialize }
func (m *fake) FuelLeft() int64     { return 7 }
func (m *fake) Size() uint32        { return fakeMemory }
func (m *fake) Copies() bool        { return m.copies }
func (m *fake) Close()              { m.closed = true }

func (m *fake) Read(at, size uint32) ([]byte, bool) {
	if uint64(at)+uint64(size) > fakeMemory {
		return nil, false
	}
	return m.memory[at : at+size], true
}

func (m *fake) Arena(at, size uint32) ([]byte, bool) {
	view, ok := m.Read(at, size)
	if ok && m.copies {
		m.base, m.mirror = at, make([]byte, size)
		return m.mirror, true
	}
	return view, ok
}

func (m *fake) Invoke(c *Call) (int32, error) {
	m.calls++
	if m.copies {
		for _, s := range c.Written {
			copy(m.memory[m.base+s.At:][:s.Size], m.mirror[s.At:])
		}
	}
	if m.fails != nil {
		if err := m.fails(c.Function, m.calls); err != nil {
			return 0, err
		}
	}
	code := m.serve(c)
	if m.copies {
		copy(m.mirror[c.Answers.At:][:c.Answers.Size], m.memory[m.base+c.Answers.At:])
	}
	return code, nil
}

func (m *fake) serve(c *Call) int32 {
	data := m.memory[c.Args[0]:]
	switch c.Function {
	case reserve:
		base := uint32(1 << 20)
		if m.moves {
			base += uint32(m.calls%7) * 4096
		}
		if c.Args[0] > fakeMemory-base {
			return 0
		}
		return int32(base)
	case configure:
		m.config = string(data[:c.Args[1]])
	case dictionary:
		first, texts, err := abi.ReadTexts(data[:c.Args[1]])
		if err != nil || int(first) != len(m.texts)+1 {
			return abi.CannotServe
		}
		m.texts = append(m.texts, texts...)
	case errorText:
		copy(m.memory[fakeText:], "out of luck\x00")
		return fakeText
	default:
		code := m.answer(data)
		if m.counts {
			m.count(data)
		}
		return code
	}
	return abi.OK
}

// answer sums up the columns of the rows that are asked about, with the epoch and the number of rows in the second key.
func (m *fake) answer(frame []byte) int32 {
	word := func(at uint32) uint32 { return binary.LittleEndian.Uint32(frame[at:]) }
	asked, keys, columns := word(abi.OffAsked), word(abi.OffKeys), word(abi.OffColumns)
	if asked == 13 {
		return abi.CannotServe
	}
	for i := range asked {
		row, sum := word(word(abi.OffIndex)+4*i), 0.0
		for c := range columns {
			d := word(abi.OffSize) + c*word(abi.OffDescriptorSize)
			at := word(d+8) + row*word(d+12)
			sum += float64(c+1) * math.Float64frombits(binary.LittleEndian.Uint64(frame[at:]))
			if m.scrawl {
				binary.LittleEndian.PutUint64(frame[at:], math.Float64bits(sum))
			}
		}
		out := word(abi.OffAnswers) + 8*row*keys
		binary.LittleEndian.PutUint64(frame[out:], math.Float64bits(sum))
		if keys > 1 {
			binary.LittleEndian.PutUint64(frame[out+8:], math.Float64bits(float64(word(abi.OffRows))))
		}
	}
	return abi.OK
}
