// Package oci pulls policy modules from OCI registries into the folder of modules.
//
// An artefact has the layout that the CNCF's runtimes share for WebAssembly: an image manifest whose config has the media type
// application/vnd.wasm.config.v0+json, and one layer of the media type application/wasm, which is the module. Manifest and layer are
// verified by their digests. A reference by tag is resolved again and again; one by digest is pulled once.
package oci
