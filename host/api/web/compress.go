package web

import (
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// leastCompressed is how many bytes an answer has that is compressed.
const leastCompressed = 1024

// compressible reports whether answers of a type become smaller and may wait until there is enough to compress. A stream may not.
func compressible(kind string) bool {
	return gzhttp.DefaultContentTypeFilter(kind) && !strings.HasPrefix(kind, "text/event-stream")
}

// compressed has answers compressed as clients take them, except streams, which readers must get without delay.
func compressed(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(leastCompressed), gzhttp.ContentTypeFilter(compressible))
	if err != nil {
		panic(err) // the options are constants
	}
	smaller := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || streams(r) { // who writes waits for the answer, which is small
			next.ServeHTTP(w, r)
			return
		}
		smaller.ServeHTTP(w, r)
	})
}

// streams reports whether an answer may go on.
func streams(r *http.Request) bool {
	return r.URL.Query().Get("follow") == "true" || strings.Contains(r.Header.Get("Accept"), "text/event-stream") || r.Header.Get("Upgrade") != ""
}
