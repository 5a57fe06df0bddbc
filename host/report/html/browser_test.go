package html_test

import (
	"context"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is one Chromium for all pages of a test.
type browser struct {
	t   *testing.T
	ctx context.Context
}

// newBrowser starts Chromium, or skips the test where there is none.
func newBrowser(t *testing.T) browser {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped, because the short form of the tests starts no browser")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("skipped, because no Chromium was found: expected chromium, chromium-browser or google-chrome on PATH")
	}
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.WSURLReadTimeout(time.Minute))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), flags...)
	t.Cleanup(stop)
	ctx, closed := chromedp.NewContext(ctx)
	t.Cleanup(closed)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	return browser{t, ctx}
}

// screen is how somebody looks at a page.
type screen struct {
	width int64
	dark  bool
}

// tab is a page that was opened, and what it complained about.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	problems []string
}

// open loads a file and waits until its script has run to the end.
func (b browser) open(file string, s screen) *tab {
	b.t.Helper()
	ctx, closed := chromedp.NewContext(b.ctx)
	b.t.Cleanup(closed)
	p := &tab{t: b.t, ctx: ctx}
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	p.do(chromedp.Do(ctx, chromedp.Navigate("about:blank"), chromedp.EmulateViewport(s.width, 1200)))
	p.do(chromedp.Listen(ctx, p.hear))
	p.do(call(ctx, runtime.Enable, cdp.Empty{}))
	p.do(call(ctx, log.Enable, cdp.Empty{}))
	p.do(call(ctx, network.Enable, network.EnableParams{}))
	p.do(call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	}))
	address := url.URL{Scheme: "file", Path: file}
	p.do(chromedp.Do(ctx, chromedp.Navigate(address.String())))
	if eval[string](p, "document.documentElement.dataset.ready || 'no'") != "yes" {
		p.quiet()
		b.t.Fatal("the script of the page did not run to its end")
	}
	return p
}

func call[P, R any](ctx context.Context, command cdp.Command[P, R], params P) error {
	_, err := chromedp.Call(ctx, command, params)
	return err
}

func (p *tab) do(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// hear notes what a page must not do: fail, complain, or ask anybody for anything.
func (p *tab) hear(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.note("exception: " + e.ExceptionDetails.Text + " " + e.ExceptionDetails.Exception.Description)
	case *runtime.EventConsoleAPICalled:
		for _, a := range e.Args {
			p.note("console: " + string(a.Value))
		}
	case *log.EventEntryAdded:
		p.note("log: " + e.Entry.Text)
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "file:") && !strings.HasPrefix(e.Request.URL, "data:") {
			p.note("request: " + e.Request.URL)
		}
	}
}

func (p *tab) note(problem string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problems = append(p.problems, problem)
}

// eval evaluates an expression of the page; promises are waited for.
func eval[T any](p *tab, expression string) T {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// quiet fails if the page complained about anything by now.
func (p *tab) quiet() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, problem := range p.problems {
		p.t.Error(problem)
	}
}
