package checkcmd

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/importing/yunikornconfig"
	"github.com/quern-project/quern/host/policy/registry"
)

// validation is the result of checking one file.
type validation struct {
	File     string
	Errors   []problem
	Warnings []problem
	Printed  []byte // the normalised text of a valid configuration

	Differences []difference // from another scheduler's configuration
}

// problem is one error or warning. The names in JSON are part of the interface.
type problem struct {
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Queue    string `json:"queue"`
	Key      string `json:"key"`
	Expected string `json:"expected,omitempty"`
	Found    string `json:"found,omitempty"`
	Text     string `json:"text"` // the whole line, as people read it
}

// difference is something that works otherwise here than in the scheduler that a configuration comes from. The names in JSON
// are part of the interface.
type difference struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Queue  string `json:"queue"`
	Key    string `json:"key"`
	There  string `json:"there"`
	Here   string `json:"here"`
	Text   string `json:"text"` // the whole line, as people read it
}

func (r *validation) valid() bool { return len(r.Errors) == 0 }

// validateManifest checks the manifest of a policy, in JSON.
func validateManifest(file string, text []byte) *validation {
	return validationOf(file, registry.CheckManifest(text))
}

// validationOf is the result for a file that an error describes; nil: the file is valid.
func validationOf(file string, err error) *validation {
	r := &validation{File: file, Errors: []problem{}, Warnings: []problem{}}
	if err == nil {
		return r
	}
	message := err.Error()
	if !strings.HasPrefix(message, file) {
		message = file + ": " + message
	}
	r.Errors = append(r.Errors, problem{Text: message})
	return r
}

// validateConfig checks a queue configuration in yaml or toml. The policy modules are those that serves knows.
func validateConfig(file string, text []byte, format string, serves func(point, name string) bool) *validation {
	r := &validation{File: file, Errors: []problem{}, Warnings: []problem{}}
	c, warnings, err := config.Check(text, config.Options{File: file, Format: config.Format(format), Policies: serves, Implausible: true})
	for _, w := range warnings {
		r.Warnings = append(r.Warnings, problem{Line: w.Line, Column: w.Column, Queue: w.Queue, Key: w.Key, Text: w.String()})
	}
	if err != nil {
		r.refuse(err)
		return r
	}
	r.Printed = c.Print()
	return r
}

// validateYuniKorn checks the queue configuration of a YuniKorn cluster, on its own or in a ConfigMap, and says what works
// otherwise here.
func validateYuniKorn(file string, text []byte, serves func(point, name string) bool) *validation {
	source, err := yunikornconfig.Read(file, text)
	if err != nil {
		return validationOf(file, err)
	}
	r := validateConfig(source.File, source.Text, string(config.YAML), serves)
	if !r.valid() {
		return r
	}
	for _, d := range source.Differences() {
		r.Differences = append(r.Differences, difference{d.Line, d.Column, d.Queue, d.Key, d.There, d.Here, d.String()})
	}
	return r
}

func (r *validation) refuse(err error) {
	var all config.Errors
	if !errors.As(err, &all) {
		r.Errors = append(r.Errors, problem{Text: err.Error()})
		return
	}
	for _, e := range all {
		r.Errors = append(r.Errors, problem{e.Line, e.Column, e.Queue, e.Key, e.Expected, e.Found, e.Error()})
	}
}

// validationsJSON writes the results of all files as one object. With from, the scheduler whose configurations they are, it
// holds the normal form of each.
func validationsJSON(w io.Writer, reports []*validation, from string) error {
	type file struct {
		File     string    `json:"file"`
		Valid    bool      `json:"valid"`
		Errors   []problem `json:"errors"`
		Warnings []problem `json:"warnings"`

		Differences []difference `json:"differences,omitempty"` // with --from
		Normalised  string       `json:"normalised,omitempty"`  // with --from
	}
	o := struct {
		Valid bool   `json:"valid"`
		Files []file `json:"files"`
	}{Valid: true, Files: []file{}}
	for _, r := range reports {
		o.Valid = o.Valid && r.valid()
		own := file{File: r.File, Valid: r.valid(), Errors: r.Errors, Warnings: r.Warnings, Differences: r.Differences}
		if from != "" {
			own.Normalised = string(r.Printed)
		}
		o.Files = append(o.Files, own)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(o)
}
