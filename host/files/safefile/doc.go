// Package safefile reads and writes files that users name.
//
// Open, Read and Hash accept regular files only: a pipe or a device in the place of a file is refused instead of being
// waited for. OpenOrStream also accepts the streams that a shell passes. A Transaction replaces output files when all of
// them are complete. All files that the host reads by name, and all that it writes, go through this package.
package safefile
