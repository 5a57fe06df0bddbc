package oci

import (
	"fmt"
	"path"
	"strings"

	"oras.land/oras-go/v2/registry"
)

// scheme begins a reference.
const scheme = "oci://"

// Reference is a module in a registry.
type Reference struct {
	Name     string // of the module
	artefact registry.Reference
}

// ParseReference reads [NAME=]oci://REGISTRY/REPOSITORY:TAG, or @DIGEST in the place of :TAG. Without NAME, the module is called as the last part
// of the repository.
func ParseReference(text string) (Reference, error) {
	name, rest, found := strings.Cut(text, scheme)
	if !found || name != "" && !strings.HasSuffix(name, "=") {
		return Reference{}, fmt.Errorf("%s: expected [NAME=]%sREGISTRY/REPOSITORY:TAG or %[2]sREGISTRY/REPOSITORY@DIGEST", text, scheme)
	}
	artefact, err := registry.ParseReference(rest)
	if err != nil {
		return Reference{}, fmt.Errorf("%s: expected %sREGISTRY/REPOSITORY:TAG, or @DIGEST in the place of :TAG: %w", text, scheme, err)
	}
	if artefact.Reference == "" {
		return Reference{}, fmt.Errorf("%s: expected a tag or a digest behind the repository, found none", text)
	}
	r := Reference{Name: strings.TrimSuffix(name, "="), artefact: artefact}
	if r.Name == "" {
		r.Name = path.Base(artefact.Repository)
	}
	return r, nil
}

// String returns what was parsed, without the name of the module.
func (r Reference) String() string { return scheme + r.artefact.String() }

// fixed reports whether the reference names content rather than a tag, which may move.
func (r Reference) fixed() bool { return r.artefact.ValidateReferenceAsDigest() == nil }
