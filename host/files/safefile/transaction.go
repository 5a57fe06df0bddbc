package safefile

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Stdout is the name that stands for standard output.
const Stdout = "-"

// Transaction is the files that a command reads and writes, identified by what they are rather than by name, so that no
// output destroys an input or another output.
//
// An output is written to a temporary file beside its target, which it replaces in Commit. Until then, and after Discard,
// the old file is unchanged. Standard output, pipes and devices are written directly.
type Transaction struct {
	stdout io.Writer
	read   []used
	files  []*Output
}

// used is a file that is read, with its name for people.
type used struct {
	name string
	info os.FileInfo
}

// NewTransaction begins a transaction. Where standard output was redirected to a file, no output may be that file.
func NewTransaction(stdout io.Writer) *Transaction { return &Transaction{stdout: stdout} }

// Reads notes a file that the command reads. The error says that the command writes it, too, or that standard output goes
// there.
func (s *Transaction) Reads(name string, info os.FileInfo) error {
	if !info.Mode().IsRegular() {
		return nil // a pipe or a device has nothing that could be destroyed
	}
	if s.goesTo(info) {
		return refuse("standard output: expected a file of its own, found the input %s", name)
	}
	for _, f := range s.files {
		if f.is(info) {
			return f.isInput(name)
		}
	}
	s.read = append(s.read, used{name, info})
	return nil
}

// Create opens an output that a flag names; an empty name is nothing. The errors of the file begin with the flag.
func (s *Transaction) Create(flag, name string) (*Output, error) {
	f := &Output{flag: flag, name: name}
	switch name {
	case "":
		return f, nil
	case Stdout:
		f.write(s.stdout)
		s.files = append(s.files, f)
		return f, nil
	}
	if err := f.find(); err != nil {
		return nil, &NameError{fmt.Errorf("%s: %w", f.label(), cause(err))}
	}
	if err := s.collides(f); err != nil {
		return nil, err
	}
	if err := f.open(); err != nil {
		return nil, &NameError{fmt.Errorf("%s: %w", f.label(), cause(err))}
	}
	s.files = append(s.files, f)
	return f, nil
}

// collides refuses an output that is an input or another output.
func (s *Transaction) collides(f *Output) error {
	for _, r := range s.read {
		if f.is(r.info) {
			return f.isInput(r.name)
		}
	}
	for _, other := range s.files {
		if f.same(other) {
			return refuse("%s: expected a file of its own, found that of %s", f.label(), other.flag)
		}
	}
	if f.target.info != nil && s.goesTo(f.target.info) {
		return refuse("%s: expected a file of its own, found that of standard output", f.label())
	}
	return nil
}

// goesTo reports whether standard output was redirected to a file.
func (s *Transaction) goesTo(info os.FileInfo) bool {
	out, ok := underlying(s.stdout).(*os.File)
	if !ok {
		return false
	}
	to, err := out.Stat()
	return err == nil && to.Mode().IsRegular() && os.SameFile(to, info)
}

// underlying looks below writers that were put around another.
func underlying(w io.Writer) io.Writer {
	for {
		u, ok := w.(interface{ Unwrap() io.Writer })
		if !ok {
			return w
		}
		w = u.Unwrap()
	}
}

// Commit puts every output in its place. When one of them could not be written in full, all old files stay as they were.
func (s *Transaction) Commit() error {
	var all []error
	for _, f := range s.files {
		all = append(all, f.finish())
	}
	if err := errors.Join(all...); err != nil {
		s.Discard()
		return err
	}
	for _, f := range s.files {
		all = append(all, f.replace())
	}
	s.Discard()
	return errors.Join(all...)
}

// Discard leaves old files as they were. After Commit it does nothing.
func (s *Transaction) Discard() {
	for _, f := range s.files {
		f.discard()
	}
	s.files = nil
}

// Replace writes a whole file, or leaves what is there as it was.
func Replace(flag, name string, data []byte) error {
	s := NewTransaction(io.Discard)
	defer s.Discard()
	f, err := s.Create(flag, name)
	if err != nil {
		return err
	}
	_, err = f.Writer().Write(data)
	return errors.Join(err, s.Commit())
}
