package program

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
	succeeded = 0
	failed    = 1
	badInput  = 2 // an input, a setting or the command line cannot be used
)

// codeError is an error with an exit code of its own.
type codeError struct {
	err  error
	code int
	told bool   // the user knows already
	hint string // a line that follows; may be empty
}

func (e codeError) Error() string { return e.err.Error() }
func (e codeError) Unwrap() error { return e.err }

// usage makes an error the caller's.
func usage(err error) error { return codeError{err: err, code: badInput} }

// ended ends a command with a code, when everything has been said.
func ended(code int) error {
	if code == succeeded {
		return nil
	}
	return codeError{err: fmt.Errorf("exit code %d", code), code: code, told: true}
}

// errInterrupted ends a command that Ctrl-C ended, or whoever else asked for it.
var errInterrupted = codeError{err: errors.New("interrupted"), code: failed}

// codeOf says whose fault an error is.
func codeOf(err error) int {
	var (
		coded   codeError
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
		return succeeded
	case errors.Is(err, context.Canceled), errors.As(err, &stdout):
		return failed
	case errors.As(err, &coded):
		return coded.code
	case errors.As(err, &named), errors.As(err, &file), errors.As(err, &line), errors.As(err, &refused), errors.As(err, &missing), errors.As(err, &config):
		return badInput
	}
	return failed
}

// tell writes each error once, in a line of its own, with the origin of settings. A reader who went away, as head does, is not told.
func tell(w io.Writer, err error, from origins) {
	var told []string
	var hint string
	for _, e := range each(err) {
		var coded codeError
		if errors.As(e, &coded) && coded.told || closedEarly(e) {
			continue
		}
		if hint == "" {
			hint = coded.hint
		}
		text := from.added(errtext.Text(e))
		if errors.Is(e, context.Canceled) {
			text = errInterrupted.Error()
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

// each takes errors apart that are no more than a list of others.
func each(err error) []error {
	var invalid *journal.ConfigError
	if list, ok := err.(interface{ Unwrap() []error }); ok && err.Error() == errors.Join(list.Unwrap()...).Error() {
		var all []error
		for _, e := range list.Unwrap() {
			all = append(all, each(e)...)
		}
		return all
	}
	var unwritten *safefile.WriteError
	var stdout *stdoutError
	inner := errors.Unwrap(err)
	switch coded, ok := err.(codeError); {
	case err == nil:
		return nil
	case errors.As(err, &unwritten):
		return []error{unwritten} // who wrote does not matter
	case errors.As(err, &stdout):
		return []error{stdout}
	case ok && (coded.hint != "" || coded.told):
		return []error{err}
	case inner != nil && inner.Error() == err.Error():
		return each(inner)
	case errors.As(err, &invalid) && len(invalid.Errors) > 0 && err.Error() == invalid.Error():
		var all []error
		for _, text := range invalid.Errors {
			all = append(all, errors.New(text))
		}
		return all
	}
	return []error{err}
}
