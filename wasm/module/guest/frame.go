package guest

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
)

// Rows of the frames of batches whose answers depend on a row alone. Such a batch needs no memory of earlier calls: the
// rows asked about are laid side by side, many in several calls.
const (
	fewRows  = 16
	manyRows = 1024
)

// frame is a frame in the arena, with room for so many rows.
type frame struct {
	abi.Layout
	at      uint32 // in the arena
	columns *policy.Column
	epoch   uint64 // of the batch whose columns it holds
}

// shapeOf says what a batch's frames look like.
func shapeOf(b *policy.Batch, rows int) abi.Shape {
	s := abi.Shape{Rows: rows, Asked: rows, Keys: b.Keys}
	nodes := b.Point == policy.NodeScore || b.Point == policy.NodeFilter
	for i := range b.Columns {
		c := &b.Columns[i]
		s.Columns = append(s.Columns, abi.Column{ID: abi.ColumnID(c.Kind), Arg: c.ArgCode, Constant: nodes && c.Kind == policy.Asked})
	}
	return s
}

// lay makes room for a frame and writes its header.
func (in *Instance) lay(f *frame, b *policy.Batch, rows int) error {
	layout, err := abi.Lay(shapeOf(b, rows))
	if err != nil {
		return err
	}
	at, err := in.claim(layout.Size)
	if err != nil {
		return err
	}
	*f = frame{Layout: layout, at: at, columns: first(b.Columns)}
	return nil
}

func first(columns []policy.Column) *policy.Column {
	if len(columns) == 0 {
		return nil
	}
	return &columns[0]
}

// denseFrame returns a frame for a batch whose answers depend on a row alone, with room for at least min(rows, manyRows).
func (in *Instance) denseFrame(p *point, b *policy.Batch, rows int) (*frame, error) {
	size, room := 0, fewRows
	if rows > fewRows {
		size, room = 1, manyRows
	}
	f := &p.dense[size]
	if f.Keys == b.Keys && f.columns == first(b.Columns) && len(f.Columns) == len(b.Columns) {
		return f, nil
	}
	if err := in.lay(f, b, room); err != nil {
		return nil, err
	}
	view := in.bytes(f)
	f.PutHeader(view, in.arena.epoch, abi.Dense)
	for i := range room {
		binary.LittleEndian.PutUint32(view[int(f.Index)+4*i:], uint32(i))
	}
	if in.copies {
		in.noteHead(f)
		in.note(f.at+f.Index, uint32(4*room))
	}
	return f, nil
}

// bytes are the frame's.
func (in *Instance) bytes(f *frame) []byte { return in.arena.view[f.at : f.at+f.Size : f.at+f.Size] }

// setRows says how many rows there are, all of them asked about.
func (f *frame) setRows(view []byte, rows int) {
	binary.LittleEndian.PutUint32(view[abi.OffRows:], uint32(rows))
	binary.LittleEndian.PutUint32(view[abi.OffAsked:], uint32(rows))
}

// fillDense writes rows of a batch side by side.
func fillDense(view []byte, f *frame, b *policy.Batch, rows []int32) {
	f.setRows(view, len(rows))
	for i := range f.Columns {
		d, column := &f.Columns[i], b.Cols[i]
		if d.Stride == 0 {
			put(view, d.Offset, column[rows[0]])
			continue
		}
		to := view[d.Offset : int(d.Offset)+8*len(rows)]
		for j, r := range rows {
			binary.LittleEndian.PutUint64(to[8*j:], math.Float64bits(column[r]))
		}
	}
	blank(view[f.Answers : int(f.Answers)+8*f.Keys*len(rows)])
}

// takeDense reads the answers about rows that were written side by side.
func takeDense(view []byte, f *frame, b *policy.Batch, rows []int32) error {
	keys := b.Keys
	from := view[f.Answers : int(f.Answers)+8*keys*len(rows)]
	for i, r := range rows {
		if err := take(from[8*i*keys:], b, r); err != nil {
			return err
		}
	}
	return nil
}

// unanswered is written to where answers go: what is still there after a call was not answered. Else a module that
// leaves rows out would answer with what it said about others, which depends on what it was asked before. It is a NaN that no
// arithmetic makes.
const unanswered = 0x7ff8_7175_6572_6e00

// blank writes that nothing is answered.
func blank(answers []byte) {
	for ; len(answers) >= 8; answers = answers[8:] {
		binary.LittleEndian.PutUint64(answers, unanswered)
	}
}

// take reads the answer about a row.
func take(answer []byte, b *policy.Batch, row int32) error {
	out := b.Out[int(row)*b.Keys:]
	for j := range b.Keys {
		bits := binary.LittleEndian.Uint64(answer[8*j:])
		v := math.Float64frombits(bits)
		if math.IsNaN(v) {
			return noNumber(bits, row)
		}
		out[j] = v
	}
	return nil
}

func noNumber(bits uint64, row int32) error {
	found := "NaN"
	if bits == unanswered {
		found = "none"
	}
	return fmt.Errorf("%w: expected a number for item %d, found %s", policy.ErrAnswer, row, found)
}

func put(view []byte, at uint32, v float64) {
	binary.LittleEndian.PutUint64(view[at:], math.Float64bits(v))
}

// residentFrame returns the frame that holds a batch's columns from call to call, brought up to date.
func (in *Instance) residentFrame(b *policy.Batch) (*frame, error) {
	rows := len(b.Out) / b.Keys
	f := in.arena.frames.Get(b)
	if f == nil || f.Rows < rows || f.columns != first(b.Columns) || f.Keys != b.Keys {
		f = &frame{}
		if err := in.lay(f, b, roundUp(rows)); err != nil {
			return nil, err
		}
		in.arena.frames.Put(b, f)
	}
	view := in.bytes(f)
	written := b.Changed
	if f.epoch != b.Epoch {
		f.epoch, written = b.Epoch, b.Rows
		in.arena.epoch++
		f.PutHeader(view, in.arena.epoch, 0)
		if in.copies {
			in.noteHead(f)
		}
	}
	binary.LittleEndian.PutUint32(view[abi.OffRows:], uint32(rows))
	for i := range f.Columns {
		d, column := &f.Columns[i], b.Cols[i]
		for _, r := range written {
			put(view, d.Offset+uint32(r)*d.Stride, column[r])
		}
	}
	if in.copies {
		in.noteRows(f, written)
	}
	return f, nil
}

// roundUp leaves room for more rows, so that one more does not move the frame.
func roundUp(rows int) int {
	room := fewRows
	for room < rows {
		room *= 2
	}
	return room
}

// askResident writes which rows are asked about.
func askResident(view []byte, f *frame, rows []int32) {
	binary.LittleEndian.PutUint32(view[abi.OffAsked:], uint32(len(rows)))
	for i, r := range rows {
		binary.LittleEndian.PutUint32(view[int(f.Index)+4*i:], uint32(r))
		at := int(f.Answers) + 8*int(r)*f.Keys
		blank(view[at : at+8*f.Keys])
	}
}

// takeResident reads the answers about rows.
func takeResident(view []byte, f *frame, b *policy.Batch, rows []int32) error {
	for _, r := range rows {
		if err := take(view[int(f.Answers)+8*int(r)*f.Keys:], b, r); err != nil {
			return err
		}
	}
	return nil
}
