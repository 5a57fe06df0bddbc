package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/errtext"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/replay"
	"github.com/quern-project/quern/host/server"
)

// Exit codes.
const (
	Succeeded = 0
	Failed    = 1
	BadInput  = 2 // an input, a setting or the command line cannot be used
)

// CodeError is an error with an exit code of its own.
type CodeError struct {
	Err  error
	Code int
	told bool   // the user knows already
	Hint string // a line that follows; may be empty
}

func (e CodeError) Error() string { return e.Err.Error() }
func (e CodeError) Unwrap() error { return e.Err }

// Usage makes an error the caller's.
func Usage(err error) error { return CodeError{Err: err, Code: BadInput} }

// Ended ends a command with a code, when everything has been said.
func Ended(code int) error {
	if code == Succeeded {
		return nil
	}
	return CodeError{Err: fmt.Errorf("exit code %d", code), Code: code, told: true}
}

// ErrInterrupted is the error of a command that Ctrl-C or another signal has ended.
var ErrInterrupted = CodeError{Err: errors.New("interrupted"), Code: Failed}

// CodeOf says whose fault an error is.
func CodeOf(err error) int {
	var (
		coded   CodeError
		named   *safefile.NameError
		file    *stream.Error
		line    *journal.Error
		refused *journal.ConfigError
		missing *replay.MissingModulesError
		config  *server.ConfigError
		stdout  *stdoutError
	)
	switch {
	case err == nil:
		return Succeeded
	case errors.Is(err, context.Canceled), errors.As(err, &stdout):
		return Failed
	case errors.As(err, &coded):
		return coded.Code
	case errors.As(err, &named), errors.As(err, &file), errors.As(err, &line), errors.As(err, &refused), errors.As(err, &missing), errors.As(err, &config):
		return BadInput
	}
	return Failed
}

// Tell writes each error once, in a line of its own, with the origin of settings. A reader who went away, as head does, is not told.
func Tell(w io.Writer, err error, from Origins) {
	var told []string
	var hint string
	for _, e := range Each(err) {
		var coded CodeError
		if errors.As(e, &coded) && coded.told || closedEarly(e) {
			continue
		}
		if hint == "" {
			hint = coded.Hint
		}
		text := from.added(errtext.Text(e))
		if errors.Is(e, context.Canceled) {
			text = ErrInterrupted.Error()
		}
		if text = format.Line(text); !slices.Contains(told, text) {
			told = append(told, text)
		}
	}
	if hint != "" {
		told = append(told, format.Line(hint))
	}
	for _, text := range told {
		_, _ = fmt.Fprintln(w, text)
	}
}

// Each takes errors apart that are no more than a list of others.
func Each(err error) []error {
	var invalid *journal.ConfigError
	if list, ok := err.(interface{ Unwrap() []error }); ok && err.Error() == errors.Join(list.Unwrap()...).Error() {
		var all []error
		for _, e := range list.Unwrap() {
			all = append(all, Each(e)...)
		}
		return all
	}
	var unwritten *safefile.WriteError
	var stdout *stdoutError
	inner := errors.Unwrap(err)
	switch coded, ok := err.(CodeError); {
	case err == nil:
		return nil
	case errors.As(err, &unwritten):
		return []error{unwritten} // who wrote does not matter
	case errors.As(err, &stdout):
		return []error{stdout}
	case ok && (coded.Hint != "" || coded.told):
		return []error{err}
	case inner != nil && inner.Error() == err.Error():
		return Each(inner)
	case errors.As(err, &invalid) && len(invalid.Errors) > 0 && err.Error() == invalid.Error():
		var all []error
		for _, text := range invalid.Errors {
			all = append(all, errors.New(text))
		}
		return all
	}
	return []error{err}
}
