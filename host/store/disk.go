package store

import "io"

// A Disk is one flat folder of files. The folder of an operating system is one (see OpenFolder); a simulation that loses
// what was not synced is another.
type Disk interface {
	// Create makes a file that must not exist yet.
	Create(name string) (File, error)
	// Open opens a file for reading and writing.
	Open(name string) (File, error)
	// List returns the names of all files, sorted.
	List() ([]string, error)
	Rename(from, to string) error
	Remove(name string) error
	// Sync makes durable which files there are.
	Sync() error
	// Close gives the folder free for another process.
	Close() error
}

// A File is an open file of a Disk.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Size() (int64, error)
	// Sync makes durable what was written. After an error it is not known what is.
	Sync() error
}
