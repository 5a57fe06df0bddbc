package wire_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/goplugin/wire"
)

// full is a table of three rows sent in full; delta changes one of them.
var (
	full = wire.Delta{Header: wire.Header{Call: 1, Table: 2, Epoch: 3, Point: 4, Flags: wire.Full | wire.Dense, Keys: 1, Rows: 3},
		Descriptors: []wire.Column{{ID: 12, Arg: 1}, {ID: 18, Arg: 2}},
		Cols:        [][]float64{{1, 2, 3}, {4, 5, 6}}, Asked: []int32{0, 1, 2}, Texts: abi.Texts(1, []string{"vcore", "rack"})}
	delta = wire.Delta{Header: wire.Header{Call: 2, Table: 2, Epoch: 3, Point: 4, Keys: 1, Rows: 3},
		Cols: [][]float64{{1, 2, 3}, {4, 5, 6}}, Changed: []int32{1}, Asked: []int32{2, 1}}
)

// The bytes of protocol version 1, which programs in other languages go by.
func TestTheBytesAreFixed(t *testing.T) {
	expected := "0200000000000000" + "0200000000000000" + "0300000000000000" + // call, table, epoch
		"04000000" + "00000000" + "01000000" + "03000000" + // point, flags, keys, rows
		"02000000" + "01000000" + "02000000" + "00000000" + // columns, changed, asked, bytes of texts
		"01000000" + "0000000000000040" + "0000000000001440" + // row 1: 2, 5
		"02000000" + "01000000" // asked about 2, 1
	if found := hex.EncodeToString(delta.Append(nil)); found != expected {
		t.Errorf("the bytes of a request changed: expected\n%s, found\n%s", expected, found)
	}
	r := wire.Reply{Call: 2, Table: 2, Epoch: 3, Keys: 1, Rows: 1}
	expected = "0200000000000000" + "0200000000000000" + "0300000000000000" + "00000000" + "01000000" + "01000000" + "00000000" + "000000000000f03f"
	if found := hex.EncodeToString(wire.AppendAnswer(r.AppendHead(nil), 1)); found != expected {
		t.Errorf("the bytes of a reply changed: expected\n%s, found\n%s", expected, found)
	}
}

func TestARequestIsReadAsItWasWritten(t *testing.T) {
	data := full.Append(nil)
	if len(data) != full.Size() {
		t.Errorf("expected %d bytes, found %d", full.Size(), len(data))
	}
	r, err := wire.ReadRequest(data)
	if err != nil {
		t.Fatal(err)
	}
	if r.Call != 1 || r.Table != 2 || r.Epoch != 3 || r.Point != 4 || r.Rows != 3 || r.Header.Asked != 3 || r.AskedRow(2) != 2 || r.ChangedRow(1) != 1 {
		t.Errorf("expected what was written, found %+v", r.Header)
	}
	if d := r.Descriptor(1); d != full.Descriptors[1] {
		t.Errorf("expected the descriptor %v, found %v", full.Descriptors[1], d)
	}
	if !bytes.Equal(r.Texts, full.Texts) || number(r.Values(1), 2) != 6 {
		t.Errorf("expected texts %x and the last number 6, found %x, %v", full.Texts, r.Texts, number(r.Values(1), 2))
	}
	data = delta.Append(data[:0])
	if len(data) != delta.Size() {
		t.Errorf("expected %d bytes, found %d", delta.Size(), len(data))
	}
	if r, err = wire.ReadRequest(data); err != nil {
		t.Fatal(err)
	}
	if r.ChangedRow(0) != 1 || number(r.Values(0), 0) != 2 || number(r.Values(1), 0) != 5 || r.AskedRow(0) != 2 || r.AskedRow(1) != 1 {
		t.Error("expected row 1 with 2 and 5, and rows 2 and 1 to be asked about")
	}
}

func number(values []byte, i int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(values[8*i:]))
}

func TestBadRequests(t *testing.T) {
	cases := []struct {
		name     string
		from     wire.Delta
		at       int // of the u32 that is overwritten
		v        uint32
		expected string
	}{
		{"point 0", delta, 24, 0, "point: expected 1 to 6, found 0"},
		{"point 7", delta, 24, 7, "point: expected 1 to 6, found 7"},
		{"an unknown flag", delta, 28, 4, "flags: expected 3 at most, found 4"},
		{"no keys", delta, 32, 0, "keys: expected 1 to 8, found 0"},
		{"nine keys", delta, 32, 9, "keys: expected 1 to 8, found 9"},
		{"fewer rows than changed", delta, 36, 0, "found 1 and 2 of 0"},
		{"fewer rows than asked about", delta, 36, 1, "found 1 and 2 of 1"},
		{"a row that is not there", delta, 36, 2, "expected rows below 2, found 2"},
		{"a table without end", delta, 36, math.MaxUint32, "expected a table of at most"},
		{"too many columns", delta, 40, 65, "columns: expected at most 64, found 65"},
		{"fewer columns than sent", delta, 40, 1, "expected 20 bytes after the header, found 28"},
		{"more texts than sent", delta, 52, 1, "expected 29 bytes after the header, found 28"},
		{"not all of a table in full", full, 44, 2, "expected all 3 rows of a table in full, found 2"},
		{"dense, but not all", full, 48, 2, "expected all 3 rows to be asked about, found 2"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			data := c.from.Append(nil)
			binary.LittleEndian.PutUint32(data[c.at:], c.v)
			if _, err := wire.ReadRequest(data); err == nil || !strings.Contains(err.Error(), c.expected) {
				t.Errorf("expected an error with %q, found %v", c.expected, err)
			}
		})
	}
	if _, err := wire.ReadRequest(make([]byte, wire.HeaderSize-1)); err == nil {
		t.Error("expected an error for a message that is too short, found none")
	}
}

func TestAReplyIsReadAsItWasWritten(t *testing.T) {
	r := wire.Reply{Call: 7, Table: 8, Epoch: 9, Keys: 2, Rows: 2, Text: "is left out"}
	data := r.AppendHead(nil)
	for i := range 4 {
		data = wire.AppendAnswer(data, float64(i))
	}
	found, err := wire.ReadReply(data)
	if err != nil || found.Call != 7 || found.Table != 8 || found.Epoch != 9 || found.Answer(1, 0) != 2 || found.Text != "" {
		t.Errorf("expected what was written, found %+v, %v", found, err)
	}
	r = wire.Reply{Call: 7, Code: 3, Text: strings.Repeat("x", 2*abi.MaxErrorText)}
	if found, err = wire.ReadReply(r.AppendHead(nil)); err != nil || found.Code != 3 || len(found.Text) != abi.MaxErrorText {
		t.Errorf("expected a text of %d bytes, found %d, %v", abi.MaxErrorText, len(found.Text), err)
	}
	if _, err := wire.ReadReply(data[:len(data)-1]); err == nil || !strings.Contains(err.Error(), "32 bytes in all, found 31") {
		t.Errorf("expected an error for a reply that was cut, found %v", err)
	}
}

// What is read can be walked, whatever the bytes.
func FuzzRequest(f *testing.F) {
	f.Add(full.Append(nil))
	f.Add(delta.Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := wire.ReadRequest(data)
		if err != nil {
			return
		}
		for i := range int(r.Header.Asked) {
			if row := r.AskedRow(i); row >= int(r.Rows) {
				t.Fatalf("expected rows below %d, found %d", r.Rows, row)
			}
		}
		for i := range int(r.Header.Changed) {
			if row := r.ChangedRow(i); row >= int(r.Rows) {
				t.Fatalf("expected rows below %d, found %d", r.Rows, row)
			}
		}
		for i := range int(r.Columns) {
			if len(r.Values(i)) != 8*int(r.Header.Changed) {
				t.Fatalf("expected a number for each row that changed, found %d bytes", len(r.Values(i)))
			}
			if r.Flags&wire.Full != 0 {
				r.Descriptor(i)
			}
		}
	})
}

func FuzzReply(f *testing.F) {
	r := wire.Reply{Call: 7, Keys: 1, Rows: 1}
	f.Add(wire.AppendAnswer(r.AppendHead(nil), 1))
	f.Add((&wire.Reply{Code: 3, Text: "no"}).AppendHead(nil))
	f.Fuzz(func(_ *testing.T, data []byte) {
		r, err := wire.ReadReply(data)
		if err != nil {
			return
		}
		for i := range int(r.Rows) {
			for j := range int(r.Keys) {
				r.Answer(i, j)
			}
		}
	})
}
