package playground_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/quern-project/quern/host/playground"
)

// small is a site with a page, a file with a hash in its name, and a module.
func small(t *testing.T) http.Handler {
	t.Helper()
	h, err := playground.Handler(fstest.MapFS{
		"index.html":         {Data: []byte("<!doctype html>")},
		"assets/page-1a2.js": {Data: []byte("let a")},
		"core.wasm.gz":       {Data: []byte("\x1f\x8b")},
		"made.json":          {Data: []byte("{}")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func ask(h http.Handler, method, path string, header ...string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func TestFilesAreServedWithWhatTheyAre(t *testing.T) {
	h := small(t)
	for path, want := range map[string]string{
		"/":                   "text/html; charset=utf-8",
		"/assets/page-1a2.js": "text/javascript; charset=utf-8",
		"/core.wasm.gz":       "application/gzip",
		"/made.json":          "application/json",
	} {
		a := ask(h, "GET", path)
		if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != want {
			t.Errorf("%s: %d %s, want 200 %s", path, a.StatusCode, a.Header.Get("Content-Type"), want)
		}
		if a.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: expected no encoding: the page decompresses by itself", path)
		}
	}
}

func TestThePageMayLoadNothingFromElsewhere(t *testing.T) {
	a := ask(small(t), "GET", "/")
	policy := a.Header.Get("Content-Security-Policy")
	for _, rule := range []string{"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval';", "style-src 'self';", "connect-src 'self'"} {
		if !strings.Contains(policy, rule) {
			t.Errorf("expected %q in the policy, found %q", rule, policy)
		}
	}
	if strings.Contains(policy, "http") || strings.Contains(policy, "'unsafe-inline'") {
		t.Errorf("expected no other place and nothing inline in the policy, found %q", policy)
	}
}

func TestWhatDidNotChangeIsNotSentAgain(t *testing.T) {
	h := small(t)
	tag := ask(h, "GET", "/core.wasm.gz").Header.Get("ETag")
	if a := ask(h, "GET", "/core.wasm.gz", "If-None-Match", tag); a.StatusCode != http.StatusNotModified {
		t.Errorf("the same file again: expected 304, found %d", a.StatusCode)
	}
	if a := ask(h, "GET", "/core.wasm.gz", "If-None-Match", `"other"`); a.StatusCode != http.StatusOK {
		t.Errorf("another file: expected 200, found %d", a.StatusCode)
	}
	if cache := ask(h, "GET", "/assets/page-1a2.js").Header.Get("Cache-Control"); !strings.Contains(cache, "immutable") {
		t.Errorf("a name with a hash: expected it to be kept for good, found %q", cache)
	}
	if cache := ask(h, "GET", "/").Header.Get("Cache-Control"); cache != "no-cache" {
		t.Errorf("the page: expected that it is asked for again, found %q", cache)
	}
}

func TestWhatIsNotThereIsNotFound(t *testing.T) {
	h := small(t)
	for _, path := range []string{"/assets", "/assets/", "/absent.js", "/../index.html/x", "/%2e%2e/secret", "/index.html/"} {
		if a := ask(h, "GET", path); a.StatusCode == http.StatusOK && path != "/index.html/" {
			t.Errorf("%s: expected nothing, found %d", path, a.StatusCode)
		}
	}
	if a := ask(h, "POST", "/"); a.StatusCode != http.StatusMethodNotAllowed || a.Header.Get("Allow") == "" {
		t.Errorf("POST: expected 405 with what is allowed, found %d", a.StatusCode)
	}
}
