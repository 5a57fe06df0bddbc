package abi

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/quern-project/quern/sdk/internal/errfmt"
)

// Manifest is what a module declares about itself, in JSON; manifest.schema.json beside this file is its schema.
type Manifest struct {
	Name        string               `json:"name"`
	Version     string               `json:"version"` // of the module, as its author counts
	ABI         string               `json:"abi"`     // "MAJOR.MINOR" of the contract
	Description string               `json:"description,omitempty"`
	Parameters  map[string]Parameter `json:"parameters,omitempty"`
	Points      map[string]Spec      `json:"points"`

	Source string `json:"-"` // the text that it was read from, where it was read from one
}

// Spec is what a module declares for one point.
type Spec struct {
	Columns  []string `json:"columns"`            // KIND, KIND:ARGUMENT or KIND:ARGUMENT=DEFAULT; at most MaxColumns
	Keys     int      `json:"keys"`               // 1 to MaxKeys; 1 for node.score and node.filter
	Depends  string   `json:"depends"`            // row, siblings or (nodes) ask
	Fallback string   `json:"fallback,omitempty"` // a built-in; default: that of the point
}

// Parameter is something that an operator may set.
type Parameter struct {
	Type        string   `json:"type"`    // number, integer, boolean, text, numbers (a list) or weights (numbers by name)
	Default     any      `json:"default"` // of that type
	Min         *float64 `json:"min,omitempty"`
	Max         *float64 `json:"max,omitempty"`
	Values      []string `json:"values,omitempty"` // of a text: what it may be
	Description string   `json:"description,omitempty"`
}

// Types of parameters.
const (
	Number  = "number"
	Integer = "integer"
	Boolean = "boolean"
	Text    = "text"
	Numbers = "numbers"
	Weights = "weights"
)

// The letters of names. Regular expressions would double the size of modules in Go.
const (
	small  = "abcdefghijklmnopqrstuvwxyz"
	digits = "0123456789"
)

// named reports whether a text has 1 to 63 letters, the first and the others of those given.
func named(text, first, others string) bool {
	return text != "" && len(text) <= 63 && strings.Contains(first, text[:1]) && strings.Trim(text, others) == ""
}

// Check says what no host of this version could read in a manifest, nil where there is nothing.
func (m *Manifest) Check() error {
	if !named(m.Name, small+digits, small+digits+"._-") {
		return errfmt.Errorf("name: expected small letters, digits and . _ -, at most 63, found %q", m.Name)
	}
	version, ok := m.minor()
	if !ok {
		return errfmt.Errorf("abi: expected %d.0 to %d.%d, found %q", Major, Major, Minor, m.ABI)
	}
	if len(m.Points) == 0 {
		return errors.New("points: expected at least one, found none")
	}
	for _, name := range sorted(m.Points) {
		if !slices.ContainsFunc(Points[:], func(p Point) bool { return p.Name == name }) {
			return errfmt.Errorf("points: expected one of %s, found %q", strings.Join(all, ", "), name)
		}
		if n := len(m.Points[name].Columns); n > MaxColumns {
			return errfmt.Errorf("points: %s: columns: expected at most %d, found %d", name, MaxColumns, n)
		}
		if late, at := newest(m.Points[name].Columns); at > version {
			return errfmt.Errorf("points: %s: columns: %s came with version %d.%d: expected it in abi, found %q", name, late, Major, at, m.ABI)
		}
	}
	for _, name := range sorted(m.Parameters) {
		p := m.Parameters[name]
		if !named(name, small, small+digits+"_") {
			return errfmt.Errorf("parameters: expected small letters, digits and _, found %q", name)
		}
		if err := p.declared(); err != nil {
			return errfmt.Errorf("parameters: %s: %w", name, err)
		}
	}
	return nil
}

// minor is the minor version that the manifest spells; ok is false where this package does not know it.
func (m *Manifest) minor() (minor int, ok bool) {
	for minor := range Minor + 1 {
		if m.ABI == spelled(minor) {
			return minor, true
		}
	}
	return 0, false
}

func spelled(minor int) string { return errfmt.Textf("%d.%d", Major, minor) }

// newest is the column of a list that came with the latest minor version, and that version.
func newest(columns []string) (column string, minor int) {
	for _, c := range columns {
		name, _, _ := strings.Cut(c, "=")
		name, _, _ = strings.Cut(name, ":")
		if k, known := KindNamed(name); known && k.Minor() > minor {
			column, minor = c, k.Minor()
		}
	}
	return column, minor
}

// OldestABI is the oldest version of the contract, as a manifest spells it, that has all columns of the manifest.
func (m *Manifest) OldestABI() string {
	oldest := 0
	for _, s := range m.Points {
		_, minor := newest(s.Columns)
		oldest = max(oldest, minor)
	}
	return spelled(oldest)
}

// ABIVersion is the version that the manifest spells as a number, which quern_abi returns.
func (m *Manifest) ABIVersion() uint32 {
	minor, _ := m.minor()
	return uint32(Major<<16 | minor)
}

// declared checks the declaration itself.
func (p Parameter) declared() error {
	if p.Default == nil {
		return errors.New("default: expected a value, found none")
	}
	if err := p.Check(p.Default); err != nil {
		return errfmt.Errorf("default: %w", err)
	}
	return nil
}

// Check says why a value cannot be given to the parameter, nil where it can.
func (p Parameter) Check(value any) error {
	switch p.Type {
	case Number, Integer:
		return p.checkNumber(value)
	case Boolean:
		if _, ok := value.(bool); !ok {
			return errfmt.Errorf("expected true or false, found %v", value)
		}
	case Text:
		s, ok := value.(string)
		if !ok {
			return errfmt.Errorf("expected a text, found %v", value)
		}
		if len(p.Values) > 0 && !slices.Contains(p.Values, s) {
			return errfmt.Errorf("expected one of %s, found %q", strings.Join(p.Values, ", "), s)
		}
	case Numbers:
		list, ok := value.([]any)
		if !ok {
			return errfmt.Errorf("expected a list of numbers, found %v", value)
		}
		for i, v := range list {
			if err := p.checkNumber(v); err != nil {
				return errfmt.Errorf("item %d: %w", i+1, err)
			}
		}
	case Weights:
		table, ok := value.(map[string]any)
		if !ok {
			return errfmt.Errorf("expected numbers by name, found %v", value)
		}
		for _, name := range sorted(table) {
			if err := p.checkNumber(table[name]); err != nil {
				return errfmt.Errorf("%s: %w", name, err)
			}
		}
	default:
		return errfmt.Errorf("type: expected number, integer, boolean, text, numbers or weights, found %q", p.Type)
	}
	return nil
}

func (p Parameter) checkNumber(value any) error {
	v, ok := value.(float64)
	if !ok {
		return errfmt.Errorf("expected a number, found %v", value)
	}
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return errfmt.Errorf("expected a finite number, found %v", v)
	case p.Type == Integer && v != math.Trunc(v):
		return errfmt.Errorf("expected a whole number, found %v", v)
	case p.Min != nil && v < *p.Min:
		return errfmt.Errorf("expected %v or more, found %v", *p.Min, v)
	case p.Max != nil && v > *p.Max:
		return errfmt.Errorf("expected %v or less, found %v", *p.Max, v)
	}
	return nil
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
