// Package sdk holds what authors of policies write them with, a folder a language. Here they are as files, for
// `quern policy new`, which copies them into new projects; among the Go files are tests, which need not go along.
package sdk

import "embed"

// Files are the sources of the SDKs, by their paths below this folder.
//
//go:embed c/*.h
//go:embed rust/Cargo.toml rust/src/*.rs
//go:embed assemblyscript/*.ts assemblyscript/*.json assemblyscript/.npmrc
//go:embed internal/errfmt/*.go abi/*.go abi/manifest.schema.json policy/*.go go/*.go goplugin/*.go goplugin/wire/*.go
var Files embed.FS
