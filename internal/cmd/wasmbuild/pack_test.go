package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
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

// output runs a module and returns what it prints on both outputs.
func output(t *testing.T, module []byte) (out, problems string) {
	t.Helper()
	ctx := t.Context()
	engine := wazero.NewRuntime(ctx)
	defer func() { _ = engine.Close(ctx) }() // it holds nothing that could fail to close
	wasi_snapshot_preview1.MustInstantiate(ctx, engine)
	var stdout, stderr bytes.Buffer
	config := wazero.NewModuleConfig().WithStartFunctions("_initialize").WithStdout(&stdout).WithStderr(&stderr)
	m, err := engine.InstantiateWithConfig(ctx, module, config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.ExportedFunction("run").Call(ctx); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	return stdout.String(), stderr.String()
}

func TestPackedProgram_UnwindsCollectsRecovers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stacks.wasm")
	if err := compile(t.Context(), "./testdata/stacks", file); err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := pack(module)
	if err != nil {
		t.Fatal(err)
	}
	zipped, packedZipped := gzipped(t, module), gzipped(t, packed)
	if 100*packedZipped > 95*zipped {
		t.Errorf("expected a compressed module at least 5 %% smaller than one of %d bytes, found %d", zipped, packedZipped)
	}
	want, wantTrace := output(t, module)
	found, foundTrace := output(t, packed)
	if found != want {
		t.Errorf("expected\n%s, found\n%s", want, found)
	}
	if !strings.Contains(wantTrace, "main.sorted") || withoutArguments(foundTrace) != withoutArguments(wantTrace) {
		t.Errorf("expected the stack\n%s, found\n%s", wantTrace, foundTrace)
	}
}

// withoutArguments removes the arguments and program counters from a stack trace, which differ.
func withoutArguments(trace string) string {
	return regexp.MustCompile(`\(0x[^)]*\)| \+0x[0-9a-f]+`).ReplaceAllString(trace, "")
}

func gzipped(t *testing.T, module []byte) int {
	t.Helper()
	out, err := compress(module)
	if err != nil {
		t.Fatal(err)
	}
	return len(out)
}
