// Package contract runs the checks of the contract (wasm/module/conformance) on a policy as the host runs it, a module
// under wazero or a process, and reports the results of `quern policy test`.
package contract
