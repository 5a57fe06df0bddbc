package docsite

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/quern-project/quern"
)

// reader is a Chromium that looks at the project's site.
type reader struct {
	t       *testing.T
	ctx     context.Context
	address string
	broken  atomic.Bool // the index of search is refused
	asked   chan struct{}
	answer  chan struct{} // not nil: the index waits for it
}

// newReader starts Chromium and serves the site to it, or skips the test if there is none.
func newReader(t *testing.T) *reader {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped, because the short form of the tests starts no browser")
	}
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	if program == "" {
		t.Skip("skipped, because no Chromium was found: expected chromium, chromium-browser or google-chrome on PATH")
	}
	r := &reader{t: t, asked: make(chan struct{}, 1)}
	site := built(t, quern.Files)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if strings.HasSuffix(q.URL.Path, SearchIndex) {
			if r.answer != nil {
				r.asked <- struct{}{}
				<-r.answer
			}
			if r.broken.Load() {
				http.Error(w, "refused", http.StatusServiceUnavailable)
				return
			}
		}
		site.ServeHTTP(w, q)
	}))
	t.Cleanup(server.Close)
	r.address = server.URL
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.WSURLReadTimeout(time.Minute))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), flags...)
	t.Cleanup(stop)
	ctx, closed := chromedp.NewContext(ctx)
	t.Cleanup(closed)
	r.ctx = ctx
	r.open("/")
	return r
}

func (r *reader) open(page string) {
	r.t.Helper()
	if err := chromedp.Do(r.ctx, chromedp.Navigate(r.address+page)); err != nil {
		r.t.Fatalf("%s: %v", page, err)
	}
}

func (r *reader) keys(keys string) {
	r.t.Helper()
	if err := chromedp.Do(r.ctx, chromedp.KeyEvent(keys)); err != nil {
		r.t.Fatal(err)
	}
}

func show[T any](r *reader, expression string) T {
	r.t.Helper()
	value, err := chromedp.Run(r.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		r.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// until waits for a change of the page that makes an expression true.
func (r *reader) until(expression string) {
	r.t.Helper()
	ok := show[bool](r, fmt.Sprintf(`new Promise((done) => {
		const check = () => { if (%s) { watch.disconnect(); done(true); } };
		const watch = new MutationObserver(check);
		watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
		setTimeout(() => done(false), 30000);
		check();
	})`, expression))
	if !ok {
		r.t.Fatalf("expected %s, found %s", expression, show[string](r, "document.querySelector('.found').innerText"))
	}
}

const status = "document.querySelector('.status').textContent"

func TestPages_FitEveryWidthInBothThemes(t *testing.T) {
	r := newReader(t)
	for _, scheme := range []string{"light", "dark"} {
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
		if _, err := chromedp.Call(r.ctx, emulation.SetEmulatedMedia, media); err != nil {
			t.Fatal(err)
		}
		for _, width := range []int64{360, 1280} {
			if err := chromedp.Do(r.ctx, chromedp.EmulateViewport(width, 900)); err != nil {
				t.Fatal(err)
			}
			for _, page := range []string{"/", "/start/five-minutes.html", "/reference/journal.html", "/configure/configuration.html", "/run-live/security.html", "/no/such/page"} {
				r.open(page)
				if wide := show[float64](r, "document.documentElement.scrollWidth"); wide > float64(width) {
					t.Errorf("%s: %d pixels wide, the page has %v", page, width, wide)
				}
			}
		}
		dark := show[string](r, "getComputedStyle(document.body).backgroundColor") == "rgb(18, 23, 26)"
		if dark != (scheme == "dark") {
			t.Errorf("the page does not follow the scheme %s", scheme)
		}
	}
	show[bool](r, "document.querySelector('.theme').click() ?? true")
	r.open("/concepts/overview.html")
	if theme := show[string](r, "document.documentElement.dataset.theme"); theme != "light" {
		t.Errorf("the chosen theme was not kept: expected light, found %q", theme)
	}
}

func TestSearch_WorksFromTheKeyboard(t *testing.T) {
	r := newReader(t)
	r.keys("/")
	r.keys("no-node-fits")
	r.until("document.querySelectorAll('[role=option]').length > 0 && " + status + ".endsWith('sections')")
	r.keys(kb.ArrowDown + kb.ArrowDown + kb.ArrowUp)
	r.until("document.querySelector('[role=option]').getAttribute('aria-selected') === 'true'")
	r.keys(kb.Enter)
	if err := chromedp.Do(r.ctx, chromedp.WaitReady("a[aria-current=page]")); err != nil { // the home page has none
		t.Fatal(err)
	}
	if text := show[string](r, "document.querySelector('main').innerText"); !strings.Contains(text, "no-node-fits") {
		t.Errorf("expected a page about no-node-fits, found\n%s", text)
	}
	r.keys(kb.Tab)
	if first := show[string](r, "document.activeElement.textContent"); first == "" {
		t.Error("Tab reaches nothing")
	}
}

func TestSearch_HeadingsComeFirst(t *testing.T) {
	r := newReader(t)
	for words, first := range map[string]string{"law 4": "Preemption: Law 4", "glossary": "Glossary", "quern docs": "quern docs", "reason codes": "The journal: Reason codes"} {
		show[bool](r, fmt.Sprintf(`(() => { const i = document.querySelector(".search input"); i.value = %q; return i.dispatchEvent(new Event("input")); })()`, words))
		r.until("document.querySelectorAll('[role=option]').length > 0 && " + status + ".endsWith('sections')")
		if found := show[string](r, "document.querySelector('[role=option] b').textContent"); found != first {
			t.Errorf("%s: expected %q first, found %q", words, first, found)
		}
	}
}

func TestSearch_SaysWhatItWaitsForAndWhatItLacks(t *testing.T) {
	r := newReader(t)
	r.answer = make(chan struct{})
	r.broken.Store(true)
	r.keys("/")
	r.keys("q")
	<-r.asked
	r.until(status + " === 'Loading the index…'")
	r.answer <- struct{}{}
	r.until(status + ".startsWith('The search index could not be loaded.')")
	r.broken.Store(false)
	r.keys(kb.Enter)
	<-r.asked
	r.answer <- struct{}{}
	r.until(status + ".endsWith('sections')")
	r.keys("zzxxqq")
	r.until(status + ".startsWith('No page has “qzzxxqq”.')")
}
