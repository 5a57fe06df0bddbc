package oci

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"

	"github.com/quern-project/quern/host/policy/source"
)

// The media types of an artefact.
const (
	configType = "application/vnd.wasm.config.v0+json"
	moduleType = "application/wasm"
)

// mostManifest bounds a manifest, in bytes.
const mostManifest = 1 << 20

// client returns a client of registries with the credentials of a file as `docker login` writes it. Programs that the file names for
// credentials are not run. Without a file, the client is anonymous.
func client(file string, http *http.Client) (*auth.Client, error) {
	c := &auth.Client{Client: http, Cache: auth.NewCache()}
	c.SetUserAgent("quern")
	if file == "" {
		return c, nil
	}
	if _, err := os.Stat(file); err != nil { // which the store takes for an empty one
		return nil, fmt.Errorf("%s: expected credentials of registries: %w", file, err)
	}
	store, err := credentials.NewFileStore(file)
	if err != nil {
		return nil, fmt.Errorf("%s: expected credentials of registries: %w", file, err)
	}
	c.Credential = credentials.Credential(store)
	return c, nil
}

// repository is the one of a reference. A registry on the loopback interface is asked without TLS.
func repository(r Reference, c *auth.Client) *remote.Repository {
	host, _, err := net.SplitHostPort(r.artefact.Registry)
	if err != nil {
		host = r.artefact.Registry
	}
	ip := net.ParseIP(host)
	return &remote.Repository{Client: c, Reference: r.artefact, PlainHTTP: strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback(),
		ManifestMediaTypes: []string{ocispec.MediaTypeImageManifest}}
}

// resolve returns the manifest that a reference names now.
func resolve(ctx context.Context, r Reference, repo *remote.Repository) (ocispec.Descriptor, error) {
	d, err := repo.Manifests().Resolve(ctx, r.artefact.Reference)
	if err != nil {
		return d, err
	}
	return d, expect("manifest", d, ocispec.MediaTypeImageManifest, mostManifest)
}

// pull returns the module of a manifest.
func pull(ctx context.Context, repo *remote.Repository, d ocispec.Descriptor) ([]byte, error) {
	text, err := content.FetchAll(ctx, repo.Manifests(), d) // which verifies the digest
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	var m ocispec.Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	if err := expect("config", m.Config, configType, mostManifest); err != nil {
		return nil, err
	}
	if len(m.Layers) != 1 {
		return nil, fmt.Errorf("layers: expected one, found %d", len(m.Layers))
	}
	if err := expect("layer", m.Layers[0], moduleType, source.MostBytes); err != nil {
		return nil, err
	}
	module, err := content.FetchAll(ctx, repo.Blobs(), m.Layers[0]) // as above
	if err != nil {
		return nil, fmt.Errorf("layer: %w", err)
	}
	return module, nil
}

// expect checks what a registry says of content before it is fetched.
func expect(what string, d ocispec.Descriptor, mediaType string, most int64) error {
	if d.MediaType != mediaType {
		return fmt.Errorf("%s: expected the media type %s, found %q", what, mediaType, d.MediaType)
	}
	if d.Size > most {
		return fmt.Errorf("%s: expected at most %d bytes, found %d", what, most, d.Size)
	}
	return nil
}
