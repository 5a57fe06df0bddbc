package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"syscall"

	"golang.org/x/term"

	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/format"
)

// Streams are where a command reads and writes. What err is given is made printable on its way; what out is given is
// data, unless it comes by way of text or json.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Text is standard output for people: what a terminal would act on is escaped.
func (s Streams) Text() *format.Writer {
	return format.NewWriter(s.Out, Colored(s.Out)).Fold(Columns(s.Out))
}

// Show writes to standard output, text for people or one JSON object.
func (s Streams) Show(asJSON bool, object, text func(io.Writer) error) error {
	w, write := s.Text(), text
	if asJSON {
		w, write = format.NewJSONWriter(s.Out), object
	}
	return errors.Join(write(w), w.Flush())
}

// Say writes a line of text to standard output.
func (s Streams) Say(line string) error {
	_, err := fmt.Fprintln(s.Out, format.Line(line))
	return err
}

// Data is standard output for JSON Lines: exact to the byte, except on a terminal.
func (s Streams) Data() io.Writer {
	if Terminal(s.Out) {
		return format.NewJSONWriter(s.Out)
	}
	return s.Out
}

// Env is what opening inputs needs. No input may be the file that standard output goes to.
func (s Streams) Env(ctx context.Context) stream.Env {
	return stream.Env{Context: ctx, Stdin: s.In, Opened: safefile.NewTransaction(s.Out).Reads}
}

// Shown returns the name of a file in messages.
func Shown(name string) string {
	if name == stream.Stdin {
		return "stdin"
	}
	return name
}

// Below is the writer under those that were put around it.
func Below(w io.Writer) io.Writer {
	for {
		u, ok := w.(interface{ Unwrap() io.Writer })
		if !ok {
			return w
		}
		w = u.Unwrap()
	}
}

// Terminal reports whether a stream is a terminal.
func Terminal(w io.Writer) bool {
	f, ok := Below(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Colored reports whether text to a stream may be coloured.
func Colored(w io.Writer) bool { return Terminal(w) && os.Getenv("NO_COLOR") == "" }

// Columns is the width of the terminal, or COLUMNS; 0: output is neither.
func Columns(w io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := Below(w).(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil {
			return n
		}
	}
	return 0
}

// StandardOutput writes to standard output and keeps the first error. Callers may ignore the errors of single writes and ask for
// Failure at the end; writes after the first error fail with it.
type StandardOutput struct {
	mu  sync.Mutex
	W   io.Writer
	err error
}

// stdoutError says that standard output could not be written.
type stdoutError struct{ cause error }

func (e *stdoutError) Error() string { return "standard output: " + e.cause.Error() }
func (e *stdoutError) Unwrap() error { return e.cause }

// Unwrap returns the underlying writer.
func (o *StandardOutput) Unwrap() io.Writer { return o.W }

func (o *StandardOutput) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.W.Write(p)
	if err != nil {
		var path *os.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		o.err = &stdoutError{err}
	}
	return n, o.err
}

// Failure is the first error of writing.
func (o *StandardOutput) Failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// closedEarly reports whether an error says that the reader of an output went away, as head does.
func closedEarly(err error) bool {
	var out *stdoutError
	var file *safefile.WriteError
	return (errors.As(err, &out) || errors.As(err, &file)) && errors.Is(err, syscall.EPIPE)
}
