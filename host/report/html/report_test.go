package html_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// unfilled names the sections without anything in them, and the charts without a drawing or a readable table.
const unfilled = `(async () => {
  const bad = [];
  for (const s of document.querySelectorAll('main > section')) {
    const what = s.querySelector('figure canvas, table tbody tr, li, .empty');
    if (!what || !what.isConnected || s.getBoundingClientRect().height < 60) bad.push('section ' + s.id);
  }
  if (document.querySelectorAll('#totals dd').length !== 7) bad.push('totals');
  for (const f of document.querySelectorAll('figure')) {
    const name = f.querySelector('h3').textContent, canvas = f.querySelector('.plot canvas');
    if (!canvas || canvas.getBoundingClientRect().right > f.getBoundingClientRect().right + 1) bad.push('chart ' + name + ' is not inside its card');
    const d = f.querySelector('details.behind');
    if (!d) { bad.push('no table behind ' + name); continue; }
    const opened = new Promise((done) => d.addEventListener('toggle', done, { once: true }));
    d.open = true;
    await opened;
    if (!d.querySelector('table tbody tr td')) bad.push('empty table behind ' + name);
  }
  const wide = document.documentElement.scrollWidth - window.innerWidth;
  if (wide > 0) bad.push('the page is ' + wide + ' pixels wider than the screen');
  return bad;
})()`

func TestEveryPageIsFilledAndQuietOnEveryScreen(t *testing.T) {
	b := newBrowser(t)
	everywhere, once := []screen{{390, true}, {1280, false}, {1920, true}}, []screen{{390, false}}
	pages := []struct {
		name, journal string
		screens       []screen
	}{
		{"demo", demo(t), everywhere},
		{"a thousand queues", thousandQueues(), everywhere},
		{"hostile names", hostileNames, everywhere},
		{"takings", takings(false), everywhere},
		{"shared", shared, everywhere},
		{"takings observed", takings(true), once},
		{"dates", `{"at":"2026-03-01T00:00:00Z","type":"node.add","id":"n","capacity":{"vcore":1}}` + "\n" + `{"at":"2026-03-04T00:00:00Z","type":"tick"}`, once},
		{"one instant", `{"at":"5s","type":"node.add","id":"n","capacity":{"vcore":1}}`, once},
		{"nothing at all", "", once},
		{"a bad first line", "junk", once},
	}
	for _, page := range pages {
		file := pageOf(t, page.name, page.journal)
		for _, s := range page.screens {
			t.Run(fmt.Sprintf("%s/%d", page.name, s.width), func(t *testing.T) {
				tab := browser{t, b.ctx}.open(file, s)
				for _, bad := range eval[[]string](tab, unfilled) {
					t.Error(bad)
				}
				tab.quiet()
			})
		}
	}
}

func TestReport_EscapesNames(t *testing.T) {
	tab := newBrowser(t).open(pageOf(t, "<img src=x onerror=window.taken=6>.journal", hostileNames), screen{1280, false})
	if eval[bool](tab, "'taken' in window") {
		t.Errorf("a name ran as a script: %v", eval[int](tab, "window.taken"))
	}
	if n := eval[int](tab, "document.querySelectorAll('main script, main img, main b > gpu').length"); n > 0 {
		t.Errorf("%d elements were made of names", n)
	}
	if got := eval[string](tab, "document.querySelector('.waits strong').textContent"); got != nameOfTheLongest {
		t.Errorf("the longest wait is called %q, want %q", got, nameOfTheLongest)
	}
	tab.quiet()
}

func TestThePageListsWhoWasPreemptedForWhomAndWhy(t *testing.T) {
	b := newBrowser(t)
	for observe, want := range map[bool]string{
		false: "for a guarantee 1/within a queue 1/for a required node 1; root.a – 2/root.b 3 1; required-node on <b>n1</b>/queue on <b>n1</b>/guarantee on <b>n1</b>",
		true:  "only observed 3; ; required-node only observed on <b>n1</b>/queue only observed on <b>n1</b>/guarantee only observed on <b>n1</b>",
	} {
		tab := browser{t, b.ctx}.open(pageOf(t, "takings", takings(observe)), screen{1280, false})
		const said = `(() => { const text = (q, f) => [...document.querySelectorAll('#preemptions ' + q)].map(f).join('/');
			const reasons = text('.legend li', (li) => li.textContent.replace(/(\D)(\d)/, '$1 $2'));
			return [reasons, text('.scroll[aria-label="Preemptions by queue"] tbody tr', (r) => [...r.children].map((c) => c.textContent).join(' ')),
				text('.choices > li', (li) => [...li.querySelectorAll('code')].map((c) => c.textContent).join(' ') + ' on ' + li.textContent.match(/preempted on (.*?):/)[1])].join('; '); })()`
		if got := eval[string](tab, said); got != want {
			t.Errorf("observing %v: the page says\n%s\nwant\n%s", observe, got, want)
		}
		if eval[bool](tab, "'taken' in window") {
			t.Error("a name ran as a script")
		}
		if got := eval[string](tab, "document.querySelector('#preemptions .victims li').firstChild.textContent"); !strings.HasPrefix(got, "<img src=x onerror=window.taken=7>") {
			t.Errorf("a victim is called %q", got)
		}
		tab.quiet()
	}
}

func TestThePageListsUsersGangsAndWhatQuotaTook(t *testing.T) {
	b := newBrowser(t)
	tab := browser{t, b.ctx}.open(pageOf(t, "shared", shared), screen{1280, false})
	const cells = `(id) => [...document.querySelectorAll(id + ' tbody tr')].map((r) => [...r.children].map((c) => [...c.querySelectorAll('.line')].map((l) => l.textContent).join(' + ') || c.textContent).join(' | ')).join('\n')`
	for id, want := range map[string]string{
		"#limits": "root.a | 6 of 6 vcore | 100 % | 1 s | –\nroot | 12 of 16 vcore + 3 of 4 applications | 75 % | 32 s | –",
		"#gangs": "by placeholders | 1 | 0 | 0 | 0 | 0 s | 0 s | 9 min 58 s | 9 min 58 s | 1 | 1\natomic | 1 | 0 | 0 | 0 | 27 s | 27 s | 9 min 28 s | 9 min 28 s | – | –\n" +
			"3 | 3 | 0 | 0 | 3 s | 27 s | 9 min 55 s | 9 min 59 s",
		"#preemptions .scroll[aria-label='Released by quota']": "root.a | 1 | 2 | 4 vcore",
	} {
		if got := eval[string](tab, "("+cells+")(\""+id+"\")"); got != want {
			t.Errorf("%s says\n%s\nwant\n%s", id, got, want)
		}
	}
	if got := eval[string](tab, "[...document.querySelectorAll('#limits tbody th')].map((c) => c.textContent).join(' / ')"); got != "<img src=x onerror=window.taken=9> user root.a / dev group root" {
		t.Errorf("the users are %q", got)
	}
	if got := eval[string](tab, "document.querySelector('#gangs .waits').innerText"); !strings.Contains(got, "z / <i>g</i>") || !strings.Contains(got, "At least 2 members together.") {
		t.Errorf("the gangs are %q", got)
	}
	if eval[bool](tab, "'taken' in window") {
		t.Error("a name ran as a script")
	}
	tab.quiet()
	tab = browser{t, b.ctx}.open(pageOf(t, "takings", takings(false)), screen{1280, false})
	const left = `['limits', 'gangs'].filter((id) => document.getElementById(id) || document.querySelector('a[href="#' + id + '"]')).length + document.querySelectorAll('[aria-label^="Released"]').length`
	if n := eval[int](tab, left); n != 0 {
		t.Errorf("a run without limits, gangs and quotas has %d sections of them", n)
	}
	tab.quiet()
}

func TestReport_FollowsTheSystemTheme(t *testing.T) {
	tab := newBrowser(t).open(pageOf(t, "demo", demo(t)), screen{1280, true})
	const brightness = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number).reduce((a, b) => a + b)"
	if got := eval[int](tab, brightness); got > 150 {
		t.Errorf("with a dark system the background has brightness %d of 765", got)
	}
	if got := eval[int](tab, "document.getElementById('theme').click(), "+brightness); got < 600 {
		t.Errorf("told to be light, the background has brightness %d of 765", got)
	}
	tab.quiet()
}

func TestAThousandQueuesCanBeSearchedFoldedAndChosen(t *testing.T) {
	tab := newBrowser(t).open(pageOf(t, "many", thousandQueues()), screen{1280, false})
	const rows = "document.querySelectorAll('#tree tbody tr').length"
	if got := eval[int](tab, rows); got != 11 {
		t.Errorf("%d rows at first, want root and its 10 children", got)
	}
	if got := eval[int](tab, "document.querySelector('.tools button').click(), "+rows); got != 150 {
		t.Errorf("%d rows when unfolded, want one page of 150", got)
	}
	if got := eval[int](tab, "document.querySelector('.more').click(), "+rows); got != 450 {
		t.Errorf("%d rows after asking for more, want 450", got)
	}
	const search = "(() => { const i = document.querySelector('input[type=search]'); i.value = 'Division3.team4.'; i.dispatchEvent(new Event('input')); return " + rows + "; })()"
	if got := eval[int](tab, search); got != 9 {
		t.Errorf("%d rows found, want the 9 projects of the team", got)
	}
	if got := eval[string](tab, "document.querySelector('#tree tbody .pick').click(), document.querySelector('#detail h3').textContent"); got != "root.division3.team4.project0" {
		t.Errorf("chosen is %q", got)
	}
	tab.quiet()
}

func TestEachPartitionHasItsOwnTree(t *testing.T) {
	const inputs = `{"at":"0s","type":"config.set","config":"partitions: [{name: main, queues: [{name: a}]}, {name: gpu.x, queues: [{name: a}, {name: b, queues: [{name: c}]}]}]"}
{"at":"0s","type":"app.add","id":"x","queue":"root.a"}
{"at":"0s","type":"app.add","id":"y","queue":"root.b.c","partition":"gpu.x"}
{"at":"1s","type":"tick"}
`
	tab := newBrowser(t).open(pageOf(t, "partitions", inputs), screen{1280, false})
	const names = "[...document.querySelectorAll('#tree tbody .pick')].map((p) => p.textContent).join(' ')"
	for _, want := range []string{"root a [gpu.x]root a b c", "root a [gpu.x]root a b", "root a [gpu.x]root a b c"} {
		if got := eval[string](tab, names); got != want {
			t.Errorf("expected the rows %q, found %q", want, got)
		}
		eval[bool](tab, "document.querySelector('.tools button').click(), true")
	}
	tab.quiet()
}

func TestChartsCanBeReadWithTheKeyboard(t *testing.T) {
	tab := newBrowser(t).open(pageOf(t, "demo", demo(t)), screen{1280, false})
	const press = `(() => { const p = document.querySelector('.plot'); p.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
		return p.getAttribute('aria-label'); })()`
	if got := eval[string](tab, press); !strings.Contains(got, "memory, used") || !strings.Contains(got, "at 23:") {
		t.Errorf("the chart reads out %q", got)
	}
	tab.quiet()
}

func TestQueuesAndPrioritiesAreDrawnOverTime(t *testing.T) {
	b := newBrowser(t)
	tab := browser{t, b.ctx}.open(pageOf(t, "demo", demo(t)), screen{1280, false})
	const headings = `(id) => [...document.querySelectorAll(id + ' figure')].map((f) => f.querySelector('h3').textContent + (f.querySelector('canvas') ? '' : ' without a plot')).join(' / ')`
	const pick = `[...document.querySelectorAll('#tree .pick')].find((p) => p.textContent === 'adhoc').click(), `
	for id, want := range map[string]string{
		"#detail":     "vcore over time / Asks that wait / How long they had waited",
		"#waiting":    "Asks that wait / How long they had waited / Asks that wait, by queue",
		"#priorities": "Over time / How long they had waited, by priority",
	} {
		if got := eval[string](tab, pick+"("+headings+")('"+id+"')"); got != want {
			t.Errorf("%s has the charts %q, want %q", id, got, want)
		}
	}
	const legend = "document.querySelectorAll('#waiting figure')[2].querySelector('.legend').children.length"
	if got := eval[int](tab, legend); got != 7 {
		t.Errorf("%d curves of queues, want the six in which most asks wait, and the others", got)
	}
	const last = "[...[...document.querySelectorAll('#priorities .scroll tbody tr')].at(-1).children].map((c) => c.textContent).join(' | ')"
	if got := eval[string](tab, last); !strings.HasPrefix(got, "-5 | ") || !strings.HasSuffix(got, " s") {
		t.Errorf("the lowest priority is %q", got)
	}
	const rows = "(() => { const d = document.querySelector('#detail details:last-of-type'); d.open = true; return new Promise((done) => d.addEventListener('toggle', () => done(d.querySelectorAll('tbody tr').length))); })()"
	if got := eval[int](tab, rows); got < 50 {
		t.Errorf("the table of a chart has %d rows", got)
	}
	tab.quiet()
	one := browser{t, b.ctx}.open(pageOf(t, "one", leaf+`{"at":"1s","type":"ask.add","id":"x","app":"b","resources":{"vcore":9}}
{"at":"9s","type":"tick"}
`), screen{320, true})
	if got := eval[string](one, "("+headings+")('#waiting')"); got != "Asks that wait / How long they had waited" {
		t.Errorf("with asks in one queue, the page has the charts %q", got)
	}
	if got := eval[int](one, "document.documentElement.scrollWidth"); got > 320 {
		t.Errorf("the page is %d pixels wide", got)
	}
	one.quiet()
}

func TestThePageForbidsEverythingButItself(t *testing.T) {
	text, err := os.ReadFile(pageOf(t, "demo", demo(t)))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	if !strings.Contains(page, `content="default-src 'none'; style-src 'sha256-`) {
		t.Error("the page has no policy that forbids everything else")
	}
	for _, sign := range []string{"src=\"", "<link", "@import", "url(", "%STYLE%", "%SCRIPT%", "null,\"guaranteed\""} {
		if strings.Contains(page, sign) {
			t.Errorf("the page holds %s", sign)
		}
	}
	if len(text) > 1<<20 {
		t.Errorf("the demo's page has %d bytes, want less than a megabyte", len(text))
	}
}
