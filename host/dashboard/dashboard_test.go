package dashboard_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/dashboard"
)

func handler(t *testing.T) http.Handler {
	t.Helper()
	d, err := dashboard.New(
		fstest.MapFS{"index.html": {Data: []byte("the dashboard")}, "assets/page.js": {Data: []byte("let a")}, "icon.svg": {Data: []byte("<svg/>")}},
		fstest.MapFS{"index.html": {Data: []byte("the playground")}, "core.wasm.gz": {Data: []byte("\x1f\x8b")}, "offline.js": {Data: []byte("code()")}}, "")
	if err != nil {
		t.Fatal(err)
	}
	return new(web.Guard).Handler(d.Routes()...)
}

func get(h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:9080"+path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestThePagesAreServedBesideTheAPI(t *testing.T) {
	h := handler(t)
	for path, want := range map[string]string{"/": "the dashboard", "/assets/page.js": "let a", "/playground/": "the playground", "/playground/core.wasm.gz": "\x1f\x8b"} {
		if w := get(h, path); w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("%s: found %d %q", path, w.Code, w.Body)
		}
	}
	for _, path := range []string{"/assets/", "/assets/absent.js", "/index.htm", "/playground/absent.js", "/playground/../../secret"} {
		if w := get(h, path); w.Code == http.StatusOK {
			t.Errorf("%s: found %q", path, w.Body)
		}
	}
	if again := get(h, "/", "If-None-Match", get(h, "/").Header().Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("the page again: expected 304, found %d", again.Code)
	}
}

func TestNothingIsCompressedTwice(t *testing.T) {
	noise := make([]byte, 4096)
	d, err := dashboard.New(fstest.MapFS{"assets/page.js": {Data: bytes.Repeat([]byte("let a\n"), 1000)}}, fstest.MapFS{"core.wasm.gz": {Data: noise}, "offline.js": {Data: []byte("code()")}}, "")
	if err != nil {
		t.Fatal(err)
	}
	h := new(web.Guard).Handler(d.Routes()...)
	for _, accept := range []string{"gzip", "gzip, deflate, br, zstd"} {
		if w := get(h, "/assets/page.js", "Accept-Encoding", accept); w.Header().Get("Content-Encoding") != "gzip" || w.Body.Len() > 200 || len(w.Header().Values("Vary")) != 1 || w.Header().Get("ETag") == "" {
			t.Errorf("%s: found %d bytes, %v", accept, w.Body.Len(), w.Header())
		}
		if w := get(h, "/playground/core.wasm.gz", "Accept-Encoding", accept); w.Header().Get("Content-Encoding") != "" || w.Body.Len() != len(noise) {
			t.Errorf("%s: found %d bytes, %v", accept, w.Body.Len(), w.Header())
		}
	}
	if w := get(h, "/assets/page.js", "Accept-Encoding", "zstd"); w.Header().Get("Content-Encoding") != "zstd" {
		t.Errorf("who takes zstd alone: found %v", w.Header())
	}
}

func TestNoPageMayFrameThePages(t *testing.T) {
	h := handler(t)
	for _, path := range []string{"/", "/playground/"} {
		if policy := get(h, path).Header().Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s: expected frame-ancestors 'none', found %q", path, policy)
		}
	}
}

func TestTheDashboardMayLoadNothingFromElsewhere(t *testing.T) {
	policy := get(handler(t), "/").Header().Get("Content-Security-Policy")
	for _, rule := range []string{"default-src 'none'", "script-src 'self';", "style-src 'self';", "connect-src 'self';", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, rule) {
			t.Errorf("expected %q in the policy, found %q", rule, policy)
		}
	}
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") || strings.Contains(policy, "data:") {
		t.Errorf("expected nothing inline and no other place in the policy, found %q", policy)
	}
	if policy := get(handler(t), "/playground/").Header().Get("Content-Security-Policy"); !strings.Contains(policy, "'wasm-unsafe-eval'") {
		t.Errorf("the playground runs the scheduler: expected that its policy allows that, found %q", policy)
	}
}

func TestEditor_GetsTheKeysOfTheConfiguration(t *testing.T) {
	w := get(handler(t), "/keys.json")
	var keys []struct{ Name, Where, Type, Meaning, Status string }
	if err := json.Unmarshal(w.Body.Bytes(), &keys); err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		if k.Name == "resources.max" && k.Where == "queue" && k.Type != "" && k.Meaning != "" && k.Status == "works" {
			return
		}
	}
	t.Errorf("expected resources.max of a queue among the keys, found %s", w.Body)
}
