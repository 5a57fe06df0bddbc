// Package journal reads and writes inputs and decisions as JSON Lines, and replays inputs on a core.Machine with a virtual clock.
//
// A Decoder is strict: an unknown or duplicate key or an invalid value is an *Error that names file, line and key. An Encoder writes
// the only canonical form, so that equal runs give equal bytes. Replay decides what the machine does not know: how long an allocation
// runs, how long a victim takes to leave, and when the clock stops.
//
// The package opens no files and reads no clock. Callers pass readers, writers and file contents.
package journal
