package docsite

import (
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// contentPolicy lets pages load what came with them, and nothing from anywhere else.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'"

// picturePolicy lets drawings have the styles that they hold.
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'"

// types are of the endings that occur, so that the system's own table has no say; all others are text.
var types = map[string]string{
	".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".json": "application/json",
}

// ServeHTTP serves the files of the site.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "expected GET or HEAD", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	status := http.StatusOK
	data, ok := s.Files[name]
	switch {
	case ok:
	case s.Files[path.Join(name, "index.html")] != nil:
		if name != "" && !strings.HasSuffix(r.URL.Path, "/") {
			http.Redirect(w, r, "/"+name+"/", http.StatusMovedPermanently) // relative links count from the folder
			return
		}
		name = path.Join(name, "index.html")
		data = s.Files[name]
	default:
		name, status = missing, http.StatusNotFound
		data = s.Files[missing]
	}
	kind := types[path.Ext(name)]
	if kind == "" {
		kind = "text/plain"
	}
	h := w.Header()
	h.Set("Content-Security-Policy", contentPolicy)
	if kind == types[".svg"] {
		h.Set("Content-Security-Policy", picturePolicy)
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Type", mime.FormatMediaType(kind, map[string]string{"charset": "utf-8"}))
	h.Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	if r.Method == http.MethodGet {
		_, _ = w.Write(data) // a reader that has gone needs no answer
	}
}
