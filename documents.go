// Package quern holds the project's documents, for the site that `quern docs` serves.
package quern

import "embed"

// Files are the pages of the project and the files that they link to, by their paths in the repository.
//
//go:embed CHANGELOG.md CONTRIBUTING.md RATIONALE.md SECURITY.md
//go:embed docs/README.md docs/*/*.md docs/examples docs/images/*.svg docs/images/*.png
//go:embed docs/operate/*.* docs/operate/Containerfile docs/operate/kubernetes
//go:embed plugins/README.md plugins/*/README.md plugins/*/picture.svg
//go:embed sdk/README.md sdk/*/README.md wasm/README.md
var Files embed.FS
