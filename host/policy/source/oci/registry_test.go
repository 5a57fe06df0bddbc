package oci

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// testRegistry is a registry in this process, which answers what a pull asks.
type testRegistry struct {
	*httptest.Server
	mu        sync.Mutex
	user      string            // with the password "secret"; empty: anybody may pull
	manifests map[string][]byte // by tag and by digest
	blobs     map[string][]byte
	pulls     int // of blobs
}

func newRegistry(t *testing.T) *testRegistry {
	r := &testRegistry{manifests: map[string][]byte{}, blobs: map[string][]byte{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *testRegistry) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if user, password, _ := q.BasicAuth(); r.user != "" && (user != r.user || password != "secret") {
		w.Header().Set("WWW-Authenticate", `Basic realm="registry"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	parts := strings.Split(q.URL.Path, "/")
	kind, name := parts[len(parts)-2], parts[len(parts)-1]
	content, mediaType := r.manifests[name], ocispec.MediaTypeImageManifest
	if kind == "blobs" {
		content, mediaType = r.blobs[name], "application/octet-stream"
		r.pulls++
	}
	if content == nil {
		http.NotFound(w, q)
		return
	}
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	if strings.HasPrefix(name, "sha256:") {
		w.Header().Set("Docker-Content-Digest", name)
	} else {
		w.Header().Set("Docker-Content-Digest", digest.FromBytes(content).String())
	}
	if q.Method != http.MethodHead {
		_, _ = w.Write(content) // the client sees what is missing
	}
}

// push puts an artefact with one module under a tag, after a change, and returns the digest of its manifest.
func (r *testRegistry) push(t *testing.T, tag, module string, change ...func(*ocispec.Manifest)) string {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	m := ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest,
		Config: r.blob(configType, "{}"), Layers: []ocispec.Descriptor{r.blob(moduleType, module)},
	}
	for _, c := range change {
		c(&m)
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	d := digest.FromBytes(text).String()
	r.manifests[tag], r.manifests[d] = text, text
	return d
}

func (r *testRegistry) blob(mediaType, content string) ocispec.Descriptor {
	d := digest.FromString(content)
	r.blobs[d.String()] = []byte(content)
	return ocispec.Descriptor{MediaType: mediaType, Digest: d, Size: int64(len(content))}
}

// reference is one to the repository "policies/score".
func (r *testRegistry) reference(t *testing.T, suffix string) Reference {
	t.Helper()
	ref, err := ParseReference(scheme + strings.TrimPrefix(r.URL, "http://") + "/policies/score" + suffix)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}
