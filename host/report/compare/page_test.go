package compare

import (
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/report/html"
	"github.com/quern-project/quern/host/report/summary"
)

func sample(allocated, preempted int) *Run {
	totals := ledger.Totals{Allocated: allocated, Preempted: preempted}
	s := &summary.Summary{Summary: ledger.Summary{Totals: totals}, Usage: &ledger.Figures{Makespan: time.Minute}, Virtual: time.Minute}
	return &Run{Allocated: allocated, Preempted: preempted, Used: map[string]float64{"vcore": 0.5}, Stranded: map[string]float64{}, Fairness: 1, summary: s}
}

func pageOf(t *testing.T, r *Result) string {
	t.Helper()
	var b strings.Builder
	if err := r.HTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestThePageBeginsWithTheVerdict(t *testing.T) {
	after := sample(90, 3)
	after.Faults = 2
	r := &Result{Policy: "tetris", Points: []string{"node.score"}, Journal: "<b>j", Before: sample(100, 0), After: after, Version: "v1",
		Decisions: Differences{Both: 90, Moved: 4, OnlyBefore: 10, First: []Changed{{Ask: "<i>x", Before: "n1"}}}}
	page := pageOf(t, r)
	at := 0
	for _, expected := range []string{
		"<title>tetris on &lt;b&gt;j – Quern report</title>", html.Style(), "instead of the present policy for node.score, on &lt;b&gt;j",
		`<li class="note"><a href="#figures" title="Show the section">Compared with the present policies, tetris allocates 10% fewer asks and preempts 3 instead of 0.</a></li>`,
		`Policies failed in 2 calls with tetris, and in 0 before.`,
		`Of 90 asks placed in both runs, 4 went to another node, 0 were placed earlier, and 0 later. 10 were placed only before, and 0 only after.`,
		`<th scope="row">used vcore</th>`, "<code>&lt;i&gt;x</code></th><td>n1 at 0s before, nowhere after", "Drawn by Quern v1.", html.ThemeScript(),
	} {
		i := strings.Index(page[at:], expected)
		if i < 0 {
			t.Fatalf("expected %s\nin %s", expected, page[at:])
		}
		at += i
	}
	if strings.Contains(page, "playground") {
		t.Error("the page leads into a playground that cannot show the journal")
	}
}

func TestThePageOfAPolicyThatChangesNothing(t *testing.T) {
	r := &Result{Policy: "same", Points: []string{"app.order", "node.score"}, Journal: "j", Before: sample(100, 0), After: sample(100, 0), Decisions: Differences{Both: 100},
		Playground: html.Playground{Command: "quern playground j", Session: "abc"}}
	page := pageOf(t, r)
	for _, expected := range []string{
		"instead of the present policies for app.order and node.score", "same has the same figures.", "Both runs placed 100 asks on the same nodes at the same times.",
		"Decisions are unchanged.", "<code>quern playground j</code>", `href="http://127.0.0.1:7467/#s=abc"`,
	} {
		if !strings.Contains(page, expected) {
			t.Errorf("expected %s\nin %s", expected, page)
		}
	}
}
