package abi_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
)

// FuzzRead holds Read to its word: what it accepts can be read and answered, row by row, without leaving the frame.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("golden/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("golden frames: %v, %v", files, err)
	}
	for _, file := range files {
		f.Add(unhex(f, readGolden(f, file).Frame))
	}
	f.Add(slices.Clone(small(f)))
	f.Fuzz(func(t *testing.T, data []byte) {
		frame, err := abi.Read(aligned(data))
		if err != nil {
			return
		}
		if len(frame.Columns) > abi.MaxColumns || frame.Keys < 1 || frame.Keys > abi.MaxKeys || frame.Asked > frame.Rows {
			t.Fatalf("accepted %d columns, %d keys, %d of %d rows", len(frame.Columns), frame.Keys, frame.Asked, frame.Rows)
		}
		rows := make([]int, frame.Asked)
		for i := range rows {
			rows[i] = frame.Row(i) // first, since parts of a frame that nobody lays out so may lie over one another
		}
		for _, row := range rows {
			touch(t, frame, row)
		}
	})
}

// touch reads and answers a row, with panics for what lies outside.
func touch(t *testing.T, f *abi.Frame, row int) {
	if row < 0 || row >= f.Rows {
		t.Fatalf("row %d of %d is asked about", row, f.Rows)
	}
	for c := range f.Columns {
		_ = f.Value(c, row)
	}
	for j := range f.Keys {
		f.Answer(row, j, 1)
		_ = f.Answered(row, j)
	}
}

// FuzzReadTexts holds that what is read as texts is written as the same texts.
func FuzzReadTexts(f *testing.F) {
	f.Add(abi.Texts(1, nil))
	f.Add(abi.Texts(4, []string{"silver", "", "Zürich"}))
	f.Add(words(1, 1<<30))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, texts, err := abi.ReadTexts(data)
		if err != nil {
			return
		}
		again, same, err := abi.ReadTexts(abi.Texts(first, texts))
		if err != nil || again != first || !slices.Equal(same, texts) {
			t.Fatalf("expected %q from %d, found %q from %d, %v", texts, first, same, again, err)
		}
	})
}
