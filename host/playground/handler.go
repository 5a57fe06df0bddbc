// Package playground serves the playground, a site of files that needs nothing of its server but them, and other sites of files.
package playground

import (
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
)

// ContentPolicy lets the page load what came with it, and nothing from anywhere else. docs/start/playground.md asks every host of
// the site to send it. Any page may embed it.
const ContentPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; " +
	"style-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'"

// types are of the endings that occur, so that the system's own table has no say.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".gz": "application/gzip", ".json": "application/json", ".wasm": "application/wasm",
}

// site serves files with what browsers are to know of them.
type site struct {
	files  fs.FS
	policy string // of contents
	all    map[string]*file
}

// Handler serves the playground from a folder in which it is whole. The error is that of a file that cannot be read.
func Handler(files fs.FS) (http.Handler, error) { return Site(files, ContentPolicy) }

// Site serves the files of a site whose pages may load what the policy allows. The error is that of a file that cannot be read.
func Site(files fs.FS, policy string) (http.Handler, error) { return newSite(files, policy) }

func newSite(files fs.FS, policy string) (*site, error) {
	s := &site{files: files, policy: policy, all: map[string]*file{}}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		s.all[name] = newFile(name, data)
		return err
	})
	return s, err
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if name, ok := requested(w, r); ok {
		s.serve(w, r, name)
	}
}

// requested is the name of the file that a request is about. Not ok: it was answered, since sites are only read.
func requested(w http.ResponseWriter, r *http.Request) (name string, ok bool) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "expected GET or HEAD", http.StatusMethodNotAllowed)
		return "", false
	}
	if name = strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/"); name == "" {
		name = "index.html"
	}
	return name, true
}

// serve answers with a file.
func (s *site) serve(w http.ResponseWriter, r *http.Request, name string) {
	f := s.all[name]
	if f == nil {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	s.describe(h, f.kind)
	if f.compressible() {
		if !slices.Contains(h.Values("Vary"), "Accept-Encoding") { // which a server around this one may have said
			h.Add("Vary", "Accept-Encoding")
		}
		if takesGzip(r.Header.Values("Accept-Encoding")) {
			f.serveGzip(w, r, s.files)
			return
		}
	}
	h.Set("ETag", `"`+f.hash+`"`)
	http.ServeFileFS(w, r, s.files, name)
}

// describe sets the headers that all files have. Names stay when files change, so browsers have to ask whether they have.
func (s *site) describe(h http.Header, kind string) {
	h.Set("Content-Security-Policy", s.policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache") // which means: ask whether it changed
	if kind != "" {
		h.Set("Content-Type", kind)
	}
}
