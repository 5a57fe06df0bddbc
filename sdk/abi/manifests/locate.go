package manifests

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// prefix begins the errors about a manifest.
const prefix = "manifest: "

// Located puts the line and the column into an error about a manifest of this text: `manifest:3:14: points: …`. They are those
// of the key that the error is about, as closely as its words tell, and both count from 1, columns in bytes. Other errors, and
// those about an empty text, stay as they are.
func Located(text []byte, err error) error {
	if err == nil || len(text) == 0 || !strings.HasPrefix(err.Error(), prefix) {
		return err
	}
	at := offsetOf(text, err)
	line := 1 + bytes.Count(text[:at], []byte("\n"))
	column := at - bytes.LastIndexByte(text[:at], '\n')
	return &locatedError{line, column, err}
}

// locatedError is an error with its place.
type locatedError struct {
	line, column int
	err          error
}

func (e *locatedError) Error() string {
	return fmt.Sprintf("manifest:%d:%d: %s", e.line, e.column, strings.TrimPrefix(e.err.Error(), prefix))
}

func (e *locatedError) Unwrap() error { return e.err }

var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// offsetOf is where in a text an error is.
func offsetOf(text []byte, err error) int {
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return clamp(int(syntax.Offset)-1, text)
	case errors.As(err, &typed):
		return clamp(int(typed.Offset)-1, text)
	case !json.Valid(text):
		return endOf(text)
	}
	path := strings.Split(strings.TrimPrefix(err.Error(), prefix), ": ")
	at, depth := deepest(text, path)
	// What was found is quoted at the end of an error, what is unknown in the middle.
	rest := strings.Join(path[depth:], ": ")
	names := quoted.FindAllString(rest, -1)
	for i := len(names) - 1; i >= 0; i-- {
		if unquoted, err := strconv.Unquote(names[i]); err == nil {
			if spelled, err := json.Marshal(unquoted); err == nil {
				if found := bytes.Index(text[at:], spelled); found >= 0 {
					return at + found
				}
			}
		}
	}
	return at
}

// endOf is where a text goes on behind its first value, or where it ends too early.
func endOf(text []byte) int {
	d := json.NewDecoder(bytes.NewReader(text))
	var value json.RawMessage
	if err := d.Decode(&value); err != nil {
		return len(text)
	}
	rest := text[d.InputOffset():]
	return len(text) - len(bytes.TrimLeft(rest, " \t\r\n"))
}

func clamp(at int, text []byte) int { return max(0, min(at, len(text)-1)) }

// deepest follows a path of keys through a text that is valid, as far as it goes: where the last key stands, and how many
// there are.
func deepest(text []byte, path []string) (at, depth int) {
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		open, err := d.Token()
		if err != nil || open != json.Delim('{') {
			return at, depth
		}
		found := false
		for !found && d.More() {
			start := int(d.InputOffset())
			start += bytes.IndexByte(text[start:], '"')
			key, err := d.Token()
			if err != nil {
				return at, depth
			}
			if depth < len(path) && key == path[depth] {
				at, depth, found = start, depth+1, true
				break
			}
			var skipped json.RawMessage
			if err := d.Decode(&skipped); err != nil {
				return at, depth
			}
		}
		if !found {
			return at, depth
		}
	}
}
