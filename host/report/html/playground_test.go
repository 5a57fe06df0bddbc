package html_test

import (
	"testing"
	"time"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/report/html"
	"github.com/quern-project/quern/host/report/summary"
)

// ways lists what the page says of the playground, and where its links lead.
const ways = `[document.getElementById('watch').hidden ? 'hidden' : document.getElementById('watch').textContent,
	...[...document.querySelectorAll('#watch a, #findings .there, .waits .there')].map((a) => (a.getAttribute('aria-label') || 'the run') + ' -> ' + a.getAttribute('href'))].join('\n')`

func TestTheReportLeadsIntoThePlayground(t *testing.T) {
	const journal = `{"at":"0s","type":"app.add","id":"a","queue":"root.default"}
{"at":"0s","type":"ask.add","id":"x&y","app":"a","resources":{"vcore":1}}
{"at":"1m","type":"tick"}
`
	const first = "To open this run in the playground, first run quern playground j on this machine. While it runs, the playground and the links to it in this report work."
	b := newBrowser(t)
	for want, given := range map[string]html.Playground{
		"hidden": {},
		first + "\nthe run -> http://127.0.0.1:7467/#given\nask x&y in the playground -> http://127.0.0.1:7467/#given&ask=x%26y\nask x&y in the playground -> http://127.0.0.1:7467/#given&ask=x%26y":                         {Command: "quern playground j", Address: "https://quern.example/"},
		first + "\nthe run -> http://127.0.0.1:7467/#s=abc\nask x&y in the playground -> http://127.0.0.1:7467/#s=abc&ask=x%26y\nask x&y in the playground -> http://127.0.0.1:7467/#s=abc&ask=x%26y":                         {Command: "quern playground j", Session: "abc"},
		"Open this run in the playground.\nthe run -> https://quern.example/#s=abc\nask x&y in the playground -> https://quern.example/#s=abc&ask=x%26y\nask x&y in the playground -> https://quern.example/#s=abc&ask=x%26y": {Command: "quern playground j", Address: "https://quern.example/", Session: "abc"},
	} {
		tab := browser{t, b.ctx}.open(pageBeside(t, "j", journal, given, nil), screen{1280, false})
		if got := eval[string](tab, ways); got != want {
			t.Errorf("%+v: the page says\n%s\nwant\n%s", given, got, want)
		}
		tab.quiet()
	}
}

func TestTheComparisonBeginsWithTheVerdictOnEachRun(t *testing.T) {
	run := func(name string, allocated int) summary.Named {
		totals := ledger.Totals{Allocated: allocated}
		return summary.Named{Config: name, Summary: &summary.Summary{Summary: ledger.Summary{Totals: totals}, Usage: &ledger.Figures{Makespan: time.Minute}, Virtual: time.Minute}}
	}
	beside := &html.Comparison{Runs: []summary.Named{run("one", 100), run("two", 90), run("<i>three", 100)}}
	tab := newBrowser(t).open(pageBeside(t, "j", shared, html.Playground{}, beside), screen{1280, false})
	const said = `document.querySelector('#compared > h2').nextElementSibling.innerText.split(/\n+/).join('\n')`
	const want = "Compared with the first run, two allocates 10% fewer asks.\nCompared with the first run, <i>three has the same figures."
	if got := eval[string](tab, said); got != want {
		t.Errorf("the comparison begins with\n%s\nwant\n%s", got, want)
	}
	tab.quiet()
}
