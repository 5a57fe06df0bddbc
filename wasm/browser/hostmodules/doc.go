// Package hostmodules runs policy modules beside the core where the core itself is a WebAssembly module: each is an instance
// of its own that whoever runs the core has made, a sibling, and calls of it go through imports. The gate and the
// rewriting of wasm/module/gate are here, inside the core, so that what gets to the other side is bounded already; what is
// done with a module that runs is wasm/module/guest, as in the host.
//
// The memory of a sibling lies apart: its frames are built in the core's memory, and with a call goes what changed in
// them. A sibling that traps is a status here, nothing that unwinds through the core.
//
// Modules keeps what was loaded, and is the Policies of a boundary. Where nobody serves the imports, as in a program
// that is no WebAssembly module, every load says so.
package hostmodules
