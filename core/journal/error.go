package journal

import (
	"fmt"
	"strings"
)

// Error is a fault in an input file. Line counts from 1; 0 means that the fault concerns the whole file.
type Error struct {
	File     string
	Line     int
	Key      string // the key, or the column of a table; empty for the whole line
	Expected string
	Found    string
	Err      error // the error of a reader, if that is the cause
}

// Error returns `file:line: key: expected …, found …`, without the parts that are unknown.
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

// Unwrap returns the error of a reader, or nil.
func (e *Error) Unwrap() error { return e.Err }

// ConfigError reports that the configuration of Options was refused. Nothing was applied.
type ConfigError struct {
	Reason  string
	Message string
	Errors  []string // one for each problem, as in the decision
}

func (e *ConfigError) Error() string {
	if len(e.Errors) > 0 {
		return strings.Join(e.Errors, "\n")
	}
	return "configuration refused: " + e.Message
}

// excerptLength is the maximum number of bytes that a message quotes from a bad line.
const excerptLength = 40

// excerpt quotes the start of a text in Go syntax, so that binary data is printable.
func excerpt(text []byte) string {
	if len(text) > excerptLength {
		return fmt.Sprintf("%q…", text[:excerptLength])
	}
	return fmt.Sprintf("%q", text)
}
