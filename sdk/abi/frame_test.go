package abi_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
)

// small is a frame of three nodes with two columns, the second one number for all, of which rows 2 and 0 are asked about.
func small(t testing.TB) []byte {
	t.Helper()
	l, err := abi.Lay(abi.Shape{Rows: 3, Asked: 2, Keys: 1, Columns: []abi.Column{{ID: 12, Arg: 1}, {ID: 13, Arg: 1, Constant: true}}})
	if err != nil {
		t.Fatal(err)
	}
	frame := aligned(make([]byte, l.Size))
	l.PutHeader(frame, 1, 0)
	binary.LittleEndian.PutUint32(frame[l.Index:], 2)
	return frame
}

func TestFramesThatCannotBeAreRefused(t *testing.T) {
	const (
		column   = abi.HeaderSize
		constant = column + abi.DescriptorSize
	)
	cases := []struct {
		name string
		at   int
		word uint32
	}{
		{"a header that is too short", abi.OffSize, abi.HeaderSize - 4},
		{"a header behind the end", abi.OffSize, 1 << 30},
		{"a header out of line", abi.OffSize, abi.HeaderSize + 2},
		{"another major version", abi.OffVersion, (abi.Major + 1) << 16},
		{"rows behind the end", abi.OffRows, 1000},
		{"more rows than there can be", abi.OffRows, 1 << 31},
		{"more rows asked about than there are", abi.OffAsked, 4},
		{"no keys", abi.OffKeys, 0},
		{"too many keys", abi.OffKeys, abi.MaxKeys + 1},
		{"too many columns", abi.OffColumns, abi.MaxColumns + 1},
		{"an index behind the end", abi.OffIndex, 1 << 20},
		{"an index out of line", abi.OffIndex, 49},
		{"answers behind the end", abi.OffAnswers, 0xfffffff8},
		{"answers out of line", abi.OffAnswers, 100},
		{"short descriptors", abi.OffDescriptorSize, abi.DescriptorSize - 4},
		{"descriptors out of line", abi.OffDescriptorSize, abi.DescriptorSize + 1},
		{"a column behind the end", column + 8, 1 << 20},
		{"a column out of line", column + 8, 84},
		{"a stride out of line", column + 12, 4},
		{"a stride that leads out", column + 12, 1 << 16},
		{"a constant behind the end", constant + 8, 0xfffffff8},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			frame := small(t)
			if _, err := abi.Read(frame); err != nil {
				t.Fatalf("before: %v", err)
			}
			binary.LittleEndian.PutUint32(frame[c.at:], c.word)
			if f, err := abi.Read(frame); !errors.Is(err, abi.ErrShape) {
				t.Errorf("expected it to be refused, found %+v, %v", f, err)
			}
		})
	}
}

func TestARowThatDoesNotExistIsRefused(t *testing.T) {
	frame := small(t)
	binary.LittleEndian.PutUint32(frame[binary.LittleEndian.Uint32(frame[abi.OffIndex:]):], 3)
	if _, err := abi.Read(frame); !errors.Is(err, abi.ErrShape) {
		t.Errorf("expected row 3 of 3 to be refused, found %v", err)
	}
}

func TestAFrameThatWasCutIsRefused(t *testing.T) {
	whole := small(t)
	for size := range len(whole) { // it ends with its index, and without padding
		if _, err := abi.Read(aligned(whole[:size])); !errors.Is(err, abi.ErrShape) {
			t.Errorf("%d of %d bytes: expected it to be refused, found %v", size, len(whole), err)
		}
	}
}

func TestBytesOutOfLineAreRefused(t *testing.T) {
	room := aligned(make([]byte, 200))
	copy(room[1:], small(t))
	if _, err := abi.Read(room[1:]); !errors.Is(err, abi.ErrShape) {
		t.Errorf("expected a frame at an odd address to be refused, found %v", err)
	}
}

func TestShapesThatCannotBeAreRefused(t *testing.T) {
	cases := map[string]abi.Shape{
		"fewer rows than none":     {Rows: -1, Keys: 1},
		"more asked than there":    {Rows: 1, Asked: 2, Keys: 1},
		"no keys":                  {Rows: 1, Asked: 1},
		"too many keys":            {Rows: 1, Asked: 1, Keys: abi.MaxKeys + 1},
		"too many columns":         {Rows: 1, Asked: 1, Keys: 1, Columns: make([]abi.Column, abi.MaxColumns+1)},
		"more than a memory holds": {Rows: 1 << 28, Keys: 1},
	}
	for name, s := range cases {
		t.Run(name, func(t *testing.T) {
			if l, err := abi.Lay(s); !errors.Is(err, abi.ErrShape) {
				t.Errorf("expected it to be refused, found %+v, %v", l, err)
			}
		})
	}
}
