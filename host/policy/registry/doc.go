// Package registry holds the policy modules of a folder: it finds and tests them, and gives the scheduler the evaluators that answer for them.
//
// A module is NAME.wasm, or a program that NAME.toml names; NAME is its name in configurations. Each module passes the same steps: read (the files,
// and the pin), gate, rewrite and compile (WebAssembly) or start (a process), configure, trial, serve, drain, close. If a step fails, the module is
// refused with a reason, and the module that served under the name before goes on.
//
// Registry is the folder. It announces tested modules to a scheduler as inputs. Binding evaluates for one scheduler and finds modules by their hash,
// so that a journal is replayed with the modules that it was recorded with. Nothing here is global, and nothing is read or started except by a call.
package registry
