// Package hostmodules runs policy modules where the core itself is a WebAssembly module: each policy module is an instance
// of its own, made by the host of the core, and calls go through imports of the core. The gate (wasm/module/gate) is part
// of the core, so that the host only gets modules that are metered already. Running them is the work of
// wasm/module/guest, as in the Go host.
//
// The memory of an instance is out of the core's reach: frames are built in the core's memory, and each call passes on
// what changed in them. A trap is a status, nothing that unwinds through the core.
//
// Modules implements rpc.Policies. Where no host provides the imports, as in a native program, every load fails and says so.
package hostmodules
