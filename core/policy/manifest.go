package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Manifest is the declaration of a policy: its name, points and columns.
type Manifest struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	ABI     string `json:"abi,omitempty"`
	Impure  bool   `json:"impure,omitempty"` // its answers are recorded, since calling it again may give others
	// Round is the number of allocations for which the answers of a call are valid. If it is more than 1, changed rows keep their old
	// answers until so many allocations were made. Then one call asks about all of them.
	Round  int                  `json:"round,omitempty"`
	Points map[Point]*PointSpec `json:"points"`
	// Configuration is the policy's configuration: a JSON object that only the policy interprets.
	Configuration json.RawMessage `json:"configuration,omitempty"`
	// Limits bound the policy's calls: a JSON object that only the host interprets.
	Limits json.RawMessage `json:"limits,omitempty"`
}

// PointSpec is the declaration of a policy for one point.
type PointSpec struct {
	Columns  []Column   `json:"columns"`
	Keys     int        `json:"keys"` // 1 to MaxKeys; 1 for node.score and node.filter
	Depends  Dependence `json:"depends"`
	Fallback string     `json:"fallback,omitempty"` // name of a built-in; empty for the point's default

	ofOtherNodes bool // it reads a column of OfOtherNodes; set when the policy is in force
}

// ReadsOtherNodes reports whether a policy in force reads a column that changes for a node when another one of its domain changes.
func (s *PointSpec) ReadsOtherNodes() bool { return s.ofOtherNodes }

// Clone returns a copy that shares no writable memory with the manifest. A policy in force writes to its columns.
func (m *Manifest) Clone() *Manifest {
	c := *m
	c.Points = make(map[Point]*PointSpec, len(m.Points))
	for p, spec := range m.Points {
		own := *spec
		own.Columns = slices.Clone(spec.Columns)
		c.Points[p] = &own
	}
	return &c
}

// mostManifest is the maximum size of a manifest in bytes, including the policy's configuration. The scheduler keeps it in memory.
const mostManifest = 1 << 20

// ParseManifest parses and validates a manifest in JSON.
func ParseManifest(text string) (*Manifest, error) {
	if len(text) > mostManifest {
		return nil, fmt.Errorf("manifest: expected at most %d bytes, found %d", mostManifest, len(text))
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	m := &Manifest{}
	if err := d.Decode(m); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("manifest: expected one JSON object, found more after it")
	}
	return m, m.check()
}

func (m *Manifest) check() error {
	if m.Name == "" {
		return errors.New("manifest: name: expected the policy's name, found none")
	}
	if m.Round < 0 {
		return fmt.Errorf("manifest: round: expected 1 or more, found %d", m.Round)
	}
	if len(m.Points) == 0 {
		return errors.New("manifest: points: expected at least one, found none")
	}
	for _, p := range Points() {
		if s, named := m.Points[p]; named {
			if s == nil {
				return fmt.Errorf("manifest: points: %s: expected what the policy declares, found null", p)
			}
			if err := s.check(p); err != nil {
				return fmt.Errorf("manifest: points: %s: %w", p, err)
			}
		}
	}
	for p := range m.Points {
		if !slices.Contains(Points(), p) {
			return fmt.Errorf("manifest: points: expected one of %v, found %q", Points(), p)
		}
	}
	return nil
}

// constant reports whether no column of an item ever changes.
func (s *PointSpec) constant() bool {
	return s.Depends == OnRow && !s.Reads(func(k ColumnKind) bool {
		switch k {
		case Submitted, SubmittedAt, Tag, TagCode, UserCode, GroupCode: // a reload may change the group, but asks about all items again
			return false
		}
		return true
	})
}

// Reads reports whether the policy declares a column of a kind that satisfies a predicate. A nil spec declares none.
func (s *PointSpec) Reads(is func(ColumnKind) bool) bool {
	return s != nil && slices.ContainsFunc(s.Columns, func(c Column) bool { return is(c.Kind) })
}

func (s *PointSpec) check(p Point) error {
	single := p == NodeScore || p == NodeFilter
	if s.Keys < 1 || s.Keys > MaxKeys || single && s.Keys != 1 {
		return fmt.Errorf("keys: expected 1 to %d (1 for node.score and node.filter), found %d", MaxKeys, s.Keys)
	}
	nodes := single
	if s.Depends != OnRow && s.Depends != OnSiblings && (s.Depends != OnAsk || !nodes) {
		return fmt.Errorf("depends: expected row, siblings or, for nodes, ask; found %q", s.Depends)
	}
	for _, c := range s.Columns {
		takesArg, known := vocabulary[p][c.Kind]
		if !known {
			return fmt.Errorf("columns: %q is not a column of this point", c.Kind)
		}
		if takesArg != (c.Arg != "") {
			return fmt.Errorf("columns: %q: expected an argument after the colon: %v", c, takesArg)
		}
		if c.Arg == everyType && !c.ofEveryType() {
			return fmt.Errorf("columns: %q: * stands for resource types, which this column is not about", c)
		}
		if c.Kind == DomainFree && (c.Level() == "" || c.typeArg() == "") {
			return fmt.Errorf("columns: %q: expected a level and a resource type, level:type", c)
		}
		if c.Kind.OfAsk() && nodes && s.Depends != OnAsk && p != NodeFilter {
			return fmt.Errorf("columns: %q needs depends: ask", c)
		}
	}
	return nil
}
