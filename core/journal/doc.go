// Package journal reads and writes inputs and decisions as JSON Lines, and replays inputs through a core.Machine with
// a virtual clock.
//
// A Decoder is strict: what it does not know, cannot decode or finds twice is an *Error that names file, line and
// key. An Encoder writes the one canonical form, so that equal runs are equal bytes. Replay owns what the machine
// does not know: how long an allocation runs, how long a victim takes to leave, and when the clock stops.
//
// Nothing here opens a file or looks at a clock; readers, writers and file contents are handed in.
package journal
