// Package stream opens what a replay reads: journals from files or standard input, plain or compressed, one or several,
// and public traces.
//
// Compression is recognised by content, never by name. Nothing is held in memory but a line, a decompressor's window and the
// few hundred entries that are read ahead while the caller works on those before. Whoever opens a Workload closes it.
package stream

import (
	"context"
	"io"
	"os"
)

// Stdin is the name that stands for standard input.
const Stdin = "-"

// Env is what opening needs of the world.
type Env struct {
	Context context.Context // its end makes every read fail
	Stdin   io.Reader
	Spooled string      // where standard input was copied to, for a run that reads it twice; may be empty
	Read    func(n int) // told of bytes read from files and standard input; may be nil
	// Opened is told of each file before it is read, also of those that journals name; an error refuses it. It may be nil.
	Opened func(name string, info os.FileInfo) error
	// DeviceTypes are the types of devices in force when the journals begin.
	DeviceTypes []string
}

// Error is an input that cannot be used: the caller's, or the file's, and not the program's failure.
type Error struct{ Err error }

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
