package abi

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"runtime"
	"unsafe"

	"github.com/quern-project/quern/sdk/internal/errfmt"
)

// Sizes of the parts of a frame, in bytes, in this version. A reader goes by the sizes that the frame itself states.
const (
	HeaderSize     = 48
	DescriptorSize = 16
)

// Offsets of the header's fields, each a little-endian u32.
const (
	OffSize           = 0  // of the header: the descriptors begin there
	OffVersion        = 4  // Major<<16 | Minor of who wrote the frame
	OffRows           = 8  // n: rows there are
	OffAsked          = 12 // k: rows to answer
	OffEpoch          = 16 // changes when every row was written again
	OffFlags          = 20
	OffKeys           = 24 // numbers in an answer
	OffColumns        = 28 // descriptors there are
	OffIndex          = 32 // of k u32: the rows to answer, counted from 0, none twice
	OffAnswers        = 36 // of n*keys f64: answer j of a row is at row*keys+j
	OffDescriptorSize = 40
	OffReserved       = 44 // 0
)

// Flags of a frame.
const (
	Dense = 1 << 0 // the rows to answer are 0 to n-1, in this order
)

// A Descriptor says where a column is: the value of row r is the f64 at Offset + r*Stride.
type Descriptor struct {
	Column ColumnID
	Arg    uint32 // the code, in the dictionary, of what stands behind the colon; 0 where nothing does
	Offset uint32 // from the start of the frame, in bytes
	Stride uint32 // in bytes; 0: one number for all rows
}

// A Layout says where the parts of a frame are, in bytes from its start. Every f64 is aligned to 8.
type Layout struct {
	Rows, Asked, Keys int
	Columns           []Descriptor
	Index, Answers    uint32
	Size              uint32
}

// Shape is what a Layout is made from: the columns in the order of the manifest, and which of them hold one number for
// all rows.
type Shape struct {
	Rows, Asked, Keys int
	Columns           []Column
}

// A Column of a Shape.
type Column struct {
	ID       ColumnID
	Arg      uint32
	Constant bool
}

// ErrShape is wrapped by errors about frames that cannot be.
var ErrShape = errors.New("frame")

// Lay places the parts of a frame one behind the other: header, descriptors, columns, answers, index. It fails where the
// frame would pass 2^31 bytes or a bound of the contract.
func Lay(s Shape) (Layout, error) {
	switch {
	case s.Rows < 0 || s.Asked < 0 || s.Asked > s.Rows:
		return Layout{}, errfmt.Errorf("%w: expected at most as many rows asked about as there are, found %d of %d", ErrShape, s.Asked, s.Rows)
	case s.Keys < 1 || s.Keys > MaxKeys:
		return Layout{}, errfmt.Errorf("%w: expected 1 to %d keys, found %d", ErrShape, MaxKeys, s.Keys)
	case len(s.Columns) > MaxColumns:
		return Layout{}, errfmt.Errorf("%w: expected at most %d columns, found %d", ErrShape, MaxColumns, len(s.Columns))
	}
	at := uint64(HeaderSize + DescriptorSize*len(s.Columns))
	l := Layout{Rows: s.Rows, Asked: s.Asked, Keys: s.Keys}
	for _, c := range s.Columns {
		d := Descriptor{Column: c.ID, Arg: c.Arg, Offset: uint32(at), Stride: 8}
		if c.Constant {
			d.Stride = 0
			at += 8
		} else {
			at += 8 * uint64(s.Rows)
		}
		l.Columns = append(l.Columns, d)
	}
	l.Answers = uint32(at)
	at += 8 * uint64(s.Rows) * uint64(s.Keys)
	l.Index = uint32(at)
	at += 4 * uint64(s.Asked)
	at = (at + 7) &^ 7
	if at > math.MaxInt32 {
		return Layout{}, errfmt.Errorf("%w: %d rows of %d columns and %d keys pass 2 GiB", ErrShape, s.Rows, len(s.Columns), s.Keys)
	}
	l.Size = uint32(at)
	return l, nil
}

// PutHeader writes the header and the descriptors of a layout at the start of frame.
func (l *Layout) PutHeader(frame []byte, epoch, flags uint32) {
	put := binary.LittleEndian.PutUint32
	put(frame[OffSize:], HeaderSize)
	put(frame[OffVersion:], Version)
	put(frame[OffRows:], uint32(l.Rows))
	put(frame[OffAsked:], uint32(l.Asked))
	put(frame[OffEpoch:], epoch)
	put(frame[OffFlags:], flags)
	put(frame[OffKeys:], uint32(l.Keys))
	put(frame[OffColumns:], uint32(len(l.Columns)))
	put(frame[OffIndex:], l.Index)
	put(frame[OffAnswers:], l.Answers)
	put(frame[OffDescriptorSize:], DescriptorSize)
	put(frame[OffReserved:], 0)
	for i, d := range l.Columns {
		at := frame[HeaderSize+i*DescriptorSize:]
		put(at, uint32(d.Column))
		put(at[4:], d.Arg)
		put(at[8:], d.Offset)
		put(at[12:], d.Stride)
	}
}

// A Frame is a frame that was read: its header and descriptors, checked against the bytes there are. One Frame may be
// reset for frame after frame; it allocates only where a frame has more columns than any before.
//
// Columns, answers and index are views of the frame's own bytes as numbers, so that reading one costs a bounds check
// and a load: in WebAssembly a third of what putting it together from bytes costs.
type Frame struct {
	Layout
	Version, Epoch, Flags uint32
	bytes                 []byte
	words                 []uint32 // the same bytes
	index                 []uint32 // nil: the rows to answer are 0 to Rows-1
	answers               []float64
	views                 []View
}

// A View is a column of a frame, good until the frame is reset.
type View struct {
	values []float64
	step   int // values from one row to the next
}

// Read checks a frame and returns what it holds, without copying the columns. Frames of a later minor version, with a
// longer header or longer descriptors, are read as far as this version knows them. The bytes must be aligned to 8.
func Read(frame []byte) (*Frame, error) {
	f := &Frame{}
	if err := f.Reset(frame); err != nil {
		return nil, err
	}
	return f, nil
}

// Reset makes f the frame in these bytes, as Read does. After an error f holds nothing that may be used.
func (f *Frame) Reset(frame []byte) error {
	if len(frame) < HeaderSize || misaligned(frame) {
		return errfmt.Errorf("%w: expected a header of %d bytes aligned to 8, found %d bytes", ErrShape, HeaderSize, len(frame))
	}
	f.bytes, f.Size = frame, uint32(len(frame))
	f.words = unsafe.Slice((*uint32)(unsafe.Pointer(&frame[0])), len(frame)/4)
	f.Version, f.Epoch, f.Flags = f.word(OffVersion), f.word(OffEpoch), f.word(OffFlags)
	size, stride, columns := f.word(OffSize), f.word(OffDescriptorSize), f.word(OffColumns)
	rows, asked, keys := f.word(OffRows), f.word(OffAsked), f.word(OffKeys)
	switch {
	case f.Version>>16 != Major:
		return errfmt.Errorf("%w: expected version %d, found %d", ErrShape, Major, f.Version>>16)
	case size < HeaderSize || stride < DescriptorSize || stride%4 != 0 || columns > MaxColumns || keys < 1 || keys > MaxKeys || asked > rows || rows > math.MaxInt32/8:
		return errfmt.Errorf("%w: header of %d bytes, %d rows, %d asked, %d keys, %d columns of %d bytes", ErrShape, size, rows, asked, keys, columns, stride)
	}
	f.Rows, f.Asked, f.Keys = int(rows), int(asked), int(keys)
	f.Index, f.Answers = f.word(OffIndex), f.word(OffAnswers)
	if !f.holds(size, uint64(columns)*uint64(stride), 4) {
		return f.outside("descriptors", size)
	}
	f.Columns, f.views = f.Columns[:0], f.views[:0]
	for at := size; at != size+columns*stride; at += stride {
		d := Descriptor{ColumnID(f.word(at)), f.word(at + 4), f.word(at + 8), f.word(at + 12)}
		if err := f.addColumn(d); err != nil {
			return err
		}
	}
	if !f.holds(f.Answers, 8*uint64(rows)*uint64(keys), 8) {
		return f.outside("answers", f.Answers)
	}
	f.answers = f.numbers(f.Answers, rows*keys)
	return f.readIndex()
}

// addColumn checks a column against the bytes there are. A stride of any other multiple would take a column out of line.
func (f *Frame) addColumn(d Descriptor) error {
	f.Columns = append(f.Columns, d)
	if f.Rows == 0 {
		f.views = append(f.views, View{})
		return nil
	}
	span := 8 + uint64(f.Rows-1)*uint64(d.Stride)
	if d.Stride%8 != 0 || !f.holds(d.Offset, span, 8) {
		return f.outside("column", d.Offset)
	}
	f.views = append(f.views, View{f.numbers(d.Offset, uint32(span/8)), int(d.Stride / 8)})
	return nil
}

// readIndex need not look at the rows of a dense frame.
func (f *Frame) readIndex() error {
	if !f.holds(f.Index, 4*uint64(f.Asked), 4) {
		return f.outside("index", f.Index)
	}
	f.index = nil
	if f.Asked == 0 || f.Flags&Dense != 0 && f.Asked == f.Rows {
		return nil
	}
	f.index = f.words[f.Index/4 : int(f.Index/4)+f.Asked]
	for i := range f.index {
		if r := f.Row(i); r >= f.Rows {
			return errfmt.Errorf("%w: index: expected rows below %d, found %d", ErrShape, f.Rows, r)
		}
	}
	return nil
}

func (f *Frame) holds(at uint32, size uint64, align uint32) bool {
	return uint64(at)+size <= uint64(len(f.bytes)) && at%align == 0
}

func (f *Frame) outside(part string, at uint32) error {
	return errfmt.Errorf("%w: %s: expected them in line and within %d bytes, found them at %d", ErrShape, part, len(f.bytes), at)
}

func misaligned(frame []byte) bool { return uintptr(unsafe.Pointer(unsafe.SliceData(frame)))%8 != 0 }

// word is the u32 at an offset that was checked.
func (f *Frame) word(at uint32) uint32 {
	if bigEndian {
		return bits.ReverseBytes32(f.words[at/4])
	}
	return f.words[at/4]
}

// numbers is n numbers from an offset on that was checked, for the span and for its alignment.
func (f *Frame) numbers(at, n uint32) []float64 {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*float64)(unsafe.Pointer(&f.bytes[at])), n)
}

// bigEndian says that the bytes of this machine's numbers stand the other way round than a frame's.
const bigEndian = runtime.GOARCH == "s390x" || runtime.GOARCH == "ppc64" || runtime.GOARCH == "mips" || runtime.GOARCH == "mips64"

func ordered(v float64) float64 {
	if bigEndian {
		return math.Float64frombits(bits.ReverseBytes64(math.Float64bits(v)))
	}
	return v
}

// Row is the i-th row to answer.
func (f *Frame) Row(i int) int {
	if f.index == nil {
		return i
	}
	if bigEndian {
		return int(bits.ReverseBytes32(f.index[i]))
	}
	return int(f.index[i])
}

// Column is the column of descriptor i.
func (f *Frame) Column(i int) View { return f.views[i] }

// At is the number for a row.
func (v View) At(row int) float64 { return ordered(v.values[row*v.step]) }

// Value is the number in a column for a row.
func (f *Frame) Value(column, row int) float64 { return f.views[column].At(row) }

// Answer writes key j of a row's answer.
func (f *Frame) Answer(row, j int, v float64) { f.answers[row*f.Keys+j] = ordered(v) }

// Answered reads key j of a row's answer.
func (f *Frame) Answered(row, j int) float64 { return ordered(f.answers[row*f.Keys+j]) }
