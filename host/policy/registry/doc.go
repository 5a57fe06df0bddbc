// Package registry keeps the policy modules of a folder: it finds them, proves them, and hands the scheduler whoever
// answers for them.
//
// A module is NAME.wasm, or a program that NAME.toml names; NAME is what configurations call it. Each goes through the
// same steps: read (the files, and the pin), gate, rewrite and compile (WebAssembly) or start (a process), configure,
// trial, serve, drain, close. A step that fails ends it there: the module is refused with a reason, and what served
// under the name before goes on.
//
// Registry is the folder; what it has proven is announced to a scheduler as inputs. Binding answers for one scheduler,
// and asks for modules by their hash, so that a journal is replayed with the modules it was recorded with. Nothing here
// is global, and nothing is read or started except by a call.
package registry
