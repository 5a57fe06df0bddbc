// Package policymaps takes policy modules from ConfigMaps into the folder that the host watches.
//
// A ConfigMap with the label Label in the watched namespace holds modules: NAME.wasm in its binaryData, and, where it needs settings, NAME.toml
// in its data beside it. The API server bounds a ConfigMap to 1 MiB; larger modules come from a registry (host/policy/source/oci). A module
// goes with its ConfigMap.
package policymaps
