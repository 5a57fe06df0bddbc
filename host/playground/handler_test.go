package playground_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/quern-project/quern/host/playground"
)

// small is a site with a page, a script, and a module.
func small(t *testing.T) http.Handler {
	t.Helper()
	h, err := playground.Handler(fstest.MapFS{
		"index.html":     {Data: []byte("<!doctype html>")},
		"assets/page.js": {Data: []byte("let a")},
		"core.wasm.gz":   {Data: []byte("\x1f\x8b")},
		"made.json":      {Data: []byte("{}")},
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
		"/":               "text/html; charset=utf-8",
		"/assets/page.js": "text/javascript; charset=utf-8",
		"/core.wasm.gz":   "application/gzip",
		"/made.json":      "application/json",
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

func TestFilesAreSentCompressedToWhoTakesThat(t *testing.T) {
	text := strings.Repeat("let a = 1\n", 1000)
	h, err := playground.Handler(fstest.MapFS{
		"assets/page.js": {Data: []byte(text)},
		"small.json":     {Data: []byte("{}")},
		"core.wasm.gz":   {Data: []byte(text)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for accept, zipped := range map[string]bool{
		"": false, "br": false, "identity": false, "gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "deflate, gzip;q=1.0, *;q=0.5": true,
		"gzip;q=0": false, "gzip; q=0.000": false, "xgzip": false, "zstd": false,
	} {
		a := ask(h, "GET", "/assets/page.js", "Accept-Encoding", accept)
		body := io.Reader(a.Body)
		if encoding := a.Header.Get("Content-Encoding"); encoding == "gzip" != zipped {
			t.Errorf("%q: found the encoding %q", accept, encoding)
		}
		if zipped {
			if body, err = gzip.NewReader(a.Body); err != nil {
				t.Fatal(err)
			}
		}
		if found, err := io.ReadAll(body); err != nil || string(found) != text || a.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: found %d bytes (%v) %v", accept, len(found), err, a.Header)
		}
	}
	plain, zipped := ask(h, "GET", "/assets/page.js").Header.Get("ETag"), ask(h, "HEAD", "/assets/page.js", "Accept-Encoding", "gzip").Header.Get("ETag")
	if plain == zipped || plain == "" || zipped == "" {
		t.Errorf("found the tags %q and %q", plain, zipped)
	}
	if again := ask(h, "GET", "/assets/page.js", "Accept-Encoding", "gzip", "If-None-Match", zipped); again.StatusCode != http.StatusNotModified || again.Header.Get("ETag") != zipped {
		t.Errorf("the same again: found %d %v", again.StatusCode, again.Header)
	}
	for _, path := range []string{"/small.json", "/core.wasm.gz"} {
		if a := ask(h, "GET", path, "Accept-Encoding", "gzip"); a.Header.Get("Content-Encoding") != "" || a.Header.Get("Content-Length") == "" {
			t.Errorf("%s: found %v", path, a.Header)
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
	for _, path := range []string{"/", "/assets/page.js"} {
		if cache := ask(h, "GET", path).Header.Get("Cache-Control"); cache != "no-cache" {
			t.Errorf("%s: expected that browsers ask for it again, found %q", path, cache)
		}
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
