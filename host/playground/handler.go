// Package playground serves the playground, a site of files that needs nothing of its server but them, and other sites of files.
package playground

import (
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
)

// ContentPolicy lets the page load what came with it, and nothing from anywhere else. docs/playground.md asks every host of
// the site to send it. Any page may embed it.
const ContentPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; " +
	"style-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'"

// types are of the endings that occur, so that the system's own table has no say.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".gz": "application/gzip", ".json": "application/json",
}

// named are files whose name has a hash of what is in them.
const named = "assets/"

// site serves files with what browsers are to know of them.
type site struct {
	files  fs.FS
	policy string // of contents
	all    map[string]*file
}

// Handler serves the playground's files. The error is that of a file that cannot be read.
func Handler(files fs.FS) (http.Handler, error) { return Site(files, ContentPolicy) }

// Site serves the files of a site whose pages may load what the policy allows. The error is that of a file that cannot be read.
func Site(files fs.FS, policy string) (http.Handler, error) {
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
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "expected GET or HEAD", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	f := s.all[name]
	if f == nil {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", s.policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache") // which means: ask whether it changed
	if strings.HasPrefix(name, named) {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if f.kind != "" {
		h.Set("Content-Type", f.kind)
	}
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
