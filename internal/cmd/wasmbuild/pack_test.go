package main

import (
	"bytes"
	"testing"

	"github.com/tetratelabs/wazero"
	"pgregory.net/rapid"
)

// memoryOf is the initial memory of a module with some segments.
func memoryOf(t *rapid.T, segments []segment) []byte {
	memory := make([]byte, 1<<16)
	for _, s := range segments {
		if copy(memory[s.at:], s.data) != len(s.data) {
			t.Fatal("a segment reaches out of the memory")
		}
	}
	return memory
}

func TestPack_KeepsTheInitialMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var segments []segment
		at := int64(rapid.IntRange(0, 300).Draw(t, "first"))
		for range rapid.IntRange(0, 40).Draw(t, "segments") {
			data := rapid.SliceOfN(rapid.Byte(), 1, 200).Draw(t, "data")
			segments = append(segments, segment{at, data})
			at += int64(len(data) + rapid.IntRange(0, 100).Draw(t, "gap"))
		}
		want := memoryOf(t, segments)
		segments = rapid.Permutation(segments).Draw(t, "order")
		module := append([]byte(header), 5, 3, 1, 0, 1) // one page of memory
		data := appendData(nil, segments)
		module = append(append(module, customSection, 4, 3, 'a', 'b', 'c'), dataSection, byte(len(data)&0x7f|0x80), byte(len(data)>>7&0x7f|0x80), byte(len(data)>>14))
		packed, err := pack(append(module, data...))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(packed, []byte("\x03abc")) && !bytes.Contains(data, []byte("\x03abc")) {
			t.Fatal("a custom section stays")
		}
		r := &reader{rest: packed[bytes.IndexByte(packed[len(header)+5:], dataSection)+len(header)+6:]}
		found, err := readData(r.bytes(r.unsigned()))
		if err != nil || !bytes.Equal(memoryOf(t, found), want) {
			t.Fatalf("the memory differs, %v", err)
		}
		for i := 1; i < len(found); i++ {
			if found[i].at-found[i-1].at-int64(len(found[i-1].data)) <= gap {
				t.Fatal("two segments should be one")
			}
		}
		ctx := t.Context()
		engine := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
		defer func() { _ = engine.Close(ctx) }() // it holds nothing that could fail to close
		if _, err := engine.CompileModule(ctx, packed); err != nil {
			t.Fatal(err)
		}
	})
}

func TestBrokenModulesAreNotPacked(t *testing.T) {
	for _, text := range []string{"", "\x00asm", header + "\x0b\xff\x01", header + "\x0b\x02\x01\x01", header + "\x0b\x03\x01\x00\x23"} {
		if _, err := pack([]byte(text)); err == nil {
			t.Errorf("%q was packed", text)
		}
	}
}
