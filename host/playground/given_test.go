package playground

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestLargeJournal_CompressedIfAccepted(t *testing.T) {
	large := []byte(strings.Repeat("{\"at\":\"0s\",\"type\":\"tick\"}\n", 10_000))
	for name, c := range map[string]struct {
		journal []byte
		accept  string
		zipped  bool
	}{
		"large": {large, "br, gzip", true}, "as it is": {large, "", false}, "refused": {large, "gzip;q=0", false}, "small": {large[:100], "gzip", false},
	} {
		g := &Given{Journal: c.journal}
		r := httptest.NewRequest(http.MethodGet, givenPath, nil)
		if c.accept != "" {
			r.Header.Set("Accept-Encoding", c.accept)
		}
		w := httptest.NewRecorder()
		g.With(http.NotFoundHandler()).ServeHTTP(w, r)
		body := w.Body.Bytes()
		if zipped := w.Header().Get("Content-Encoding") == "gzip"; zipped != c.zipped || zipped && len(body) > len(large)/10 {
			t.Errorf("%s: expected compressed %v, found %v with %d bytes", name, c.zipped, zipped, len(body))
			continue
		}
		if c.zipped {
			z, err := gzip.NewReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			if body, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		if w.Code != http.StatusOK || !bytes.Equal(body, c.journal) {
			t.Errorf("%s: status %d, %d bytes of %d", name, w.Code, len(body), len(c.journal))
		}
	}
}
