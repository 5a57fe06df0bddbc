package playground

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// file is a file of a site. It is compressed once, when a browser first asks for it.
type file struct {
	name, kind string
	hash       string
	size       int

	once    sync.Once
	zipped  []byte
	failure error
}

func newFile(name string, data []byte) *file {
	return &file{name: name, kind: types[path.Ext(name)], hash: hashOf(data), size: len(data)}
}

// hashOf is the first 12 bytes of the SHA-256, in the form in which the service worker compares it.
func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:12])
}

// leastCompressed is how many bytes a file has that is compressed: less goes into one packet anyway.
const leastCompressed = 1024

// compressible reports whether the file becomes smaller when it is compressed.
func (f *file) compressible() bool {
	text := strings.HasPrefix(f.kind, "text/") || f.kind == types[".json"] || f.kind == types[".svg"] || f.kind == types[".wasm"]
	return text && f.size >= leastCompressed
}

// gzip returns the file as it is sent compressed.
func (f *file) gzip(files fs.FS) ([]byte, error) {
	f.once.Do(func() {
		data, err := fs.ReadFile(files, f.name)
		if err != nil {
			f.failure = err
			return
		}
		f.zipped = gzipped(data)
	})
	return f.zipped, f.failure
}

func gzipped(data []byte) []byte {
	var to bytes.Buffer
	z, _ := gzip.NewWriterLevel(&to, gzip.BestCompression) // there is that level
	_, _ = z.Write(data)                                   // to memory
	_ = z.Close()                                          // likewise
	return bytes.Clone(to.Bytes())
}

// serveGzip answers with the compressed file, whose tag is another one than that of the file as it is.
func (f *file) serveGzip(w http.ResponseWriter, r *http.Request, files fs.FS) {
	data, err := f.gzip(files)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Set("ETag", `"`+f.hash+`-gzip"`)
	http.ServeContent(w, r, f.name, time.Time{}, bytes.NewReader(data))
}

// takesGzip reports whether a client takes what is compressed with gzip.
func takesGzip(accept []string) bool {
	for coding := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		name, weight, _ := strings.Cut(coding, ";")
		if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
			continue
		}
		weight = strings.ReplaceAll(weight, " ", "")
		return weight == "" || strings.Trim(strings.TrimPrefix(weight, "q="), "0.") != ""
	}
	return false
}
