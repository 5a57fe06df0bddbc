package html_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// findingsOf replays a journal, and returns what the page says first, without the sentence on what was used most.
func findingsOf(t *testing.T, journal string) []string {
	t.Helper()
	page, err := os.ReadFile(pageOf(t, "findings", journal))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), `<script type="application/json" id="data">`)
	text, _, _ = strings.Cut(text, "</script>")
	var data struct {
		Findings []struct{ Level, Text, Section string }
	}
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range data.Findings {
		if !strings.Contains(string(page), `<section id="`+f.Section+`"`) {
			t.Errorf("%q leads to %s, which is no section", f.Text, f.Section)
		}
		if f.Section != "cluster" {
			all = append(all, f.Level+": "+f.Text)
		}
	}
	return all
}

const leaf = `{"at":"0s","type":"config.set","config":"partitions: [{queues: [{name: root, queues: [{name: a, resources: {guaranteed: {vcore: 6}, max: {vcore: 8}}}, {name: b}]}]}]"}
{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":8,"gpu":2},"attributes":{"gpu.model":"A100"}}
{"at":"0s","type":"app.add","id":"a","queue":"root.a"}
{"at":"0s","type":"app.add","id":"b","queue":"root.b"}
`

func TestTheReportBeginsWithWhatAReaderShouldNotMiss(t *testing.T) {
	for name, c := range map[string]struct {
		inputs string
		want   []string
	}{
		"a constraint that no node meets": {`{"at":"0s","type":"ask.add","id":"x","app":"b","resources":{"gpu":1},"constraints":{"gpu.model":["B200"]},"count":2}`,
			[]string{"problem: 2 asks of root.b have waited up to 2h and are not allocated: no node has gpu.model B200."}},
		"one of several values": {`{"at":"1h","type":"ask.add","id":"x","app":"b","resources":{"gpu":1},"constraints":{"gpu.model":["B200","H100"]}}`,
			[]string{"problem: 1 ask of root.b has waited 1h and is not allocated: no node has gpu.model B200 or H100."}},
		"an ask that is too large": {`{"at":"0s","type":"ask.add","id":"x","app":"b","resources":{"gpu":4}}`,
			[]string{"problem: 1 ask of root.b has waited 2h and is not allocated: no node has so much gpu."}},
		"a full cluster": {`{"at":"0s","type":"ask.add","id":"y","app":"b","resources":{"gpu":2}}` + "\n" + `{"at":"0s","type":"ask.add","id":"x","app":"b","resources":{"gpu":1}}`,
			[]string{"problem: 1 ask of root.b has waited 2h and is not allocated: the cluster lacks 1 gpu."}},
		"full nodes": {`{"at":"0s","type":"node.add","id":"m","capacity":{"vcore":8,"gpu":2}}` + "\n" + `{"at":"0s","type":"ask.add","id":"y","app":"b","resources":{"gpu":1},"count":2,"constraints":{"gpu.model":["A100"]}}` + "\n" +
			`{"at":"0s","type":"ask.add","id":"z","app":"b","resources":{"vcore":7}}` + "\n" + `{"at":"0s","type":"ask.add","id":"x","app":"b","resources":{"vcore":7},"count":2}`,
			[]string{"problem: 1 ask of root.b has waited 2h and is not allocated: the cluster lacks 5 vcore."}},
		"more than a queue allows": {`{"at":"0s","type":"node.add","id":"m","capacity":{"vcore":20}}` + "\n" + `{"at":"0s","type":"ask.add","id":"x","app":"a","resources":{"vcore":9}}`,
			[]string{"problem: 1 ask of root.a has waited 2h and is not allocated: queue root.a may use no more than 8 vcore.", "problem: Queue root.a uses 0 of 6 vcore guaranteed at the end, and 1 ask waits."}},
		"fragments": {`{"at":"0s","type":"node.add","id":"m","capacity":{"vcore":8}}` + "\n" + `{"at":"0s","type":"ask.add","id":"y","app":"b","resources":{"vcore":5},"count":2}` + "\n" +
			`{"at":"0s","type":"ask.add","id":"x","app":"b","resources":{"vcore":4}}`,
			[]string{"problem: 1 ask of root.b has waited 2h and is not allocated: no node has so much vcore free."}},
		"a queue at its max": {`{"at":"0s","type":"ask.add","id":"x","app":"a","resources":{"vcore":5},"count":3}`,
			[]string{"problem: 2 asks of root.a have waited up to 2h and are not allocated: queue root.a lacks 2 vcore.", "problem: Queue root.a uses 5 of 6 vcore guaranteed at the end, and 2 asks wait."}},
		"asks of two queues": {`{"at":"0s","type":"ask.add","id":"x","app":"a","resources":{"gpu":3}}` + "\n" + `{"at":"1h","type":"ask.add","id":"y","app":"b","resources":{"gpu":3},"count":20}`,
			[]string{"problem: 1 ask of root.a has waited 2h and is not allocated: no node has so much gpu.", "problem: 20 asks of root.b have waited up to 1h and are not allocated: no node has so much gpu."}},
		"rejections": {`{"at":"0s","type":"ask.add","id":"x","app":"none","resources":{"vcore":1}}`,
			[]string{"problem: 1 ask was rejected: unknown-application, for example x."}},
		"a long wait": {`{"at":"0s","type":"ask.add","id":"y","app":"b","resources":{"gpu":2},"run":"1h"}` + "\n" + `{"at":"0s","type":"ask.add","id":"x","app":"b","resources":{"gpu":1}}`,
			[]string{"good: Every ask was allocated, after a wait of at most 1h.", "note: 1 ask of root.b waited 1h before it was allocated: the cluster lacks 1 gpu."}},
		"waits of which few are long": {`{"at":"0s","type":"ask.add","id":"y","app":"b","resources":{"gpu":2},"run":"1h"}` + "\n" + `{"at":"0s","type":"ask.add","id":"x","app":"b","resources":{"gpu":1}}` + "\n" +
			`{"at":"59m","type":"ask.add","id":"z","app":"b","resources":{"gpu":1}}`,
			[]string{"good: Every ask was allocated, after a wait of at most 1h.", "note: 1 ask of root.b waited up to 1h before it was allocated: the cluster lacks 1 gpu."}},
		"nothing that waits": {`{"at":"0s","type":"ask.add","id":"x","app":"b","resources":{"vcore":1}}`, []string{"good: Every ask was allocated at once."}},
		"nothing at all":     {``, nil},
	} {
		if got := findingsOf(t, leaf+c.inputs+"\n"+`{"at":"2h","type":"tick"}`+"\n"); !slices.Equal(got, c.want) {
			t.Errorf("%s: the report says\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func TestAtASingleInstantTheReasonsAreTold(t *testing.T) {
	got := findingsOf(t, leaf+`{"at":"0s","type":"ask.add","id":"x","app":"b","resources":{"gpu":4},"count":2}`+"\n")
	if want := []string{"problem: 2 asks of root.b are not allocated: no node has so much gpu."}; !slices.Equal(got, want) {
		t.Errorf("the report says %q, want %q", got, want)
	}
}

func TestFindingsTellOfPreemptionsLimitsAndGangs(t *testing.T) {
	got := findingsOf(t, takings(false))
	if want := "note: 3 allocations were preempted: 1 for a guarantee, 1 within a queue, 1 for a required node."; !slices.Contains(got, want) {
		t.Errorf("expected %s in\n%s", want, strings.Join(got, "\n"))
	}
	got = findingsOf(t, shared)
	for _, want := range []string{"note: 2 allocations were preempted: 2 by quota.", "note: 1 of 2 limits in use was reached, for example that of user <img src=x onerror=window.taken=9> in root.a."} {
		if !slices.Contains(got, want) {
			t.Errorf("expected %s in\n%s", want, strings.Join(got, "\n"))
		}
	}
}

func TestAnInstantHasValuesAndPaperHasEveryRow(t *testing.T) {
	b := newBrowser(t)
	tab := browser{t, b.ctx}.open(pageOf(t, "instant", leaf+`{"at":"0s","type":"ask.add","id":"x","app":"b","resources":{"vcore":2}}`+"\n"), screen{1280, false})
	if n := eval[int](tab, "document.querySelectorAll('canvas').length"); n != 0 {
		t.Errorf("at a single instant %d canvases are drawn", n)
	}
	const cards = `[...document.querySelectorAll('#cluster .card')].filter((c) => c.querySelector('h3').textContent === 'vcore').map((c) => [...c.querySelectorAll('tr')].map((r) => r.textContent).join(', ')).join()`
	if got := eval[string](tab, cards); got != "used2 cores, stranded0 cores, capacity8 cores" {
		t.Errorf("the card of vcore says %q", got)
	}
	tab.quiet()
	tab = browser{t, b.ctx}.open(pageOf(t, "many", thousandQueues()), screen{1280, true})
	const paper = "(() => { dispatchEvent(new Event('beforeprint')); const n = document.querySelectorAll('#tree tbody tr').length; const theme = document.documentElement.dataset.theme; dispatchEvent(new Event('afterprint')); return n + ' ' + theme + ' ' + document.documentElement.dataset.theme; })()"
	eval[bool](tab, "document.querySelector('.tools button').click(), true") // unfold all
	if got := eval[string](tab, paper); got != "1011 light dark" {
		t.Errorf("on paper and after it, the page has rows and themes %q", got)
	}
	tab.quiet()
}
