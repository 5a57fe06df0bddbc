package journal

import (
	"fmt"
	"strings"
)

// Error says what is wrong with a line. Line counts from 1; 0 means the input as a whole.
type Error struct {
	File     string
	Line     int
	Key      string // the key, or the column of a table; empty: the whole line
	Expected string
	Found    string
	Err      error // what a reader answered, where that is the cause
}

// Error returns `file:line: key: expected …, found …`, without the parts that are not known.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File + ":")
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, "%d:", e.Line)
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	fmt.Fprintf(&b, "expected %s, found %s", e.Expected, e.Found)
	return b.String()
}

// Unwrap returns the cause that a reader gave.
func (e *Error) Unwrap() error { return e.Err }

// ConfigError says that the configuration of Options was refused, so that nothing was applied.
type ConfigError struct {
	Reason  string
	Message string
	Errors  []string // one a problem, as the decision lists them
}

func (e *ConfigError) Error() string {
	if len(e.Errors) > 0 {
		return strings.Join(e.Errors, "\n")
	}
	return "configuration refused: " + e.Message
}

// excerptLength bounds what a message quotes of a bad line.
const excerptLength = 40

// excerpt quotes found text, in Go syntax so that binary junk stays printable, and short.
func excerpt(text []byte) string {
	if len(text) > excerptLength {
		return fmt.Sprintf("%q…", text[:excerptLength])
	}
	return fmt.Sprintf("%q", text)
}
