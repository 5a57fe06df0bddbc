package guest

import "github.com/quern-project/quern/sdk/abi"

// This file notes, only for a module whose memory is copied, what was written to the copy of its arena and what is to be
// read. It notes no byte more: what lies between is the module's, which may have written there.

// note says that a part of the arena was written. What lies side by side is joined.
func (in *Instance) note(at, size uint32) {
	if size == 0 {
		return
	}
	if n := len(in.call.Written); n > 0 {
		if last := &in.call.Written[n-1]; last.At+last.Size == at {
			last.Size += size
			return
		}
	}
	in.call.Written = append(in.call.Written, Span{at, size})
}

// noteHead is about a frame's header and descriptors.
func (in *Instance) noteHead(f *frame) {
	in.note(f.at, abi.HeaderSize+abi.DescriptorSize*uint32(len(f.Columns)))
}

// noteDense is about what is written of a frame for so many rows that lie side by side.
func (in *Instance) noteDense(f *frame, rows int) {
	in.note(f.at+abi.OffRows, 8)
	for _, d := range f.Columns {
		in.note(f.at+d.Offset, 8*uint32(max(1, rows*int(d.Stride/8))))
	}
	in.call.Answers = Span{f.at + f.Answers, uint32(8 * f.Keys * rows)}
	in.note(in.call.Answers.At, in.call.Answers.Size)
}

// noteRows is about what is written of a frame that stays, where these rows changed.
func (in *Instance) noteRows(f *frame, rows []int32) {
	in.note(f.at+abi.OffRows, 4)
	for _, d := range f.Columns {
		for _, r := range rows {
			in.note(f.at+d.Offset+uint32(r)*d.Stride, 8)
		}
	}
}

// noteAsked is about what is written of a frame that stays to ask about rows.
func (in *Instance) noteAsked(f *frame, rows []int32) {
	in.note(f.at+abi.OffAsked, 4)
	size := uint32(8 * f.Keys)
	for _, r := range rows {
		in.note(f.at+f.Answers+uint32(r)*size, size)
	}
	in.note(f.at+f.Index, uint32(4*len(rows)))
	in.call.Answers = Span{f.at + f.Answers, uint32(f.Rows) * size}
}
