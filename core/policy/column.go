package policy

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

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
	Submitted       ColumnKind = iota + 1 // applications, asks: the place in the order of submission, from 1
	Priority                              // queues: as seen by the parent; applications, asks; the default where nothing is pending
	FairShare                             // queues: the largest share over types
	PendingShare                          // queues: the largest pending share of the cluster over types
	TopShare                              // applications: share number ARG, from 1, of the list in descending order
	Share                                 // queues, applications, nodes: of type ARG; nodes without capacity in it: -1
	Used                                  // queues, applications, nodes (occupied counts): of type ARG
	Pending                               // queues, applications: of type ARG
	Guaranteed                            // queues: of type ARG; the default where none is set
	Max                                   // queues: of type ARG; the default where none is set
	Capacity                              // nodes: of type ARG
	Free                                  // nodes: of type ARG, at least 0
	Asked                                 // asks, and nodes where the policy depends on the ask: amount of type ARG
	AskPriority                           // asks
	PendingAsks                           // queues, applications
	Allocations                           // queues, applications
	Running                               // queues: applications Starting, Running or Resuming
	Attribute                             // nodes: attribute ARG read as a number
	Tag                                   // applications, and victims by theirs: tag ARG read as a number
	Property                              // queues: property ARG, own or inherited, read as a number
	AttributeCode                         // nodes: code of attribute ARG, 0 where it is absent
	TagCode                               // applications, and victims by theirs: code of tag ARG
	PropertyCode                          // queues: code of property ARG, own or inherited
	UserCode                              // applications, asks, victims: code of the application's user
	GroupCode                             // applications, asks, victims: code of the group that the application counts for in limits
	UserLimitShare                        // applications, victims by theirs: the largest share, over the limits of the user and over types, of a limit that is used; the default where none bounds an amount
	GroupLimitShare                       // the same of the group that the application counts for
	GangSize                              // asks, victims: members, pending and allocated, of their atomic gang; applications: of the first that waits
	GangMin                               // of the gang that GangSize is about: its gang_min
	Placeholder                           // asks, victims: 1 for a placeholder
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
	UserCode:      "user_code",
	GroupCode:     "group_code",

	UserLimitShare:  "user_limit_share",
	GroupLimitShare: "group_limit_share",
	GangSize:        "gang_size",
	GangMin:         "gang_min",
	Placeholder:     "placeholder",
}

// String spells a kind as manifests do.
func (k ColumnKind) String() string { return kindNames[k] }

// Coded reports whether columns of the kind hold codes of texts.
func (k ColumnKind) Coded() bool {
	switch k {
	case AttributeCode, TagCode, PropertyCode, UserCode, GroupCode:
		return true
	}
	return false
}

// OfLimit reports whether columns of the kind say how much of a limit is used.
func (k ColumnKind) OfLimit() bool { return k == UserLimitShare || k == GroupLimitShare }

// OfGang reports whether columns of the kind are about an atomic gang, and so change for all members of one.
func (k ColumnKind) OfGang() bool { return k == GangSize || k == GangMin }

// vocabulary says which kinds a point offers, and whether they take an argument.
var vocabulary = map[Point]map[ColumnKind]bool{
	QueueOrder: {Priority: false, FairShare: false, PendingShare: false, Share: true, Used: true, Pending: true, Guaranteed: true,
		Max: true, PendingAsks: false, Allocations: false, Running: false, Property: true, PropertyCode: true},
	AppOrder: {Submitted: false, Priority: false, TopShare: true, Share: true, Used: true, Pending: true, PendingAsks: false,
		Allocations: false, Tag: true, TagCode: true, UserCode: false, GroupCode: false, UserLimitShare: false, GroupLimitShare: false,
		GangSize: false, GangMin: false},
	AskOrder: {Submitted: false, AskPriority: false, Asked: true, UserCode: false, GroupCode: false, GangSize: false, GangMin: false,
		Placeholder: false},
	NodeScore:  {Share: true, Used: true, Capacity: true, Free: true, Attribute: true, AttributeCode: true, Asked: true},
	NodeFilter: {Share: true, Used: true, Capacity: true, Free: true, Attribute: true, AttributeCode: true, Asked: true},
	VictimRank: {Submitted: false, AskPriority: false, Asked: true, Tag: true, TagCode: true, UserCode: false, GroupCode: false,
		UserLimitShare: false, GroupLimitShare: false, GangSize: false, GangMin: false, Placeholder: false},
}

// aboutType says which kinds take a resource type.
var aboutType = [...]bool{Share: true, Used: true, Pending: true, Guaranteed: true, Max: true, Capacity: true, Free: true, Asked: true}

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
