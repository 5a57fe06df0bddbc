package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"pgregory.net/rapid"
)

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

// frames are the functions of a stack trace, with file and line where it has them; without arguments, which differ.
func frames(trace string) map[string]string {
	lines := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^(\S.*)\(.*\)( in goroutine .*)?\n\t(\S+)`).FindAllStringSubmatch(trace, -1) {
		lines[m[1]] = m[3]
	}
	return lines
}

func TestPackedProgram_UnwindsCollectsRecovers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stacks.wasm")
	if err := compile(t.Context(), linked(file), "./testdata/stacks"); err != nil {
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
	if 10*len(packed) > 9*len(module) {
		t.Errorf("expected a much smaller module than one of %d bytes, found %d", len(module), len(packed))
	}
	want, wantTrace := output(t, module)
	found, foundTrace := output(t, packed)
	if found != want {
		t.Errorf("expected\n%s, found\n%s", want, found)
	}
	before, after := frames(wantTrace), frames(foundTrace)
	var own, without int
	for _, name := range slices.Sorted(maps.Keys(before)) {
		switch line, kept := after[name]; {
		case strings.HasPrefix(name, "main."):
			if own++; line != before[name] {
				t.Errorf("%s: expected %s in the stack, found %q", name, before[name], line)
			}
		case kept && line == "?:0":
			without++
		case kept && line != before[name]:
			t.Errorf("%s: expected %s or no line, found %s", name, before[name], line)
		}
	}
	for _, name := range []string{"main.compare", "main.sorted", "main.run", "panic"} {
		if _, ok := after[name]; !ok {
			t.Errorf("expected %s in the stack, found\n%s", name, foundTrace)
		}
	}
	if own == 0 || without == 0 {
		t.Errorf("expected functions with and without lines, found\n%s", foundTrace)
	}
}

func TestAModuleDecodesItsMemoryWhenItStarts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		memory := rapid.SliceOfN(rapid.Byte(), 400, 600).Draw(t, "memory")
		want := slices.Clone(memory)
		var all []encoding
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			s := deltaRange{from: rapid.IntRange(0, 100).Draw(t, "from"), record: 4 * rapid.IntRange(1, 5).Draw(t, "record")}
			s.step = rapid.SampledFrom([]int{4, s.record}).Draw(t, "step")
			s.to = s.from + s.record*rapid.IntRange(2, 12).Draw(t, "records")
			all = append(all, s)
		}
		all = append(all, planes{from: rapid.IntRange(0, 100).Draw(t, "first"), records: rapid.IntRange(1, 12).Draw(t, "rows"),
			size: rapid.IntRange(1, 24).Draw(t, "size"), scratch: rapid.IntRange(len(memory), 60_000).Draw(t, "scratch")})
		for _, e := range all {
			e.encode(memory)
		}
		sections := []section{{typeSection, []byte{0}}, {importSection, []byte{0}}, {functionSection, []byte{0}}, {5, []byte{1, 0, 1}},
			{7, []byte{1, 1, 'm', 2, 0}}, {elementSection, []byte{0}}, {codeSection, []byte{0}}, {dataSection, appendData(nil, splitAtZeros(memory))}}
		ctx := t.Context()
		engine := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
		defer func() { _ = engine.Close(ctx) }() // it holds nothing that could fail to close
		m, err := engine.Instantiate(ctx, appendSections([]byte(header), withDecoders(sections, all)))
		if err != nil {
			t.Fatal(err)
		}
		if found, _ := m.Memory().Read(0, 1<<16); !bytes.Equal(found, append(want, make([]byte, 1<<16-len(want))...)) {
			t.Fatalf("expected\n%x, found\n%x", want, found)
		}
	})
}
