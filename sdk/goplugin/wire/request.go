package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/quern-project/quern/sdk/abi"
)

// ErrMessage is wrapped by errors about messages that cannot be.
var ErrMessage = errors.New("message")

// Header is the fixed part of a Request. All numbers of the protocol are little-endian; the fields are in this order.
type Header struct {
	Call  uint64 // counts up; the reply repeats it
	Table uint64 // names the table; never given out twice
	Epoch uint64 // of the table: changes when every row was written again
	Point uint32 // number of the point, from 1, in abi.Points
	Flags uint32 // Full, Dense
	Keys  uint32 // numbers in an answer
	Rows  uint32 // rows there are
	// Columns, Changed, Asked and TextBytes count what follows the header, in this order:
	// with Full, for each column its identifier and its argument's code, u32 each; else the rows that changed, u32 each;
	// for each column the f64 of the rows that changed, or with Full of all rows;
	// unless Dense, the rows to answer, u32 each;
	// texts that are new since the last call of any table, as abi.Texts writes them.
	Columns, Changed, Asked, TextBytes uint32
}

// Flags of a Request.
const (
	Full  = 1 << 0 // all rows and the columns' descriptors are here; what was known of the table is void
	Dense = 1 << 1 // the rows to answer are all, in order
)

// HeaderSize is the size of a Header in bytes.
const HeaderSize = 56

// Delta is a Request as a host makes it.
type Delta struct {
	Header               // Columns, Changed, Asked and TextBytes are set by Append
	Descriptors []Column // with Full
	Cols        [][]float64
	Changed     []int32 // without Full
	Asked       []int32
	Texts       []byte
}

// Column is the descriptor of a column.
type Column struct {
	ID  abi.ColumnID
	Arg uint32 // code of the argument, 0 where there is none
}

// Size is how many bytes Append adds.
func (d *Delta) Size() int {
	rows, asked := len(d.Changed), len(d.Asked)
	size := HeaderSize + len(d.Texts)
	if d.Flags&Full != 0 {
		rows = int(d.Rows)
		size += 8 * len(d.Cols)
	} else {
		size += 4 * rows
	}
	if d.Flags&Dense == 0 {
		size += 4 * asked
	}
	return size + 8*rows*len(d.Cols)
}

// Append writes the request behind buf.
func (d *Delta) Append(buf []byte) []byte {
	h := d.Header
	h.Columns, h.Changed, h.Asked, h.TextBytes = uint32(len(d.Cols)), uint32(len(d.Changed)), uint32(len(d.Asked)), uint32(len(d.Texts))
	if h.Flags&Full != 0 {
		h.Changed = h.Rows
	}
	le := binary.LittleEndian
	for _, v := range []uint64{h.Call, h.Table, h.Epoch} {
		buf = le.AppendUint64(buf, v)
	}
	for _, v := range []uint32{h.Point, h.Flags, h.Keys, h.Rows, h.Columns, h.Changed, h.Asked, h.TextBytes} {
		buf = le.AppendUint32(buf, v)
	}
	buf = d.appendValues(buf)
	if h.Flags&Dense == 0 {
		for _, r := range d.Asked {
			buf = le.AppendUint32(buf, uint32(r))
		}
	}
	return append(buf, d.Texts...)
}

func (d *Delta) appendValues(buf []byte) []byte {
	le := binary.LittleEndian
	if d.Flags&Full != 0 {
		for _, c := range d.Descriptors {
			buf = le.AppendUint32(le.AppendUint32(buf, uint32(c.ID)), c.Arg)
		}
		for _, col := range d.Cols {
			for _, v := range col[:d.Rows] {
				buf = le.AppendUint64(buf, math.Float64bits(v))
			}
		}
		return buf
	}
	for _, r := range d.Changed {
		buf = le.AppendUint32(buf, uint32(r))
	}
	for _, col := range d.Cols {
		for _, r := range d.Changed {
			buf = le.AppendUint64(buf, math.Float64bits(col[r]))
		}
	}
	return buf
}

// Request is a request as a plugin reads it. Its parts lie in the message and are good as long as that is.
type Request struct {
	Header
	Texts                               []byte // empty where there are none
	descriptors, changed, values, asked []byte
}

// ReadRequest checks a message and returns the request in it.
func ReadRequest(data []byte) (Request, error) {
	var r Request
	if len(data) < HeaderSize {
		return r, fmt.Errorf("%w: request: expected a header of %d bytes, found %d", ErrMessage, HeaderSize, len(data))
	}
	r.readHeader(data)
	if err := r.check(); err != nil {
		return r, fmt.Errorf("%w: request: %w", ErrMessage, err)
	}
	columns, changed, asked := uint64(r.Columns), uint64(r.Header.Changed), uint64(r.Header.Asked)
	sizes := [5]uint64{0, 4 * changed, 8 * columns * changed, 4 * asked, uint64(r.TextBytes)}
	if r.Flags&Full != 0 {
		sizes[0], sizes[1] = 8*columns, 0
	}
	if r.Flags&Dense != 0 {
		sizes[3] = 0
	}
	rest := data[HeaderSize:]
	if sum := sizes[0] + sizes[1] + sizes[2] + sizes[3] + sizes[4]; sum != uint64(len(rest)) {
		return r, fmt.Errorf("%w: request: expected %d bytes after the header, found %d", ErrMessage, sum, len(rest))
	}
	for i, part := range []*[]byte{&r.descriptors, &r.changed, &r.values, &r.asked, &r.Texts} {
		*part, rest = rest[:sizes[i]], rest[sizes[i]:]
	}
	return r, r.checkRows()
}

func (r *Request) readHeader(data []byte) {
	le := binary.LittleEndian
	for i, field := range []*uint64{&r.Call, &r.Table, &r.Epoch} {
		*field = le.Uint64(data[8*i:])
	}
	h := &r.Header
	for i, field := range []*uint32{&h.Point, &h.Flags, &h.Keys, &h.Rows, &h.Columns, &h.Changed, &h.Asked, &h.TextBytes} {
		*field = le.Uint32(data[24+4*i:])
	}
}

// check looks at the header alone; what passes cannot overflow.
func (r *Request) check() error {
	h := &r.Header
	switch {
	case h.Point < 1 || h.Point > uint32(len(abi.Points)):
		return fmt.Errorf("point: expected 1 to %d, found %d", len(abi.Points), h.Point)
	case h.Keys < 1 || h.Keys > abi.MaxKeys:
		return fmt.Errorf("keys: expected 1 to %d, found %d", abi.MaxKeys, h.Keys)
	case h.Columns > abi.MaxColumns:
		return fmt.Errorf("columns: expected at most %d, found %d", abi.MaxColumns, h.Columns)
	case h.Changed > h.Rows || h.Asked > h.Rows:
		return fmt.Errorf("expected at most as many rows changed and asked about as there are, found %d and %d of %d", h.Changed, h.Asked, h.Rows)
	case h.Flags&Full != 0 && h.Changed != h.Rows:
		return fmt.Errorf("expected all %d rows of a table in full, found %d", h.Rows, h.Changed)
	case h.Flags&Dense != 0 && h.Asked != h.Rows:
		return fmt.Errorf("expected all %d rows to be asked about, found %d", h.Rows, h.Asked)
	case h.Flags&^(Full|Dense) != 0:
		return fmt.Errorf("flags: expected %d at most, found %d", Full|Dense, h.Flags)
	case 8*uint64(h.Rows)*uint64(h.Columns+h.Keys) > MaxResident:
		return fmt.Errorf("expected a table of at most %d bytes, found %d rows of %d columns and %d keys", MaxResident, h.Rows, h.Columns, h.Keys)
	}
	return nil
}

func (r *Request) checkRows() error {
	for _, rows := range [2][]byte{r.changed, r.asked} {
		for i := 0; i < len(rows); i += 4 {
			if row := binary.LittleEndian.Uint32(rows[i:]); row >= r.Rows {
				return fmt.Errorf("%w: request: expected rows below %d, found %d", ErrMessage, r.Rows, row)
			}
		}
	}
	return nil
}

// Descriptor is the descriptor of column i of a table in full.
func (r *Request) Descriptor(i int) Column {
	at := r.descriptors[8*i:]
	return Column{abi.ColumnID(binary.LittleEndian.Uint32(at)), binary.LittleEndian.Uint32(at[4:])}
}

// ChangedRow is the i-th row that changed.
func (r *Request) ChangedRow(i int) int {
	if r.Flags&Full != 0 {
		return i
	}
	return int(binary.LittleEndian.Uint32(r.changed[4*i:]))
}

// Values are the f64 of a column, for each row that changed.
func (r *Request) Values(column int) []byte {
	size := 8 * int(r.Header.Changed)
	return r.values[column*size : (column+1)*size]
}

// AskedRow is the i-th row to answer.
func (r *Request) AskedRow(i int) int {
	if r.Flags&Dense != 0 {
		return i
	}
	return int(binary.LittleEndian.Uint32(r.asked[4*i:]))
}
