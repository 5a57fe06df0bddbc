package conformance

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
)

// shape is what a frame may have beside what version 1.0 of the contract puts into it.
type shape struct {
	header, descriptor uint32 // bytes more than in version 1.0, multiples of 8
	flags              uint32
}

// guard is what lies around a frame, in bytes: nothing may be written there.
const guard = 256

// untouched fills what a guest need not read; as an answer it is a NaN that no arithmetic makes.
const untouched = 0xff

// laid is a frame as it lies in the arena, with its guards.
type laid struct {
	abi.Layout
	view   []byte // guards and all
	before []byte // the same, before the call
	asked  []int32
}

// Eval answers a batch in a frame of its own. Where the guest breaches the frame, that is noted and it goes on.
func (g *guest) Eval(b *policy.Batch) error {
	if err := g.tell(b.Texts); err != nil {
		return err
	}
	f, err := g.lay(b)
	if err != nil {
		return err
	}
	export := exportOf(b.Point)
	code, err := g.callOnArena(export, g.arena+guard)
	if err != nil {
		return err
	}
	spent := g.spent
	if code != abi.OK {
		return fmt.Errorf("%s: return code %d%s", export, int32(code), g.said())
	}
	g.spent = spent
	var ok bool
	if f.view, ok = g.instance.Read(g.arena, g.size); !ok {
		return fmt.Errorf("%s: the arena is gone", export)
	}
	f.take(b)
	if g.broken == "" {
		g.broken = f.breach(b.Keys)
	}
	return nil
}

// tell hands over texts that are new, if they are wanted.
func (g *guest) tell(texts []string) error {
	if len(texts) <= g.texts || !g.exports(abi.ExportDictionary) {
		return nil
	}
	err := g.hand(abi.ExportDictionary, abi.Texts(uint32(g.texts)+1, texts[g.texts:]))
	g.texts = len(texts)
	return err
}

// lay writes a frame for a batch into the arena.
func (g *guest) lay(b *policy.Batch) (*laid, error) {
	s := abi.Shape{Rows: len(b.Out) / b.Keys, Asked: len(b.Rows), Keys: b.Keys}
	for i := range b.Columns {
		c := &b.Columns[i]
		s.Columns = append(s.Columns, abi.Column{ID: abi.ColumnID(c.Kind), Arg: c.ArgCode, Constant: constant(b.Point, c)})
	}
	layout, err := abi.Lay(s)
	if err != nil {
		return nil, err
	}
	g.shape.stretch(&layout)
	view, err := g.reserve(layout.Size + 2*guard)
	if err != nil {
		return nil, err
	}
	for i := range view {
		view[i] = untouched
	}
	f := &laid{Layout: layout, view: view, asked: b.Rows}
	frame := view[guard : guard+layout.Size]
	g.shape.put(&layout, frame)
	f.fill(frame, b)
	f.before = bytes.Clone(view)
	return f, nil
}

// fill writes the columns and which rows are asked about.
func (f *laid) fill(frame []byte, b *policy.Batch) {
	for i, d := range f.Columns {
		for row, v := range b.Cols[i][:f.Rows] {
			binary.LittleEndian.PutUint64(frame[d.Offset+uint32(row)*d.Stride:], math.Float64bits(v))
			if d.Stride == 0 {
				break
			}
		}
	}
	for i, row := range b.Rows {
		binary.LittleEndian.PutUint32(frame[int(f.Index)+4*i:], uint32(row))
	}
}

// answer is where the answer about a row begins in the view.
func (f *laid) answer(row int32, keys int) int { return guard + int(f.Answers) + 8*int(row)*keys }

func (f *laid) take(b *policy.Batch) {
	for _, row := range b.Rows {
		for j := range b.Keys {
			b.Out[int(row)*b.Keys+j] = math.Float64frombits(binary.LittleEndian.Uint64(f.view[f.answer(row, b.Keys)+8*j:]))
		}
	}
}

// breach says what was written, or was not, against the contract; empty: nothing.
func (f *laid) breach(keys int) string {
	for _, row := range f.asked {
		at := f.answer(row, keys)
		for j := range keys {
			if bytes.Equal(f.view[at+8*j:at+8*j+8], f.before[at+8*j:at+8*j+8]) {
				return fmt.Sprintf("row %d, key %d, which was asked about and not answered", row, j)
			}
		}
		copy(f.before[at:at+8*keys], f.view[at:])
	}
	for at, was := range f.before {
		if f.view[at] != was {
			return f.place(at, keys)
		}
	}
	return ""
}

// place names a byte that was written and may not be.
func (f *laid) place(at, keys int) string {
	in := at - guard
	answers := int(f.Answers)
	switch {
	case in < 0 || in >= int(f.Size):
		return fmt.Sprintf("a byte written outside of the frame, %d bytes from its start", in)
	case in >= answers && in < answers+8*keys*f.Rows:
		return fmt.Sprintf("an answer to row %d, which was not asked about", (in-answers)/8/keys)
	}
	return fmt.Sprintf("a byte written at offset %d of the frame, where no answer is", in)
}

// stretch makes room for a longer header and longer descriptors.
func (s shape) stretch(l *abi.Layout) {
	more := s.header + s.descriptor*uint32(len(l.Columns))
	for i := range l.Columns {
		l.Columns[i].Offset += more
	}
	l.Answers += more
	l.Index += more
	l.Size += more
}

// put writes header and descriptors.
func (s shape) put(l *abi.Layout, frame []byte) {
	plain := make([]byte, abi.HeaderSize+abi.DescriptorSize*len(l.Columns))
	l.PutHeader(plain, 1, s.flags)
	size, stride := abi.HeaderSize+s.header, abi.DescriptorSize+s.descriptor
	copy(frame, plain[:abi.HeaderSize])
	binary.LittleEndian.PutUint32(frame[abi.OffSize:], size)
	binary.LittleEndian.PutUint32(frame[abi.OffDescriptorSize:], stride)
	for i := range l.Columns {
		copy(frame[size+uint32(i)*stride:], plain[abi.HeaderSize+i*abi.DescriptorSize:][:abi.DescriptorSize])
	}
}

func exportOf(p policy.Point) string {
	for _, point := range abi.Points {
		if point.Name == string(p) {
			return point.Export
		}
	}
	return ""
}
