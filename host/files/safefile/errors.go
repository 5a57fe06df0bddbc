package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// NameError says that an output cannot be what the user named: the caller's fault.
type NameError struct{ error }

// Unwrap returns what was wrong.
func (e *NameError) Unwrap() error { return e.error }

// WriteError says that an output could not be written. Its text says which.
type WriteError struct{ error }

// Unwrap returns the cause.
func (e *WriteError) Unwrap() error { return e.error }

func (f *Output) isInput(name string) error {
	return refuse("%s: expected a file of its own, found the input %s", f.label(), name)
}

func refuse(format string, args ...any) error { return &NameError{fmt.Errorf(format, args...)} }

// cause is what the system says, without the name and the call that messages have already.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
