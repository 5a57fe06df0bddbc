package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
)

// Protection is one thing that a program is kept from, and by what. The names in JSON are part of the interface.
type Protection struct {
	Name string `json:"protection"`
	By   string `json:"by,omitempty"`    // empty: nothing
	Lack string `json:"lacks,omitempty"` // what the kernel does not allow, or the host's user
}

// String is the protection in a line.
func (p Protection) String() string {
	switch {
	case p.Lack == "":
		return p.By
	case p.By == "":
		return "none: " + p.Lack
	}
	return p.By + "; " + p.Lack
}

// Report is what programs are kept from.
type Report []Protection

// Lacks lists what is not possible.
func (r Report) Lacks() []string {
	var list []string
	for _, p := range r {
		if p.Lack != "" {
			list = append(list, p.Name+": "+p.Lack)
		}
	}
	return list
}

// String is the report in a line.
func (r Report) String() string {
	list := make([]string, len(r))
	for i, p := range r {
		list[i] = p.Name + ": " + p.String()
	}
	return strings.Join(list, "; ")
}

// note is what the launcher says when it does not become the program, one JSON object.
type note struct {
	Text  string        `json:"text,omitempty"`
	Errno syscall.Errno `json:"errno,omitempty"` // of the execution
	Found *trial        `json:"found,omitempty"`
}

// trial is what a launcher found that only tries. Errors are empty where the protection was there.
type trial struct {
	Landlock int    `json:"landlock"` // the version; 0: none
	Files    string `json:"files,omitempty"`
	Calls    string `json:"calls,omitempty"`
}

const maxNote = 16 << 10

// readNote reads until the launcher has closed its end, which the program's execution does too.
func readNote(r io.Reader) (*note, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxNote))
	if err != nil || len(text) == 0 {
		return &note{}, err
	}
	n := &note{}
	if err := json.Unmarshal(text, n); err != nil {
		return nil, fmt.Errorf("expected a note of the launcher: %w", err)
	}
	return n, nil
}

// failure is the error in a note.
func (n *note) failure() error {
	switch {
	case n.Errno != 0:
		return &ExecError{n.Errno}
	case n.Text != "":
		return errors.New("sandbox: " + n.Text)
	}
	return nil
}
