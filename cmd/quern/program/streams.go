package program

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

// streams are where a command reads and writes. What err is given is made printable on its way; what out is given is
// data, unless it comes by way of text or json.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// text is standard output for people: what a terminal would act on is escaped.
func (s streams) text() *format.Writer {
	return format.NewWriter(s.out, colored(s.out)).Fold(columns(s.out))
}

// show writes to standard output, text for people or one JSON object.
func (s streams) show(asJSON bool, object, text func(io.Writer) error) error {
	w, write := s.text(), text
	if asJSON {
		w, write = format.NewJSONWriter(s.out), object
	}
	return errors.Join(write(w), w.Flush())
}

// say writes a line of text to standard output.
func (s streams) say(line string) error {
	_, err := fmt.Fprintln(s.out, format.Line(line))
	return err
}

// data is standard output for JSON Lines: exact to the byte, except on a terminal.
func (s streams) data() io.Writer {
	if terminal(s.out) {
		return format.NewJSONWriter(s.out)
	}
	return s.out
}

// env is what opening inputs needs. No input may be the file that standard output goes to.
func (s streams) env(ctx context.Context) stream.Env {
	return stream.Env{Context: ctx, Stdin: s.in, Opened: safefile.NewTransaction(s.out).Reads}
}

// shown returns the name of a file in messages.
func shown(name string) string {
	if name == stream.Stdin {
		return "stdin"
	}
	return name
}

// below is the writer under those that were put around it.
func below(w io.Writer) io.Writer {
	for {
		u, ok := w.(interface{ Unwrap() io.Writer })
		if !ok {
			return w
		}
		w = u.Unwrap()
	}
}

// terminal reports whether a stream is a terminal.
func terminal(w io.Writer) bool {
	f, ok := below(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colored reports whether text to a stream may be coloured.
func colored(w io.Writer) bool { return terminal(w) && os.Getenv("NO_COLOR") == "" }

// columns is the width of the terminal, or COLUMNS; 0: output is neither.
func columns(w io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := below(w).(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil {
			return n
		}
	}
	return 0
}

// standardOutput keeps the first error of writing there, so that whoever writes without looking is not lost, and whoever
// looks gets one error however often they try.
type standardOutput struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// stdoutError says that standard output could not be written.
type stdoutError struct{ cause error }

func (e *stdoutError) Error() string { return "standard output: " + e.cause.Error() }
func (e *stdoutError) Unwrap() error { return e.cause }

// Unwrap returns what is written to.
func (o *standardOutput) Unwrap() io.Writer { return o.w }

func (o *standardOutput) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	if err != nil {
		var path *os.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		o.err = &stdoutError{err}
	}
	return n, o.err
}

// failure is the first error of writing.
func (o *standardOutput) failure() error {
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
