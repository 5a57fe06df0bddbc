package kubernetes

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// countedLines knows in which lines bytes are that were read lately, and ends objects that are too long.
type countedLines struct {
	r     io.Reader
	left  int // bytes that may be read before the next object
	read  int64
	ends  []int64 // of lines that lineAt has not passed
	lines int     // that it has passed
}

var errLongObject = errors.New("a longer object")

func (l *countedLines) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errLongObject
	}
	n, err := l.r.Read(p)
	l.left -= n
	for i, c := range p[:n] {
		if c == '\n' {
			l.ends = append(l.ends, l.read+int64(i))
		}
	}
	l.read += int64(n)
	return n, err
}

// lineAt returns the line of a place that is not before the last one that was asked for.
func (l *countedLines) lineAt(offset int64) int {
	passed := 0
	for passed < len(l.ends) && l.ends[passed] < offset {
		passed++
	}
	l.lines += passed
	l.ends = l.ends[:copy(l.ends, l.ends[passed:])]
	return l.lines + 1
}

// lineOf returns how many lines below the beginning of a value another one is, which a path leads to: keys of objects, and
// places in lists. Where there is none it is the last one on the path that there is.
func lineOf(raw []byte, path []any) int {
	d := json.NewDecoder(bytes.NewReader(raw))
	at := int64(0)
	for _, step := range path {
		if _, err := d.Token(); err != nil {
			break
		}
		if !enter(d, step) {
			break
		}
		at = d.InputOffset()
	}
	return bytes.Count(raw[:at], []byte{'\n'})
}

// enter moves into an object or a list whose beginning was read, right before the value of the step.
func enter(d *json.Decoder, step any) bool {
	for n := 0; d.More(); n++ {
		if place, ok := step.(int); ok && place == n {
			return true
		}
		if key, ok := step.(string); ok {
			token, err := d.Token()
			if err != nil || token == key {
				return err == nil
			}
		}
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return false
		}
	}
	return false
}
