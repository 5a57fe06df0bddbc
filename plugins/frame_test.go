package plugins_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
)

// frame is a frame as a host lays it out.
type frame struct {
	abi.Layout
	bytes []byte
}

func newFrame(t testing.TB, s abi.Shape, flags uint32) *frame {
	t.Helper()
	l, err := abi.Lay(s)
	if err != nil {
		t.Fatal(err)
	}
	f := &frame{l, make([]byte, l.Size)}
	l.PutHeader(f.bytes, 1, flags)
	for i := range s.Asked {
		binary.LittleEndian.PutUint32(f.bytes[int(l.Index)+4*i:], uint32(i))
	}
	return f
}

func (f *frame) set(column, row int, v float64) {
	d := f.Columns[column]
	binary.LittleEndian.PutUint64(f.bytes[int(d.Offset)+row*int(d.Stride):], bits(v))
}

func (f *frame) answered(t testing.TB, after []byte, row, key int) float64 {
	t.Helper()
	read, err := abi.Read(after)
	if err != nil {
		t.Fatal(err)
	}
	return read.Answered(row, key)
}

func bits(v float64) uint64 { return math.Float64bits(v) }

// ask makes a row the i-th to answer.
func (f *frame) ask(i, row int) {
	binary.LittleEndian.PutUint32(f.bytes[int(f.Index)+4*i:], uint32(row))
}
