// Package reactor is the calling convention of the project's WebAssembly modules, which are WASI reactors: Serve on the
// side of the module, Client on the side of a Go test. The page has its own client (playground/src/engine/reactor.ts).
//
// After _initialize, quern_reserve returns the address of a request buffer, which the caller fills. quern_call serves the
// request and returns the address of the answer, which begins with its size as 4 bytes, little endian. The buffer is
// released by quern_call, the answer by the next call of either function.
package reactor
