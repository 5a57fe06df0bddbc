package oci

import (
	"encoding/base64"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/quern-project/quern/host/policy/source"
)

func pulling(t *testing.T, o Options) *Source {
	t.Helper()
	o.Log = slog.New(slog.DiscardHandler)
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// module is the content of score.wasm; empty: there is none.
func module(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "score.wasm"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

func TestATagIsFollowedAndADigestStays(t *testing.T) {
	r, dir, fixed := newRegistry(t), t.TempDir(), t.TempDir()
	d := r.push(t, "v1", "one")
	byTag := pulling(t, Options{References: []Reference{r.reference(t, ":v1")}, Dir: dir})
	byDigest := pulling(t, Options{References: []Reference{r.reference(t, "@"+d)}, Dir: fixed})
	for _, c := range []struct{ push, tag, digest string }{{"", "one", "one"}, {"two", "two", "one"}, {"three", "three", "one"}} {
		if c.push != "" {
			r.push(t, "v1", c.push)
		}
		if err := errors.Join(byTag.Pull(t.Context()), byDigest.Pull(t.Context())); err != nil {
			t.Fatal(err)
		}
		if module(t, dir) != c.tag || module(t, fixed) != c.digest {
			t.Errorf("after %q: by tag %q, by digest %q", c.push, module(t, dir), module(t, fixed))
		}
	}
	before := r.pulls
	if err := byTag.Pull(t.Context()); err != nil || r.pulls != before {
		t.Errorf("%v: %d blobs were pulled although nothing had changed", err, r.pulls-before)
	}
}

func TestWhatCannotBePulledLeavesTheModuleAsItIs(t *testing.T) {
	r, dir := newRegistry(t), t.TempDir()
	r.push(t, "v1", "one")
	references := []Reference{r.reference(t, ":v1")}
	if err := pulling(t, Options{References: references, Dir: dir}).Pull(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.Close()
	err := pulling(t, Options{References: references, Dir: dir}).Pull(t.Context()) // after a restart
	if err == nil || !strings.Contains(err.Error(), references[0].String()) {
		t.Errorf("found %v", err)
	}
	if module(t, dir) != "one" {
		t.Error("the module is gone")
	}
	if err := pulling(t, Options{Dir: dir}).Pull(t.Context()); err != nil || module(t, dir) != "" {
		t.Errorf("%v: the module is there although no reference names it", err)
	}
}

func TestArtefactsOfAnotherLayoutAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*ocispec.Manifest)
		want   string
	}{
		"an image":    {func(m *ocispec.Manifest) { m.Config.MediaType = ocispec.MediaTypeImageConfig }, "config: expected the media type " + configType},
		"a layer":     {func(m *ocispec.Manifest) { m.Layers[0].MediaType = ocispec.MediaTypeImageLayerGzip }, "layer: expected the media type " + moduleType},
		"two layers":  {func(m *ocispec.Manifest) { m.Layers = append(m.Layers, m.Layers[0]) }, "layers: expected one, found 2"},
		"a large one": {func(m *ocispec.Manifest) { m.Layers[0].Size = source.MostBytes + 1 }, "layer: expected at most"},
	} {
		t.Run(name, func(t *testing.T) {
			r, dir := newRegistry(t), t.TempDir()
			r.push(t, "v1", "one", c.change)
			err := pulling(t, Options{References: []Reference{r.reference(t, ":v1")}, Dir: dir}).Pull(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.want) || module(t, dir) != "" {
				t.Errorf("found %v", err)
			}
		})
	}
}

// A registry that lies about content is caught by the digests.
func TestContentThatWasTamperedWithIsRefused(t *testing.T) {
	for name, tamper := range map[string]func(r *testRegistry, digest string){
		"module": func(r *testRegistry, _ string) {
			for d, content := range r.blobs {
				if string(content) == "one" {
					r.blobs[d] = []byte("eno")
				}
			}
		},
		"manifest": func(r *testRegistry, digest string) {
			r.manifests[digest] = []byte(strings.Replace(string(r.manifests[digest]), "schemaVersion", "schemaversion", 1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, dir := newRegistry(t), t.TempDir()
			d := r.push(t, "v1", "one")
			tamper(r, d)
			err := pulling(t, Options{References: []Reference{r.reference(t, "@"+d)}, Dir: dir}).Pull(t.Context())
			if err == nil || !strings.Contains(err.Error(), name[:1]) || module(t, dir) != "" {
				t.Errorf("found %v", err)
			}
		})
	}
}

func TestCredentialsAreThoseOfTheDockerConfiguration(t *testing.T) {
	r, dir := newRegistry(t), t.TempDir()
	r.user = "ann"
	r.push(t, "v1", "one")
	references := []Reference{r.reference(t, ":v1")}
	if err := pulling(t, Options{References: references, Dir: dir}).Pull(t.Context()); err == nil || !strings.Contains(err.Error(), "credential not found") {
		t.Errorf("without credentials: %v", err)
	}
	file := filepath.Join(t.TempDir(), "config.json")
	login := base64.StdEncoding.EncodeToString([]byte("ann:secret"))
	text := `{"auths": {"` + strings.TrimPrefix(r.URL, "http://") + `": {"auth": "` + login + `"}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := pulling(t, Options{References: references, Dir: dir, Credentials: file}).Pull(t.Context()); err != nil || module(t, dir) != "one" {
		t.Errorf("with credentials: %v", err)
	}
}

func TestReferences(t *testing.T) {
	const d = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	for _, c := range []struct{ text, name, want string }{
		{"oci://registry.example/team/score:v1", "score", "oci://registry.example/team/score:v1"},
		{"rank=oci://registry.example:5000/team/score@" + d, "rank", "oci://registry.example:5000/team/score@" + d},
	} {
		if r, err := ParseReference(c.text); err != nil || r.Name != c.name || r.String() != c.want || r.fixed() != strings.Contains(c.text, "@") {
			t.Errorf("%s: found %+v, %v", c.text, r, err)
		}
	}
	for text, want := range map[string]string{
		"registry.example/score:v1":        "expected [NAME=]oci://",
		"rankoci://registry.example/s:v1":  "expected [NAME=]oci://",
		"oci://registry.example/score":     "expected a tag or a digest",
		"oci://registry.example/Score:v1":  "expected oci://REGISTRY/REPOSITORY:TAG",
		"oci://registry.example/s@md5:abc": "expected oci://REGISTRY/REPOSITORY:TAG",
	} {
		if _, err := ParseReference(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: found %v", text, err)
		}
	}
}

func TestTwoReferencesForOneModuleAreRefused(t *testing.T) {
	a, b := Reference{Name: "score"}, Reference{Name: "score"}
	if _, err := New(Options{References: []Reference{a, b}, Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), `found "score" for both`) {
		t.Error(err)
	}
}
