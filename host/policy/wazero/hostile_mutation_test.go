package wazero_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/policy/wazero"
)

// survive takes any bytes through a module's life and asks them about a few rows. Whatever they are, the rows are answered,
// and it ends soon. It reports whether the module came as far as to be asked.
func survive(t *testing.T, r *wazero.Runtime, file []byte) bool {
	t.Helper()
	start := time.Now()
	asked := ask(t, r, file)
	if took := time.Since(start); took > 5*time.Second {
		t.Fatalf("expected it to end soon, it took %v", took)
	}
	return asked
}

func ask(t *testing.T, r *wazero.Runtime, file []byte) bool {
	t.Helper()
	m, err := r.Load(t.Context(), "m", file, wazero.Limits{})
	if err != nil {
		if err.Error() == "" {
			t.Fatal("expected a reason, found none")
		}
		return false
	}
	defer func() { _ = m.Close(t.Context()) }()
	specs, err := resolved(m)
	if err != nil {
		return false
	}
	e, err := m.Evaluator(t.Context(), []byte("{}"))
	if err != nil {
		return false
	}
	defer e.Close()
	symbols := policy.NewSymbolTable(resource.NewTypes())
	trial := map[policy.Point]*policy.PointSpec{}
	for p, spec := range specs {
		trial[p] = symbols.Resolve(spec)
	}
	_, _ = e.Trial(trial) // a refusal is as good as an answer
	var c hostile
	for _, rows := range []int32{1, 40} {
		c.schedule(t, &fate{}, e, specs, rows)
	}
	return true
}

// strict is a runtime that many modules share.
func strict(t testing.TB) *wazero.Runtime {
	t.Helper()
	r, err := wazero.New(context.Background(), wazero.Options{Log: func(string, wazero.Level, string) {}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(context.Background()) })
	return r
}

func TestEveryPrefixOfAModuleIsRefused(t *testing.T) {
	r, file := strict(t), goodFile().bytes()
	for n := range file {
		if survive(t, r, file[:n]) {
			t.Errorf("expected the first %d of %d bytes to be refused", n, len(file))
		}
	}
	if !survive(t, r, file) {
		t.Error("expected the whole of it to be asked")
	}
}

func TestEveryFlipInAModuleIsRefusedOrBehaves(t *testing.T) {
	r, file := strict(t), goodFile().bytes()
	step := 1
	if testing.Short() {
		step = 7
	}
	asked, flips := 0, 0
	left := leaves(t, mostLeft, func() {
		for bit := 0; bit < 8*len(file); bit += step {
			flipped := slices.Clone(file)
			flipped[bit/8] ^= 1 << (bit % 8)
			flips++
			if survive(t, r, flipped) {
				asked++
			}
		}
		askGood(t, r)
	})
	t.Logf("%d of %d flips were asked; left %v", asked, flips, left)
}

// TestAStartThatFailsLeavesNoMemory: the library does not free the memory of an instance that it could not make.
func TestAStartThatFailsLeavesNoMemory(t *testing.T) {
	r := strict(t)
	fills := startsWith(0x41, 0, 0x41, 1, constant(8<<16), 0xfc, 11, 0, 0)
	// A hundred instances reserve 16 MiB each and use 512 KiB.
	leaves(t, usage{heap: mostLeft.heap, resident: 24 << 20, reserved: 512 << 20}, func() {
		for range 100 {
			if survive(t, r, fills) {
				t.Fatal("expected it to be refused")
			}
		}
	})
}

// TestFaultsLeaveNoInstances: an instance that fails goes, and so does a spare one that nobody wants any more.
func TestFaultsLeaveNoInstances(t *testing.T) {
	r := strict(t)
	m, err := r.Load(t.Context(), "m", does(0), wazero.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	e := employ(t, m, "{}")
	before := used()
	for range 3000 {
		if err := e.Eval(one()); err == nil {
			t.Fatal("expected a fault")
		}
	}
	after := used()
	if grown := after.reserved - before.reserved; grown > 256<<20 {
		t.Errorf("expected no more than two instances of 16 MiB to be left, found %d MiB more", grown>>20)
	}
}

// TestAFloodOfLinesIsCut: a module that does nothing but log is heard a few times.
func TestAFloodOfLinesIsCut(t *testing.T) {
	var lines []string
	r, err := wazero.New(t.Context(), wazero.Options{Log: func(_ string, _ wazero.Level, text string) { lines = append(lines, text) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(context.Background()) })
	flood := compile(t, scoreByFree+say+`POINT(node_score) { for (;;) say(3, 0x10000, 60000); }`)
	m, err := r.Load(t.Context(), "m", flood, wazero.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := m.Instance(t.Context(), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := in.Eval(one()); err == nil {
		t.Fatal("expected a fault")
	}
	if len(lines) == 0 || len(lines) > 20 {
		t.Errorf("expected up to 20 lines, found %d", len(lines))
	}
	for _, line := range lines {
		if len(line) > 512 || strings.ContainsFunc(line, unicode.IsControl) {
			t.Fatalf("expected at most 512 bytes that a terminal can show, found %d: %q", len(line), line)
		}
	}
}

// FuzzLoad loads any bytes, and asks what is left of them.
func FuzzLoad(f *testing.F) {
	f.Add(goodFile().bytes())
	for _, cases := range [][]hostile{manifestCases, gateCases(), rawCases()} {
		for _, c := range cases {
			if len(c.file) > 0 && len(c.file) < 8<<10 {
				f.Add(c.file)
			}
		}
	}
	r := strict(f)
	before := taken()
	f.Fuzz(func(t *testing.T, file []byte) {
		survive(t, r, file)
		if now := taken(); now.resident-before.resident > 1<<30 || now.reserved-before.reserved > 64<<30 {
			t.Fatalf("expected memory to be bounded, found %+v before and %+v now", before, now)
		}
	})
}
