// Package abi holds the numbers that a policy module and its host share: version 1 of the contract, fixed to the byte.
//
// A module exports a memory and some functions; the host lays a Frame out in that memory (a header, descriptors of
// columns, the columns) and calls the function of a point, which writes its answers into the frame. README.md beside
// this file is the contract in words, from which a module can be written without any SDK; golden/ holds frames, byte for
// byte, that the host and every SDK are tested against.
//
// Nothing here ever changes its meaning. README.md says how the contract may grow.
package abi

// Major and Minor are the version of the contract. A host serves modules of its own major version and of a minor version
// up to its own. Kind.Minor says which kinds of columns came with which minor version.
const (
	Major = 1
	Minor = 3
)

// Version is the newest version, as a module's quern_abi returns its own: Major<<16 | Minor.
const Version = Major<<16 | Minor

// What a module exports beside its memory. All take and return i32; Dictionary, Error and Initialize are optional.
const (
	ExportMemory     = "memory"
	ExportABI        = "quern_abi"        // () -> Version
	ExportManifest   = "quern_manifest"   // () -> address of a JSON text that ends with a NUL
	ExportReserve    = "quern_reserve"    // (bytes) -> address of an arena of that many bytes, aligned to Align; 0: no room
	ExportConfigure  = "quern_configure"  // (address, bytes) -> return code; a JSON object of parameters
	ExportDictionary = "quern_dictionary" // (address, bytes) -> return code; more texts (see Texts)
	ExportError      = "quern_error"      // () -> address of a text that ends with a NUL, after a return code other than OK
	ExportInitialize = "_initialize"      // () -> (): called once, first
)

// What a module may import, beside the WASI functions that stock Go needs.
const (
	ImportModule = "quern"
	ImportLog    = "log" // (level, address, bytes): a line for the operator; 0 debug, 1 info, 2 warning, 3 error
)

// A Point is a place in the pipeline where a policy answers.
type Point struct {
	Name   string // as manifests spell it
	Export string // the function: (address of the frame) -> return code
	Items  string // what the rows of its frames are
	Answer string
}

// Points are the extension points, in the order of their numbers (from 1), which processes are asked by.
var Points = [...]Point{
	{"queue.order", "queue_order", "the children of one parent", "sort keys, smaller first"},
	{"app.order", "app_order", "the applications of one leaf queue", "sort keys, smaller first; a first key of +Inf: not eligible now"},
	{"ask.order", "ask_order", "the asks of one application", "sort keys, smaller first"},
	{"node.score", "node_score", "the nodes", "one score, larger is better"},
	{"node.filter", "node_filter", "the nodes, for one ask", "0 passes, any other number is the reason code of a refusal"},
	{"victim.rank", "victim_rank", "the allocations that may be preempted", "sort keys, the smallest goes first"},
}

// Return codes of every function that returns one. A host treats every code but OK as a failure of the call.
const (
	OK          = 0
	BadFrame    = 1 // the frame is of a version or shape that the module does not understand
	BadConfig   = 2 // the configuration cannot be used; quern_error says why
	CannotServe = 3 // the module cannot answer
)

// Bounds of the contract.
const (
	Align        = 64      // of the arena
	MaxKeys      = 8       // keys of one answer
	MaxColumns   = 64      // columns of one frame
	MaxManifest  = 1 << 16 // bytes of a manifest
	MaxConfig    = 1 << 16 // bytes of a configuration
	MaxErrorText = 1 << 10 // bytes of a text of quern_error; what is longer is cut
)
