package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// page is the module in a page of Chromium.
type page struct {
	ctx   context.Context
	mu    sync.Mutex
	files map[string][]byte // that the page may fetch, by path
}

// browse starts Chromium with a page that has loaded the module, or skips the test where there is none.
func browse(t *testing.T) *page {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped, because a browser takes its time and -short is set")
	}
	path := chromium()
	if path == "" {
		t.Skip("skipped, because no Chromium was found: expected chromium, chromium-browser or google-chrome on PATH")
	}
	p := &page{files: map[string][]byte{}}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.WSURLReadTimeout(time.Minute))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), flags...)
	t.Cleanup(stop)
	ctx, closed := chromedp.NewContext(ctx)
	t.Cleanup(closed)
	p.ctx = ctx
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+"/page.html")); err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	if loaded, err := evaluate[string](p, "load()"); err != nil || loaded != "loaded" {
		t.Fatalf("loading the module: %q, %v", loaded, err)
	}
	return p
}

// chromium is the path of a Chromium, or empty.
func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	return ""
}

// ServeHTTP serves the page, the module, and what a test gave the page to fetch.
func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	body, given := p.files[r.URL.Path]
	p.mu.Unlock()
	switch name := r.URL.Path; {
	case given:
		_, _ = w.Write(body) // the page says what it lacks
	case name == "/core.wasm":
		w.Header().Set("Content-Type", "application/wasm")
		http.ServeFile(w, r, built.file)
	case name == "/page.html" || name == "/page.js":
		http.ServeFile(w, r, filepath.Join("testdata", name))
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

// evaluate evaluates an expression of the page; promises are waited for.
func evaluate[T any](p *page, expression string) (T, error) {
	return chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// Call is a caller.
func (p *page) Call(request []byte) ([]byte, error) {
	answer, err := evaluate[string](p, fmt.Sprintf("call(%q)", base64.StdEncoding.EncodeToString(request)))
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(answer)
}

// timed is a place. The page fetches the body.
func (p *page) timed(head string, body []byte) (string, time.Duration, error) {
	p.mu.Lock()
	p.files["/body"] = body
	p.mu.Unlock()
	answer, err := evaluate[struct {
		Took float64 `json:"took"` // milliseconds
		Line string  `json:"line"`
	}](p, fmt.Sprintf("callWith(%q, %q)", head, "body"))
	return answer.Line, time.Duration(answer.Took * float64(time.Millisecond)), err
}

func TestTheModuleInABrowserDoesWhatTheScenariosSay(t *testing.T) {
	play(t, browse(t).Call, nil)
}
