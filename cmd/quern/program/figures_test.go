package program

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/workload"
)

var updateFigures = flag.Bool("update-figures", false, "write the figures of the journals anew")

// timings are the figures that differ from run to run.
var timings = regexp.MustCompile(`replayed in \S+( \S+)?, .* in the scheduler|"(allocations_per_second|wall_seconds|rate|wall|version|command|link)":\s*[^,}\n]+`)

// TestTheFiguresOfTheJournalsStay holds the summaries and reports of all journals of the repository, and of a day of the
// demonstration, against those that were written before. Of a report only the hash of its data is kept.
func TestTheFiguresOfTheJournalsStay(t *testing.T) {
	golden, err := filepath.Abs("testdata/figures.golden")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../..") // reports of unusable journals have the names that were given
	found := figuresOf(t, journalsOf(t))
	if *updateFigures {
		if err := os.WriteFile(golden, []byte(found), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := read(t, golden)
	if found == want {
		return
	}
	before, after := strings.Split(want, "\n"), strings.Split(found, "\n")
	section := ""
	for i := range min(len(before), len(after)) {
		if strings.HasPrefix(after[i], "# ") {
			section = after[i]
		}
		if before[i] != after[i] {
			t.Fatalf("%s, line %d of %s:\nexpected %s\nfound    %s", section, i+1, golden, before[i], after[i])
		}
	}
	t.Fatalf("expected %d lines as in %s, found %d", len(before), golden, len(after))
}

// journalsOf lists the journals, by their names in the golden file.
func journalsOf(t *testing.T) []string {
	t.Helper()
	demo := filepath.Join(t.TempDir(), "demo.jsonl")
	var day bytes.Buffer
	if err := workload.Demo(&day, 1); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(demo, day.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	all := []string{demo}
	for _, pattern := range []string{"docs/examples/*.jsonl", "core/oracle/testdata/rules/*.jsonl", "core/journal/testdata/replay/*.jsonl"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no journals match %s: %v", pattern, err)
		}
		all = append(all, names...)
	}
	return all
}

// figuresOf replays journals, and writes down what comes of them but for the time it took.
func figuresOf(t *testing.T, journals []string) string {
	t.Helper()
	var out strings.Builder
	for _, name := range journals {
		report := filepath.Join(t.TempDir(), "report.html")
		text := quern("", "replay", name)
		object := quern("", "replay", "--until", "idle", "--json", "--report", report, name)
		fmt.Fprintf(&out, "# %s: exit codes %d and %d\n%s%sreport %s\n", filepath.Base(name), text.code, object.code,
			timings.ReplaceAllString(text.out, "replayed"), withoutCurves(timings.ReplaceAllString(object.out, "timing")), dataHash(t, report))
	}
	return out.String()
}

// curves are the lists of numbers by time.
var curves = regexp.MustCompile(`\[[0-9][^\]\n]*\]`)

// withoutCurves puts hashes in the places of curves.
func withoutCurves(object string) string {
	return curves.ReplaceAllStringFunc(object, func(list string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(list)))[:16] })
}

// dataHash is the hash of the data of a report; empty where there is none.
func dataHash(t *testing.T, report string) string {
	t.Helper()
	page, err := os.ReadFile(report)
	if err != nil {
		return ""
	}
	_, data, found := bytes.Cut(page, []byte(`<script type="application/json" id="data">`))
	data, _, ended := bytes.Cut(data, []byte("</script>"))
	if !found || !ended || !json.Valid(data) {
		t.Fatalf("%s holds no data", report)
	}
	return fmt.Sprintf("%x", sha256.Sum256(timings.ReplaceAll(data, nil)))
}
