package program

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// registryOf serves one artefact with a module, as policies/packing:v1, and returns the reference to it.
func registryOf(t *testing.T, module []byte) (reference string, end func()) {
	t.Helper()
	contents := map[string][]byte{}
	blob := func(mediaType string, content []byte) ocispec.Descriptor {
		d := digest.FromBytes(content)
		contents["blobs/"+d.String()] = content
		return ocispec.Descriptor{MediaType: mediaType, Digest: d, Size: int64(len(content))}
	}
	manifest, err := json.Marshal(ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest,
		Config: blob("application/vnd.wasm.config.v0+json", []byte("{}")), Layers: []ocispec.Descriptor{blob("application/wasm", module)},
	})
	if err != nil {
		t.Fatal(err)
	}
	contents["manifests/v1"], contents["manifests/"+digest.FromBytes(manifest).String()] = manifest, manifest
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		content := contents[path.Join(path.Base(path.Dir(q.URL.Path)), path.Base(q.URL.Path))]
		if content == nil || !strings.HasPrefix(q.URL.Path, "/v2/policies/packing/") {
			http.NotFound(w, q)
			return
		}
		w.Header().Set("Content-Type", ocispec.MediaTypeImageManifest)
		w.Header().Set("Docker-Content-Digest", digest.FromBytes(content).String())
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		if q.Method != http.MethodHead {
			_, _ = w.Write(content) // the client sees what is missing
		}
	}))
	t.Cleanup(s.Close)
	return "oci://" + s.Listener.Addr().String() + "/policies/packing:v1", s.Close
}

// placedBy is the node on which a scheduler with such arguments places an ask that either of two nodes could take.
func placedBy(t *testing.T, policy string, args ...string) string {
	t.Helper()
	queues := fmt.Sprintf("partitions: [{name: default, nodesortpolicy: {type: %s}, queues: [{name: root, queues: [{name: a}]}]}]", policy)
	dir := folder(t, map[string]string{"queues.yaml": queues})
	address, end := hosted(t, append([]string{"--ephemeral", "--config", path.Join(dir, "queues.yaml")}, args...)...)
	status, text := post(t, address, `{"type":"node.add","id":"large","capacity":{"vcore":16}}
{"type":"node.add","id":"small","capacity":{"vcore":4}}
{"type":"app.add","id":"x","queue":"root.a"}
{"type":"ask.add","id":"job","app":"x","resources":{"vcore":2}}
`)
	if status != http.StatusOK {
		t.Fatal(text)
	}
	soon(t, address+"/v1/decisions?type=allocation", `"id":"job"`)
	body, _ := get(t, address+"/v1/decisions?type=allocation")
	var made struct{ Node string }
	if err := json.Unmarshal([]byte(strings.SplitN(body, "\n", 2)[0]), &made); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	if code := end(); code != cli.Succeeded {
		t.Errorf("exit code %d", code)
	}
	return made.Node
}

func TestAModuleOfARegistryDecides(t *testing.T) {
	module, err := os.ReadFile("../../../plugins/binpack-tetris/binpack-tetris.wasm")
	if err != nil {
		t.Fatal(err)
	}
	reference, end := registryOf(t, module)
	modules := t.TempDir()
	args := []string{"--policies", modules, "--policy-oci", "packing=" + reference}
	if built, pulled := placedBy(t, "fair"), placedBy(t, "packing", args...); built != "large" || pulled != "small" {
		t.Errorf("expected large by the built-in policy and small by the module, found %q and %q", built, pulled)
	}
	end()
	if again := placedBy(t, "packing", args...); again != "small" {
		t.Errorf("without the registry: expected small by the module of the folder, found %q", again)
	}
	_ = placedBy(t, "fair", "--policies", modules) // no source: the folder is left alone
	if found, err := os.ReadFile(path.Join(modules, "packing.wasm")); err != nil || string(found) != string(module) {
		t.Errorf("expected the module in the folder, found %d bytes, %v", len(found), err)
	}
}

func TestReferencesToModulesThatCannotBeUsedAreNamed(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--policy-oci", "oci://registry.example/a:v1"}, "--policy-oci: expected --policies"},
		{[]string{"--policies", dir, "--policy-oci", "registry.example/a:v1"}, "expected [NAME=]oci://"},
		{[]string{"--policies", dir, "--policy-oci", "oci://registry.example/a:v1", "--policy-oci", "a=oci://registry.example/b:v1"}, `found "a" for both`},
		{[]string{"--policies", dir, "--policy-oci", "oci://registry.example/a:v1", "--policy-oci-credentials", path.Join(dir, "none.json")}, "none.json"},
	} {
		quern("", append([]string{"serve", "--ephemeral", "--http", "127.0.0.1:0", "--grpc", "127.0.0.1:0"}, c.args...)...).want(t, cli.BadInput, "", c.want)
	}
}
