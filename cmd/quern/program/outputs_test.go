package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// names are those in the folder that the test stands in.
func names(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestNoOutputTakesThePlaceOfAnInput(t *testing.T) {
	const named = `{"at":"4s","type":"config.set","file":"named.yaml"}` + "\n"
	files := map[string]string{
		"small.journal": small, "naming.journal": small + named, "named.yaml": queues, "queues.yaml": queues, "quern.toml": "", "our.feature": feature,
		"nodes": "sn,cpu_milli,memory_mib,gpu,model\nn1,2000,1024,0,\n", "pods": "name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1,1,0,0\n", "map": "",
	}
	dir := folder(t, files)
	if err := errors.Join(os.Link("small.journal", "hard"), os.Symlink("small.journal", "soft"), os.Symlink("our.feature", "features.junit.xml")); err != nil {
		t.Fatal(err)
	}
	before := names(t)
	for _, line := range []string{
		"replay --out small.journal small.journal", "replay --report small.journal small.journal", "replay --record small.journal small.journal",
		"replay --out hard small.journal", "replay --out soft small.journal", "replay --out small.journal soft", "replay --out " + filepath.Join(dir, "hard") + " soft",
		"replay --out queues.yaml --config queues.yaml small.journal", "replay --out queues.yaml --compare queues.yaml small.journal",
		"replay --out named.yaml naming.journal", "replay --out quern.toml small.journal",
		"replay --out x --report x small.journal", "replay --out x --record ./x small.journal",
		"replay --trace openb --nodes nodes --pods pods --map map --out nodes", "replay --trace openb --nodes nodes --pods pods --map map --out pods",
		"replay --trace openb --nodes nodes --pods pods --map map --out map",
		"test --reports . our.feature", "test --reports . our.feature:2", "test --reports . .",
	} {
		t.Run(line, func(t *testing.T) {
			r := quern("", strings.Fields(line)...)
			r.want(t, cli.BadInput, "", "expected a file of its own, found ")
			if strings.Count(r.err, "\n") != 1 {
				t.Errorf("expected one message, found\n%s", r.err)
			}
			for name, text := range files {
				if read(t, name) != text {
					t.Fatalf("%s was changed", name)
				}
			}
			if got := names(t); !slices.Equal(got, before) {
				t.Errorf("the folder has %v, want %v", got, before)
			}
		})
	}
}

func TestNoOutputTakesThePlaceOfAPolicy(t *testing.T) {
	folder(t, map[string]string{"small.journal": small})
	quern("", "demo", "--dir", "day").want(t, cli.Succeeded, "allocated", "")
	const module = "day/policies/binpack-tetris"
	wasm, toml := read(t, module+".wasm"), read(t, module+".toml")
	for _, line := range []string{
		"replay --policies day/policies --out " + module + ".wasm small.journal", "replay --policies day/policies --report " + module + ".toml small.journal",
		"policy try --report " + module + ".toml " + module + ".wasm small.journal", "policy try --report small.journal " + module + ".wasm small.journal",
	} {
		quern("", strings.Fields(line)...).want(t, cli.BadInput, "", "expected a file of its own, found the input ")
	}
	if read(t, module+".wasm") != wasm || read(t, module+".toml") != toml || read(t, "small.journal") != small {
		t.Error("an input was changed")
	}
}

func TestStandardInputIsAnInputToo(t *testing.T) {
	folder(t, map[string]string{"small.journal": small})
	in, err := os.Open("small.journal")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	var out, diagnostics bytes.Buffer
	code := run(t.Context(), []string{"replay", "--out", "small.journal", "-"}, cli.Streams{In: in, Out: &out, Err: &diagnostics})
	result{code, out.String(), diagnostics.String()}.want(t, cli.BadInput, "", "found the input stdin")
}

func TestNoInputIsTheFileThatStandardOutputGoesTo(t *testing.T) {
	folder(t, map[string]string{"small.journal": small, "queues.yaml": queues})
	for line, file := range map[string]string{
		"replay small.journal": "small.journal", "replay --out - small.journal": "small.journal", "replay --config queues.yaml small.journal": "queues.yaml",
		"explain --queue root.default small.journal": "small.journal", "validate --print queues.yaml": "queues.yaml",
	} {
		before := read(t, file)
		out, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		var diagnostics bytes.Buffer
		code := run(t.Context(), strings.Fields(line), cli.Streams{In: strings.NewReader(""), Out: out, Err: &diagnostics})
		result{code, "", diagnostics.String()}.want(t, cli.BadInput, "", "standard output: expected a file of its own, found the input "+file)
		if err := out.Close(); err != nil || read(t, file) != before {
			t.Errorf("%s: %v: the input was changed", line, err)
		}
	}
}

func TestAnOldOutputStaysUnlessTheRunHasAResult(t *testing.T) {
	folder(t, map[string]string{"small.journal": small, "bad.journal": small + "junk\n", "bad.yaml": badQueues, "old": "old", "fail.feature": "no feature\n"})
	for _, line := range []string{
		"--config bad.yaml small.journal", "missing.journal", "small.journal missing.journal", "--until soon small.journal", "--policies missing small.journal",
		"--report /missing/report.html small.journal", "--compare missing.yaml small.journal",
	} {
		quern("", append([]string{"replay", "--out", "old"}, strings.Fields(line)...)...).want(t, cli.BadInput, "", "")
		if read(t, "old") != "old" {
			t.Fatalf("%s: it was replaced", line)
		}
	}
	if err := os.MkdirAll("reports", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("reports/features.junit.xml", []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	quern("", "test", "--reports", "reports", "fail.feature").want(t, cli.BadInput, "", "fail.feature")
	if read(t, "reports/features.junit.xml") != "old" {
		t.Error("a report was replaced though nothing was played")
	}
	quern("", "replay", "--out", "old", "bad.journal").want(t, cli.BadInput, "allocated", "bad.journal:7:")
	if !strings.Contains(read(t, "old"), `"id":"x-2"`) {
		t.Error("what came before a bad line is lost")
	}
	for _, name := range names(t) {
		if strings.HasSuffix(name, ".tmp") {
			t.Errorf("%s was left behind", name)
		}
	}
}

func TestAnInterruptedRunLeavesWhatItDid(t *testing.T) {
	folder(t, map[string]string{"old": "old"})
	slow := &stopping{Reader: strings.NewReader(small + strings.Repeat(`{"at":"3s","type":"tick"}`+"\n", 100_000))}
	var ctx context.Context
	ctx, slow.stop = context.WithCancel(t.Context())
	var out, err bytes.Buffer
	code := run(ctx, []string{"replay", "--out", "old", "--report", "page.html", "-"}, cli.Streams{In: slow, Out: &out, Err: &err})
	result{code, out.String(), err.String()}.want(t, cli.Failed, "Interrupted", "interrupted\n")
	if !strings.Contains(read(t, "old"), `"id":"x-2"`) || !strings.Contains(read(t, "page.html"), `"interrupted":true`) {
		t.Error("the outputs do not have what was done")
	}
}

func TestAnInterruptedTestLeavesOldReports(t *testing.T) {
	folder(t, map[string]string{"our.feature": feature, "features.junit.xml": "old", "features.cucumber.json": "old"})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out, err bytes.Buffer
	code := run(ctx, []string{"test", "--reports", ".", "our.feature"}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &err})
	result{code, out.String(), err.String()}.want(t, cli.Failed, "", "interrupted\n")
	if read(t, "features.junit.xml") != "old" || read(t, "features.cucumber.json") != "old" {
		t.Error("a report of an interrupted run took the place of an old one")
	}
	quern("", "test", "--reports", ".", "our.feature").want(t, cli.Succeeded, "1 passed", "")
	if read(t, "features.junit.xml") == "old" || read(t, "features.cucumber.json") == "old" {
		t.Error("the reports are still the old ones")
	}
}

func TestAnInterruptedComparisonPrintsBothSides(t *testing.T) {
	var long strings.Builder
	long.WriteString(small)
	for i := range 2000 {
		fmt.Fprintf(&long, "{\"at\":\"%ds\",\"type\":\"tick\"}\n", 4+i)
	}
	folder(t, map[string]string{"long.journal": long.String(), "queues.yaml": queues})
	compare := func(asks int64, flags ...string) (result, int64) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		polled := &polled{Context: ctx, end: asks, stop: stop}
		var out, err bytes.Buffer
		code := run(polled, append(flags, "replay", "--compare", "queues.yaml", "long.journal"), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &err})
		return result{code, out.String(), err.String()}, polled.asked.Load()
	}
	whole, asked := compare(0)
	whole.want(t, cli.Succeeded, "as recorded", "")
	for end, want := range map[int64]string{asked / 4: "the second run had not begun.\n", asked * 3 / 4: "until then.\n"} {
		r, _ := compare(end)
		r.want(t, cli.Failed, want, "")
		for _, text := range []string{"as recorded", "queues.yaml", "allocated "} {
			if !strings.Contains(r.out, text) {
				t.Errorf("interrupted at %d of %d: expected %q in\n%s", end, asked, text, r.out)
			}
		}
		if r.err != "interrupted\n" {
			t.Errorf("expected one message, found\n%s", r.err)
		}
		t.Setenv("QUERN_JSON", "true")
		r, _ = compare(end)
		r.want(t, cli.Failed, `"config": "queues.yaml"`, "interrupted\n")
		if !strings.Contains(r.out, `"interrupted": true`) || !json.Valid([]byte(r.out)) {
			t.Errorf("expected an object that is marked, found\n%s", r.out)
		}
		t.Setenv("QUERN_JSON", "false")
	}
}

// polled is a context that ends when it was asked often enough, so that no clock decides where a run is interrupted.
type polled struct {
	context.Context
	asked atomic.Int64
	end   int64
	stop  context.CancelFunc
}

func (p *polled) Err() error {
	if p.asked.Add(1) == p.end {
		p.stop()
	}
	return p.Context.Err()
}
