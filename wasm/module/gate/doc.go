// Package gate is the gate that a policy module passes before it runs, and the rewrite that bounds every run of it.
//
// A module is untrusted WebAssembly. Inspect decodes all of it within Limits and reports what is inside; Bound also
// holds it to the policy ABI and returns the same module with a fuel counter: an exported mutable i64 global that every
// function entry, loop iteration and bulk operation takes from. Below zero the module traps. Fuel counts instructions,
// never time, so the same bytes with the same input stop at the same place in the host, in a browser and on replay.
//
// What the gate promises about an accepted module, whoever wrote it:
//   - it imports nothing but the functions of the allow-list, and holds one memory of at most Limits.Pages pages;
//   - between two checks of the counter it runs a stretch of code that it has paid for already;
//   - nothing in it can name the counter, the added functions or the added locals, for each index was checked here;
//   - it compiles in seconds: the counts and sizes that make engines slow are bounded.
//
// Every instruction that runs was paid for; a stretch may be paid for that does not run, such as the other arm of an if.
// The counter shows how far a module came: while it is positive after a trap, the trap was the module's own.
//
// The gate does not check operand types: every engine does before it runs a module, and a rewritten module is
// valid exactly where the original was. The package is pure and safe for concurrent use. The host calls it when a
// policy is loaded, the playground before it hands a module to the browser, and `quern policy inspect` to show one.
package gate
