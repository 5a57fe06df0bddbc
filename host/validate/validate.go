// Package validate checks queue configurations, and the manifests of policies, before anything runs on them.
package validate

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/policy"
)

// Report is what was found in one file.
type Report struct {
	File     string
	Errors   []Problem
	Warnings []Problem
	Printed  []byte // the normalised text of a valid configuration
}

// Problem is one thing that is wrong, or that does not do what it seems to.
type Problem struct {
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Queue    string `json:"queue"`
	Key      string `json:"key"`
	Expected string `json:"expected,omitempty"`
	Found    string `json:"found,omitempty"`
	Text     string `json:"text"` // the whole line, as people read it
}

// Valid reports whether the file can be used.
func (r *Report) Valid() bool { return len(r.Errors) == 0 }

// Policies reports whether a policy module of a name serves a point.
type Policies func(point, name string) bool

// Manifest checks the manifest of a policy, in JSON.
func Manifest(file string, text []byte) *Report {
	return Found(file, policy.CheckManifest(text))
}

// Found is the report of a file about which an error says all.
func Found(file string, err error) *Report {
	r := &Report{File: file, Errors: []Problem{}, Warnings: []Problem{}}
	if err == nil {
		return r
	}
	message := err.Error()
	if !strings.HasPrefix(message, file) {
		message = file + ": " + message
	}
	r.Errors = append(r.Errors, Problem{Text: message})
	return r
}

// Check checks a configuration. The format is yaml or toml; policies may be nil: there are no modules.
func Check(file string, text []byte, format string, policies Policies) *Report {
	r := &Report{File: file, Errors: []Problem{}, Warnings: []Problem{}}
	c, err := config.Decode(text, config.Options{File: file, Format: config.Format(format), Policies: policies})
	if err != nil {
		r.refuse(err)
		return r
	}
	for _, w := range c.Warnings {
		r.Warnings = append(r.Warnings, Problem{Line: w.Line, Column: w.Column, Queue: w.Queue, Key: w.Key, Text: w.String()})
	}
	r.Printed = c.Print()
	return r
}

func (r *Report) refuse(err error) {
	var all config.Errors
	if !errors.As(err, &all) {
		r.Errors = append(r.Errors, Problem{Text: err.Error()})
		return
	}
	for _, e := range all {
		r.Errors = append(r.Errors, Problem{e.Line, e.Column, e.Queue, e.Key, e.Expected, e.Found, e.Error()})
	}
}

// JSON writes what was found in all files as one object.
func JSON(w io.Writer, reports []*Report) error {
	type file struct {
		File     string    `json:"file"`
		Valid    bool      `json:"valid"`
		Errors   []Problem `json:"errors"`
		Warnings []Problem `json:"warnings"`
	}
	o := struct {
		Valid bool   `json:"valid"`
		Files []file `json:"files"`
	}{Valid: true, Files: []file{}}
	for _, r := range reports {
		o.Valid = o.Valid && r.Valid()
		o.Files = append(o.Files, file{r.File, r.Valid(), r.Errors, r.Warnings})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(o)
}
