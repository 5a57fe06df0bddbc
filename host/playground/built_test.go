package playground_test

import (
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/quern-project/quern/host/playground"
)

// bare is a site as a plain go build embeds it: without the modules that make compiles.
func bare() fstest.MapFS {
	return fstest.MapFS{"index.html": {Data: []byte("<!doctype html>")}, "assets/page.js": {Data: []byte("let a")}, "offline.js": {Data: []byte("code()")}}
}

func built(t *testing.T, files fs.FS, modules string) http.Handler {
	t.Helper()
	h, err := playground.Built(files, modules, playground.ContentPolicy)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func body(t *testing.T, a *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestModule_NotCompiled_SaysHowToGetIt(t *testing.T) {
	for _, modules := range []string{"", t.TempDir()} {
		for _, name := range []string{"core.wasm.gz", "features.wasm.gz", "later/policytest.wasm.gz"} {
			a := ask(built(t, bare(), modules), "GET", "/"+name)
			if text := body(t, a); a.StatusCode != http.StatusNotFound || !strings.Contains(text, "compiled without "+name) || !strings.Contains(text, "make build") {
				t.Errorf("%q %s: found %d %q", modules, name, a.StatusCode, text)
			}
		}
	}
	if a := ask(built(t, bare(), ""), "GET", "/other.wasm.gz"); a.StatusCode != http.StatusNotFound || strings.Contains(body(t, a), "make build") {
		t.Error("a file that no site has was called a module")
	}
}

func TestModule_BeingCompiled_ComesLater(t *testing.T) {
	dir := t.TempDir()
	h := built(t, bare(), dir)
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("building", "")
	a := ask(h, "GET", "/core.wasm.gz")
	if text := body(t, a); a.StatusCode != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" || !strings.Contains(text, "core.wasm.gz is still being compiled") {
		t.Errorf("found %d %v %q", a.StatusCode, a.Header, text)
	}
	if list := body(t, ask(h, "GET", "/offline.js")); strings.Contains(list, "core.wasm.gz") {
		t.Errorf("the service worker lists a module that is not there: %s", list)
	}
	write("core.wasm.gz", "\x1f\x8b")
	a = ask(h, "GET", "/core.wasm.gz")
	if a.StatusCode != http.StatusOK || body(t, a) != "\x1f\x8b" || a.Header.Get("Content-Security-Policy") == "" || a.Header.Get("Content-Type") != "application/gzip" {
		t.Errorf("found %d %v", a.StatusCode, a.Header)
	}
	if again := ask(h, "GET", "/core.wasm.gz", "If-None-Match", a.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
		t.Errorf("the same module again: found %d", again.StatusCode)
	}
	if list := body(t, ask(h, "GET", "/offline.js")); !strings.Contains(list, `"core.wasm.gz":"`) {
		t.Errorf("the service worker lacks a module that is there: %s", list)
	}
	if a := ask(h, "POST", "/core.wasm.gz"); a.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: found %d", a.StatusCode)
	}
}

func TestServiceWorker_ListsAllFiles(t *testing.T) {
	files := bare()
	files["core.wasm.gz"] = &fstest.MapFile{Data: []byte("\x1f\x8b")}
	a := ask(built(t, files, ""), "GET", "/offline.js")
	text := body(t, a)
	for _, want := range []string{`self.quernFiles={"assets/page.js":"`, `"core.wasm.gz":"`, `"index.html":"`, ";\ncode()"} {
		if !strings.Contains(text, want) {
			t.Errorf("expected %s, found %s", want, text)
		}
	}
	if strings.Contains(text, "offline.js") || a.Header.Get("Content-Type") != "text/javascript; charset=utf-8" || a.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("found %v %s", a.Header, text)
	}
	files["assets/page.js"] = &fstest.MapFile{Data: []byte("let b")}
	if b := ask(built(t, files, ""), "GET", "/offline.js"); body(t, b) == text || b.Header.Get("ETag") == a.Header.Get("ETag") {
		t.Error("another file: expected another script")
	}
}

func TestSite_WithoutServiceWorker_Refused(t *testing.T) {
	files := bare()
	delete(files, "offline.js")
	if _, err := playground.Built(files, "", playground.ContentPolicy); err == nil {
		t.Error("expected an error")
	}
}
