package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// Manifest is what a policy declares about itself.
type Manifest struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	ABI     string `json:"abi,omitempty"`
	Impure  bool   `json:"impure,omitempty"` // its answers are recorded, since they cannot be computed again
	// Round is how many allocations the answers of one call hold for. With more than 1, rows that changed are not asked
	// about until so many were made, all of them in one call then; in between their old answers stand.
	Round  int                  `json:"round,omitempty"`
	Points map[Point]*PointSpec `json:"points"`
	// Configuration is what the policy was configured with: a JSON object, which only the policy understands.
	Configuration json.RawMessage `json:"configuration,omitempty"`
	// Limits bound the policy's calls: a JSON object, which only the host understands.
	Limits json.RawMessage `json:"limits,omitempty"`
}

// PointSpec is what a policy declares for one point.
type PointSpec struct {
	Columns  []Column   `json:"columns"`
	Keys     int        `json:"keys"` // 1 to MaxKeys; 1 for node.score and node.filter
	Depends  Dependence `json:"depends"`
	Fallback string     `json:"fallback,omitempty"` // a built-in; default: the point's default
}

// Column is one number that an item is described by: a kind, for some kinds an argument (a resource type, an attribute,
// a tag, a property, a rank), and the value where there is none. It is written `kind`, `kind:argument` or
// `kind:argument=default`. The argument * of a column about a resource type stands for every type there is.
type Column struct {
	Kind    ColumnKind
	Arg     string
	Default float64
	ArgCode uint32 // of Arg in the symbol table, once the column is in force

	symbols *SymbolTable
	typ     int // of the resource type Arg, plus 1, once it was found
}

// OfType reports whether the column is about one resource type, which its argument names.
func (c *Column) OfType() bool {
	return int(c.Kind) < len(aboutType) && aboutType[c.Kind] && c.Arg != everyType
}

// Code is the number of a text in a column of codes.
func (c *Column) Code(text string) float64 { return float64(c.symbols.Code(text)) }

// TypeIn returns the index of the resource type that the column is about, if it is known. A column belongs to one
// scheduler, and so to one table of types.
func (c *Column) TypeIn(types *resource.Types) (t int, ok bool) {
	if c.typ == 0 {
		t, ok = types.Find(c.Arg)
		if !ok {
			return 0, false
		}
		c.typ = t + 1
	}
	return c.typ - 1, true
}

// ColumnKind says what a column holds. Amounts are in stored units, shares in billionths.
type ColumnKind uint8

// The kinds of columns, as manifests spell them in kindNames.
const (
	Submitted     ColumnKind = iota + 1 // applications, asks: the place in the order of submission, from 1
	Priority                            // queues: as seen by the parent; applications, asks; the default where nothing is pending
	FairShare                           // queues: the largest share over types
	PendingShare                        // queues: the largest pending share of the cluster over types
	TopShare                            // applications: share number ARG, from 1, of the list in descending order
	Share                               // queues, applications, nodes: of type ARG; nodes without capacity in it: -1
	Used                                // queues, applications, nodes (occupied counts): of type ARG
	Pending                             // queues, applications: of type ARG
	Guaranteed                          // queues: of type ARG; the default where none is set
	Max                                 // queues: of type ARG; the default where none is set
	Capacity                            // nodes: of type ARG
	Free                                // nodes: of type ARG, at least 0
	Asked                               // asks, and nodes where the policy depends on the ask: amount of type ARG
	AskPriority                         // asks
	PendingAsks                         // queues, applications
	Allocations                         // queues, applications
	Running                             // queues: applications Starting, Running or Resuming
	Attribute                           // nodes: attribute ARG read as a number
	Tag                                 // applications, and victims by theirs: tag ARG read as a number
	Property                            // queues: property ARG, own or inherited, read as a number
	AttributeCode                       // nodes: code of attribute ARG, 0 where it is absent
	TagCode                             // applications, and victims by theirs: code of tag ARG
	PropertyCode                        // queues: code of property ARG, own or inherited
)

// kindNames spell the kinds in manifests.
var kindNames = [...]string{
	Submitted:    "submitted",
	Priority:     "priority",
	FairShare:    "fair_share",
	PendingShare: "pending_share",
	TopShare:     "top_share",
	Share:        "share",
	Used:         "used",
	Pending:      "pending",
	Guaranteed:   "guaranteed",
	Max:          "max",
	Capacity:     "capacity",
	Free:         "free",
	Asked:        "ask",
	AskPriority:  "ask_priority",
	PendingAsks:  "pending_asks",
	Allocations:  "allocations",
	Running:      "running",
	Attribute:    "attribute",
	Tag:          "tag",
	Property:     "property",

	AttributeCode: "attribute_code",
	TagCode:       "tag_code",
	PropertyCode:  "property_code",
}

// String spells a kind as manifests do.
func (k ColumnKind) String() string { return kindNames[k] }

// Coded reports whether columns of the kind hold codes of texts.
func (k ColumnKind) Coded() bool { return k == AttributeCode || k == TagCode || k == PropertyCode }

// vocabulary says which kinds a point offers, and whether they take an argument.
var vocabulary = map[Point]map[ColumnKind]bool{
	QueueOrder: {Priority: false, FairShare: false, PendingShare: false, Share: true, Used: true, Pending: true, Guaranteed: true,
		Max: true, PendingAsks: false, Allocations: false, Running: false, Property: true, PropertyCode: true},
	AppOrder: {Submitted: false, Priority: false, TopShare: true, Share: true, Used: true, Pending: true, PendingAsks: false,
		Allocations: false, Tag: true, TagCode: true},
	AskOrder:   {Submitted: false, AskPriority: false, Asked: true},
	NodeScore:  {Share: true, Used: true, Capacity: true, Free: true, Attribute: true, AttributeCode: true, Asked: true},
	NodeFilter: {Share: true, Used: true, Capacity: true, Free: true, Attribute: true, AttributeCode: true, Asked: true},
	VictimRank: {Submitted: false, AskPriority: false, Asked: true, Tag: true, TagCode: true},
}

// aboutType says which kinds take a resource type.
var aboutType = [...]bool{Share: true, Used: true, Pending: true, Guaranteed: true, Max: true, Capacity: true, Free: true, Asked: true, PropertyCode: false}

// ParseColumn reads a column as a manifest writes it.
func ParseColumn(text string) (Column, error) {
	body, number, hasDefault := strings.Cut(text, "=")
	kind, arg, _ := strings.Cut(body, ":")
	c := Column{Kind: ColumnKind(max(slices.Index(kindNames[:], kind), 0)), Arg: arg}
	if kind == "" || c.Kind == 0 {
		return c, fmt.Errorf("column %q: %q is no kind of column", text, kind)
	}
	if hasDefault {
		v, err := strconv.ParseFloat(number, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return c, fmt.Errorf("column %q: expected a finite number after =, found %q", text, number)
		}
		c.Default = v
	}
	return c, nil
}

// String writes a column as a manifest does.
func (c Column) String() string {
	s := c.Kind.String()
	if c.Arg != "" {
		s += ":" + c.Arg
	}
	if c.Default != 0 {
		s += "=" + strconv.FormatFloat(c.Default, 'g', -1, 64)
	}
	return s
}

// MarshalText and UnmarshalText make a column a string in JSON.
func (c Column) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (c *Column) UnmarshalText(text []byte) error {
	var err error
	*c, err = ParseColumn(string(text))
	return err
}

// Clone returns a manifest that shares nothing with this one that is ever written to: a policy in force notes in its columns
// what they mean to its scheduler.
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

// ParseManifest reads and checks a manifest in JSON.
func ParseManifest(text string) (*Manifest, error) {
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

// settled reports whether every column keeps the value it had when the item came.
func (s *PointSpec) settled() bool {
	return s.Depends == OnRow && !slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Kind != Submitted && c.Kind != Tag && c.Kind != TagCode })
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
		if c.Arg == everyType && !aboutType[c.Kind] {
			return fmt.Errorf("columns: %q: * stands for resource types, which this column is not about", c)
		}
		if c.Kind == Asked && nodes && s.Depends != OnAsk && p != NodeFilter {
			return fmt.Errorf("columns: %q needs depends: ask", c)
		}
	}
	return nil
}
