package safefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// Output is an output: a file, standard output, or nothing.
type Output struct {
	flag, name string
	target     target
	staged     *os.File // takes the place of the target in the end; nil: there is none
	direct     *os.File // a pipe or a device; nil: it is none
	failing    *failing
	buffer     *bufio.Writer
}

// Writer is where to write; nil for nothing.
func (f *Output) Writer() io.Writer {
	if f.buffer == nil {
		return nil
	}
	return f.buffer
}

// label is how messages begin.
func (f *Output) label() string { return f.flag + ": " + f.name }

// is reports whether a file is this one.
func (f *Output) is(info os.FileInfo) bool {
	return f.target.info != nil && f.target.info.Mode().IsRegular() && os.SameFile(f.target.info, info)
}

// same reports whether two outputs are, or would become, one file.
func (f *Output) same(other *Output) bool {
	a, b := f.target, other.target
	switch {
	case a.path == "" || b.path == "":
		return false // standard output
	case a.info != nil || b.info != nil:
		return b.info != nil && f.is(b.info)
	}
	return a.base == b.base && os.SameFile(a.folder, b.folder)
}

// find finds out what the name stands for.
func (f *Output) find() (err error) {
	f.target, err = resolve(f.name)
	return err
}

// open opens a pipe or a device directly, and a temporary file for everything else.
func (f *Output) open() error {
	if t := f.target; t.info != nil && !t.info.Mode().IsRegular() {
		file, err := os.OpenFile(f.name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		f.direct = file
		f.write(file)
		return nil
	}
	file, err := f.target.stage()
	if err != nil {
		return err
	}
	f.staged = file
	f.write(file)
	return nil
}

// write sets where bytes go. What goes wrong with standard output is told by who knows it.
func (f *Output) write(w io.Writer) {
	f.failing = &failing{w: w}
	if f.name != Stdout {
		f.failing.label = f.label()
	}
	f.buffer = bufio.NewWriterSize(f.failing, 1<<16)
}

// failing keeps the first error, so that it is one error however often writing is tried.
type failing struct {
	w     io.Writer
	label string
	err   error
}

func (w *failing) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.w.Write(p)
	if err != nil {
		w.fail(err)
	}
	return n, w.err
}

func (w *failing) fail(err error) {
	switch {
	case w.err != nil:
	case w.label == "":
		w.err = err
	default:
		w.err = &WriteError{fmt.Errorf("%s: %w", w.label, cause(err))}
	}
}

// finish writes what is held back. A file that could not be written in full is an error here at the latest.
func (f *Output) finish() error {
	_ = f.buffer.Flush() // the error is kept
	for _, file := range []*os.File{f.staged, f.direct} {
		if file == nil {
			continue
		}
		if err := file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			f.failing.fail(err)
		}
	}
	return f.failing.err
}

// replace puts the temporary file in the place of the target.
func (f *Output) replace() error {
	if f.staged == nil {
		return nil
	}
	if err := f.target.take(f.staged.Name()); err != nil {
		return &WriteError{fmt.Errorf("%s: %w", f.label(), cause(err))}
	}
	return nil
}

// discard closes files and removes what is temporary. What cannot be put off is written as far as it came.
func (f *Output) discard() {
	if f.staged == nil {
		_ = f.buffer.Flush() // another error is told already
	}
	for _, file := range []*os.File{f.staged, f.direct} {
		if file != nil {
			_ = file.Close() // it was closed before, or is not wanted
		}
	}
	if f.staged != nil {
		_ = os.Remove(f.staged.Name()) // gone if it took the place of the target
	}
}

// temporary makes a new file with the rights of any new file.
func temporary(folder, base string) (*os.File, error) {
	for range 100 {
		name := "." + base + "." + strconv.FormatUint(rand.Uint64(), 36) + ".tmp"
		file, err := os.OpenFile(filepath.Join(folder, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return file, err
		}
	}
	return nil, os.ErrExist
}
