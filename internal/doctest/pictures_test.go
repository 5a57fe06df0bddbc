package doctest

import (
	"html"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// demo runs quern demo in a folder, once for all tests that look at it, and returns what it printed.
var demo = sync.OnceValues(func() (string, error) {
	cmd := exec.Command(filepath.Join(folder, "quern"), "demo", "--dir", filepath.Join(folder, "demo"))
	cmd.Env = environment(folder)
	out, err := cmd.Output()
	return string(out), err
})

// demoSummary is the summary that quern demo begins with.
func demoSummary(t *testing.T) string {
	t.Helper()
	build(t)
	printed, err := demo()
	if err != nil {
		t.Fatalf("quern demo: %v", err)
	}
	summary, _, ok := strings.Cut(printed, "\n  The report is ")
	if !ok {
		t.Fatalf("quern demo does not name its report:\n%s", printed)
	}
	return summary
}

func TestTerminalPicture_IsTheDemosOutput(t *testing.T) {
	name := filepath.Join(root, "docs/images/summary.svg")
	want := Terminal("The summary that quern demo prints: counts, the use of the cluster, and use, waits and preemptions of each queue",
		"quern demo", WithoutClock(demoSummary(t)))
	if *update {
		write(t, name, want)
	}
	if read(t, name) != want {
		t.Errorf("%s is of another day: make pictures draws it anew", name)
	}
}

func TestAPictureOfATerminalHasItsWordsInTheirColumns(t *testing.T) {
	got := Terminal(`a "label"`, "quern x", "  a head  of 2\n  ██░░  1 < 2\n\nOne sentence.\n")
	for _, want := range []string{
		`aria-label="a &#34;label&#34;"`,
		`class="cmd">$ quern x</text>`,
		`<text x="38.9" y="100" textLength="50.6" lengthAdjust="spacingAndGlyphs" class="dim">a head</text>`,
		`<rect class="bar" x="38.9" y="109" width="16.9"`,
		`lengthAdjust="spacingAndGlyphs">1 &lt; 2</text>`,
		`class="dim">One sentence.</text>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("expected %s in\n%s", want, got)
		}
	}
	if text := WithoutClock("3m replayed in 172ms, 72,931 allocations/s in the scheduler"); text != "3m replayed in …, … allocations/s in the scheduler" {
		t.Errorf("found %q", text)
	}
}

func TestEveryPictureIsUsedAndSaysWhatItShows(t *testing.T) {
	var all strings.Builder
	for _, name := range pages(t) {
		all.WriteString(read(t, name))
	}
	for _, name := range pictures(t) {
		if !strings.Contains(all.String(), "images/"+filepath.Base(name)) && filepath.Base(name) != "picture.svg" {
			t.Errorf("%s: no page shows it", name)
		}
		if filepath.Ext(name) != ".svg" {
			continue
		}
		text := read(t, filepath.Join(root, name))
		if !strings.Contains(text, "aria-label=") && (!strings.Contains(text, "<title") || !strings.Contains(text, "<desc")) {
			t.Errorf("%s: neither a label nor a title and a description", name)
		}
	}
}

// pictures returns all pictures of the documents, from the root. A file of words belongs to the picture beside it.
func pictures(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"docs/images/*", "plugins/*/picture.*"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			if !strings.HasSuffix(name, wordsOf) {
				all = append(all, filepath.ToSlash(strings.TrimPrefix(name, filepath.Clean(root)+string(filepath.Separator))))
			}
		}
	}
	if len(all) < 20 {
		t.Fatalf("only %d pictures found", len(all))
	}
	return all
}

const wordsOf = ".words.txt"

func TestEveryPictureOfAPageHasItsWordsBesideIt(t *testing.T) {
	shots, err := filepath.Glob(filepath.Join(root, "docs/images/*.png"))
	if err != nil || len(shots) == 0 {
		t.Fatal("no pictures of pages", err)
	}
	for _, name := range shots {
		if words := read(t, strings.TrimSuffix(name, ".png")+wordsOf); len(strings.Fields(words)) < 50 {
			t.Errorf("%s: only these words beside it: %q", name, words)
		}
	}
	words, err := filepath.Glob(filepath.Join(root, "docs/images/*"+wordsOf))
	if err != nil {
		t.Fatal(err)
	}
	if len(words) != len(shots) {
		t.Errorf("%d pictures of pages, and %d files of words", len(shots), len(words))
	}
}

// The table says of each picture how it is made, so that nobody edits by hand what a target draws.
func TestEveryPictureIsInTheTableOfHowPicturesAreMade(t *testing.T) {
	rows := FirstCells(Section(page(t, "docs/inside/changes.md"), "## A change in pictures"))
	used := map[string]bool{}
	for _, name := range pictures(t) {
		count := 0
		for _, row := range rows {
			if ok, err := path.Match(row, name); err != nil {
				t.Fatalf("%s: %v", row, err)
			} else if ok {
				count++
				used[row] = true
			}
		}
		if count != 1 {
			t.Errorf("%s: expected one row of the table, found %d", name, count)
		}
	}
	for _, row := range rows {
		if !used[row] {
			t.Errorf("docs/inside/changes.md: no picture is named %s", row)
		}
	}
}

var textInDrawing = regexp.MustCompile(`<(?:text|tspan)[^>]*>([^<]+)<`)

// drawn returns the texts of a picture.
func drawn(t *testing.T, name string) []string {
	t.Helper()
	var all []string
	for _, m := range textInDrawing.FindAllStringSubmatch(page(t, "docs/images/"+name), -1) {
		all = append(all, html.UnescapeString(m[1]))
	}
	return all
}

// Drawings of worked examples are made by hand; these of their words are what the program prints of the example.
func TestTheFiguresOfDrawingsAreThoseOfTheirExamples(t *testing.T) {
	env := environment(build(t))
	for _, c := range []struct {
		command string
		prints  string // a pattern
		picture string
		words   []string
	}{
		{"replay --config preempt.yaml preempt.jsonl --until 1m29s", `prod +4 of 8 .*\n +research +32 .*\n +text +30 .*\n +vision +2 of 2 `, "preemption.svg",
			[]string{"4 of 8", "32", "30", "2 of 2", "36"}},
		{"replay --config preempt.yaml preempt.jsonl --until idle", `root +36 .*\n +prod +7 of 8 .*\n +research +29 .*\n +text +27 .*\n +vision +2 of 2 `, "preemption.svg",
			[]string{"7 of 8", "29", "27", "2 of 2", "36"}},
		{"explain --config preempt.yaml preempt.jsonl --ask web-2 --preempt", `young-1 and young-0 on node n8: .* Next best is old-1 and old-0 on node n7`, "preemption-choice.svg",
			[]string{"young · 1", "young · 0", "n8", "the least harm: these two give way", "n7", "old · 1", "old · 0"}},
		{"replay --config preempt.yaml preempt.jsonl --grace 10s --until 2m --out -", `"1m30s","type":"preemption","id":"young-1"(?s:.*)"1m40s","type":"allocation","id":"web-2"`, "preemption-time.svg",
			[]string{"1m30s", "1m40s", "young-1, young-0", "runs on n8"}},
		{"replay --config placement.yaml placement.jsonl --until 30s --out -", `web_dot_shop(?s:.*)"night","queue":"root.batch"(?s:.*)"thesis","queue":"root.people.dave"(?s:.*)"stray","reason":"access-denied"`, "placement.svg",
			[]string{".web_dot_shop", "root.batch", "root.people.dave", "access-denied"}},
		{"explain --config limits.yaml limits.jsonl --at 4s --ask eve-2", `group course lacks 2 vcore in root.lab \(limit 6, used 6\)`, "limits.svg",
			[]string{"6 of 6: eve-2 waits for group-limit"}},
		{"replay --config gang.yaml gang.jsonl --grace 10s --out -", `"10s".*gang-formed(?s:.*)"21s".*"driver"(?s:.*)"50s".*"worker-1"(?s:.*)"5m10s".*"hold-worker-4"(?s:.*)"5m20s"`, "gang.svg",
			[]string{"10s: all allocated, gang-formed", "21s", "50s", "5m10s", "5m20s"}},
		{"replay --config gang.yaml atomic.jsonl --until 30s --out -", `"blue-1".*\n.*"blue-2".*\n.*"blue-3".*\n.*"blue-4".*\n.*"app.state","id":"blue"`, "atomic.svg",
			[]string{"blue has its 4 and runs.", "red waits and holds nothing,"}},
		{"replay --config topology.yaml topology.jsonl --out -", `"small-1".*"n7"(?s:.*)"red-1".*"n1"(?s:.*)"red-2".*"n2"(?s:.*)"red-3".*"n3"(?s:.*)"blue-1".*"n5"`, "topology.svg",
			[]string{"small", "red", "blue", "n7", "n3"}},
		{"replay --config quota.yaml quota.jsonl --out -", `"web-4","quota"(?s:.*)"batch-2","quota"(?s:.*)"batch-4","quota"(?s:.*)"spare-2","quota"`, "quota.svg",
			[]string{"web-4", "batch-2", "batch-3", "batch-4", "spare-2"}},
	} {
		cmd := exec.Command(filepath.Join(folder, "quern"), strings.Fields(c.command)...)
		cmd.Dir, cmd.Env = filepath.Join(root, "docs/examples"), env
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("quern %s: %v", c.command, err)
		}
		if !regexp.MustCompile(c.prints).Match(out) {
			t.Errorf("docs/images/%s draws what quern %s printed once: expected %s in\n%s", c.picture, c.command, c.prints, out)
		}
		texts := drawn(t, c.picture)
		for _, w := range c.words {
			if !slices.Contains(texts, w) {
				t.Errorf("docs/images/%s: expected the text %q, found %q", c.picture, w, texts)
			}
		}
	}
}

func TestDrawingsNameThePackagesAndStatesOfTheCode(t *testing.T) {
	for _, text := range drawn(t, "packages.svg") {
		if strings.Contains(text, " ") {
			continue // a caption
		}
		folder := strings.TrimSuffix(text, "/…")
		if !exists(folder) && !exists("core/internal/"+folder) {
			t.Errorf("docs/images/packages.svg: there is no folder %s", text)
		}
	}
	states := source(t, "core").Prefixed("State")
	for _, text := range drawn(t, "states.svg") {
		if strings.ToUpper(text[:1]) == text[:1] && len(strings.Fields(text)) == 1 && !slices.Contains(states, text) {
			t.Errorf("docs/images/states.svg: no application is ever %s: %v", text, states)
		}
	}
}

func exists(folder string) bool {
	_, err := os.Stat(filepath.Join(root, folder))
	return err == nil
}

var totalsOfDemo = regexp.MustCompile(`(?m)^ +` + strings.Repeat(`([\d,]+) +`, 6) + `([\d,]+)$`)

// The words beside the pictures of the report are taken from the page, in Chromium; here they meet the summary without it.
func TestThePictureOfTheReportHasTheFiguresOfTheSummary(t *testing.T) {
	all := totalsOfDemo.FindStringSubmatch(demoSummary(t))
	if all == nil {
		t.Fatalf("no totals in the summary:\n%s", demoSummary(t))
	}
	nodes, apps, asks, allocated, pending, rejected, preempted := all[1], all[2], all[3], all[4], all[5], all[6], all[7]
	for _, name := range []string{"report", "report-dark"} {
		words := page(t, "docs/images/"+name+".words.txt")
		for _, want := range []string{
			"Allocations\n" + allocated + "\nof " + asks + " asks\n", "Pending\n" + pending + "\n", "Rejected\n" + rejected + "\n",
			"Preempted\n" + preempted + "\n", "Cluster\n" + nodes + " nodes\n" + apps + " applications\n",
		} {
			if !strings.Contains(words, want) {
				t.Errorf("docs/images/%s.png shows another day than quern demo prints: expected %q (make pictures)", name, want)
			}
		}
	}
}
