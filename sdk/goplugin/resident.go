package goplugin

import (
	"container/list"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/goplugin/wire"
)

// residents are the tables that the plugin keeps, each in the bytes of a frame. Bounded in number and in bytes: the table
// that was used longest ago goes first, and the host sends it in full when it comes up again.
type residents struct {
	byID     map[uint64]*list.Element // of order
	order    *list.List               // of *resident, the latest first
	maxCount int
	maxBytes int
	bytes    int // sum over order; at most maxBytes
}

func newResidents(count, bytes int) residents {
	return residents{byID: map[uint64]*list.Element{}, order: list.New(), maxCount: count, maxBytes: bytes}
}

// resident is one table. Its frame has room for more rows than there are, so that it seldom moves.
type resident struct {
	id, epoch  uint64
	point      uint32
	capacity   int // rows there is room for
	generation uint32
	layout     abi.Layout
	bytes      []byte
	frame      abi.Frame // over bytes
}

// update brings the table of a request up to date and lays its frame out. It returns nil where the table is not here.
func (rs *residents) update(req *wire.Request) (*resident, error) {
	t, err := rs.find(req)
	if t == nil || err != nil {
		return nil, err
	}
	for i := range int(req.Columns) {
		t.write(req, i)
	}
	index := t.bytes[t.layout.Index:]
	flags := uint32(0)
	if req.Flags&wire.Dense != 0 {
		flags = abi.Dense
	}
	for i := range int(req.Header.Asked) {
		binary.LittleEndian.PutUint32(index[4*i:], uint32(req.AskedRow(i)))
	}
	t.layout.Rows, t.layout.Asked = int(req.Rows), int(req.Header.Asked)
	t.layout.PutHeader(t.bytes, t.generation, flags)
	if err := t.frame.Reset(t.bytes); err != nil {
		return nil, err
	}
	t.forget(req)
	return t, nil
}

// forget makes the answers that are asked for no numbers, so that a policy that leaves one out is found out.
func (t *resident) forget(req *wire.Request) {
	for i := range int(req.Header.Asked) {
		for j := range t.frame.Keys {
			t.frame.Answer(req.AskedRow(i), j, math.NaN())
		}
	}
}

// find returns the table with room for the rows of the request: a new one for a full request, nil if it is missing.
func (rs *residents) find(req *wire.Request) (*resident, error) {
	e := rs.byID[req.Table]
	if req.Flags&wire.Full != 0 {
		generation := uint32(0)
		if e != nil {
			generation = e.Value.(*resident).generation
			rs.drop(e)
		}
		t := &resident{id: req.Table, epoch: req.Epoch, point: req.Point, generation: generation}
		columns := make([]abi.Column, req.Columns)
		for i := range columns {
			d := req.Descriptor(i)
			columns[i] = abi.Column{ID: d.ID, Arg: d.Arg}
		}
		return t, rs.place(t, columns, int(req.Rows), int(req.Keys))
	}
	if e == nil {
		return nil, nil
	}
	t := e.Value.(*resident)
	if t.epoch != req.Epoch || t.point != req.Point || len(t.layout.Columns) != int(req.Columns) || t.layout.Keys != int(req.Keys) {
		return nil, nil
	}
	rs.order.MoveToFront(e)
	if int(req.Rows) > t.capacity {
		return t, rs.grow(e, int(req.Rows))
	}
	return t, nil
}

// place lays a table out and makes room for it among the others.
func (rs *residents) place(t *resident, columns []abi.Column, rows, keys int) error {
	layout, err := abi.Lay(abi.Shape{Rows: rows, Asked: rows, Keys: keys, Columns: columns})
	if err != nil {
		return err
	}
	if int(layout.Size) > rs.maxBytes {
		return fmt.Errorf("expected a table of at most %d bytes, found one of %d rows, %d bytes", rs.maxBytes, rows, layout.Size)
	}
	for rs.order.Len() > 0 && (rs.order.Len() >= rs.maxCount || rs.bytes+int(layout.Size) > rs.maxBytes) {
		rs.drop(rs.order.Back())
	}
	t.layout, t.capacity, t.bytes = layout, rows, make([]byte, layout.Size)
	t.generation++
	rs.bytes += len(t.bytes)
	rs.byID[t.id] = rs.order.PushFront(t)
	return nil
}

// grow moves a table to a larger frame: twice the rows, or as many as fit.
func (rs *residents) grow(e *list.Element, rows int) error {
	t := e.Value.(*resident)
	was, old := t.layout, t.bytes
	columns := make([]abi.Column, len(was.Columns))
	for i, d := range was.Columns {
		columns[i] = abi.Column{ID: d.Column, Arg: d.Arg}
	}
	capacity := max(rows, 2*t.capacity)
	if size := capacity * (8*(len(columns)+was.Keys) + 4); size > rs.maxBytes/2 {
		capacity = rows
	}
	kept := t.capacity
	rs.drop(e)
	if err := rs.place(t, columns, capacity, was.Keys); err != nil {
		return err
	}
	for i, d := range was.Columns {
		copy(t.bytes[t.layout.Columns[i].Offset:], old[d.Offset:int(d.Offset)+8*kept])
	}
	return nil
}

func (rs *residents) drop(e *list.Element) {
	t := rs.order.Remove(e).(*resident)
	delete(rs.byID, t.id)
	rs.bytes -= len(t.bytes)
}

// write writes the rows of a column that changed.
func (t *resident) write(req *wire.Request, column int) {
	values, into := req.Values(column), t.bytes[t.layout.Columns[column].Offset:]
	if req.Flags&wire.Full != 0 {
		copy(into, values)
		return
	}
	for i := range int(req.Header.Changed) {
		copy(into[8*req.ChangedRow(i):], values[8*i:8*i+8])
	}
}

// answers writes the reply, whose head is filled in, with the answers of the frame.
func (t *resident) answers(req *wire.Request, reply *wire.Reply) []byte {
	buf := reply.AppendHead(make([]byte, 0, wire.ReplySize+8*int(reply.Keys)*int(reply.Rows)))
	for i := range int(reply.Rows) {
		row := req.AskedRow(i)
		for j := range int(reply.Keys) {
			buf = wire.AppendAnswer(buf, t.frame.Answered(row, j))
		}
	}
	return buf
}
