package policy

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// Column is a number that describes an item. It has a kind, for some kinds an argument (a resource type, an attribute, a tag, a
// property, a rank, a level), and a default for items without a value. It is written `kind`, `kind:argument` or `kind:argument=default`. The
// argument * of a column about a resource type stands for one column for each type.
type Column struct {
	Kind    ColumnKind
	Arg     string // of DomainFree: a level and, after the last colon, a type
	Default float64
	ArgCode uint32 // code of Arg in the symbol table, set when the column is in force

	symbols *SymbolTable
	typ     int // index of the resource type Arg, plus 1; 0 until it is found
}

// Type returns the resource type that the argument of the column names, or an empty string.
func (c *Column) Type() string {
	if int(c.Kind) >= len(aboutType) || !aboutType[c.Kind] || c.ofEveryType() {
		return ""
	}
	return c.typeArg()
}

// typeArg returns the type in the argument of a column about types, or everyType.
func (c *Column) typeArg() string {
	if c.Kind == DomainFree {
		return c.Arg[strings.LastIndexByte(c.Arg, ':')+1:]
	}
	return c.Arg
}

// ofEveryType reports whether the column stands for one for each resource type.
func (c *Column) ofEveryType() bool {
	return int(c.Kind) < len(aboutType) && aboutType[c.Kind] && c.typeArg() == everyType
}

// forType returns the column for one type in place of a column for every type.
func (c Column) forType(name string) Column {
	c.Arg = strings.TrimSuffix(c.Arg, everyType) + name
	return c
}

// Level returns the level of the topology that the argument of a Domain or DomainFree column names.
func (c *Column) Level() string {
	if c.Kind == DomainFree {
		return c.Arg[:max(0, strings.LastIndexByte(c.Arg, ':'))]
	}
	return c.Arg
}

// Code returns the value of a text in a column of codes.
func (c *Column) Code(text string) float64 { return float64(c.symbols.Code(text)) }

// TypeIn returns the index of the column's resource type, if the type is known. A column belongs to one scheduler, and so to one table
// of types.
func (c *Column) TypeIn(types resource.TypeView) (t int, ok bool) {
	if c.typ == 0 {
		t, ok = types.Find(c.typeArg())
		if !ok {
			return 0, false
		}
		c.typ = t + 1
	}
	return c.typ - 1, true
}

// ColumnKind is the meaning of a column. Amounts are in stored units, shares in billionths.
type ColumnKind uint8

// The kinds of columns. kindNames has their names in manifests.
const (
	Submitted       ColumnKind = iota + 1 // applications, asks: position in the order of submission, from 1
	Priority                              // queues (as seen by the parent), applications: highest priority of pending asks; the default if there are none
	FairShare                             // queues: the largest share over types
	PendingShare                          // queues: the largest pending share of the cluster over types
	TopShare                              // applications: share number ARG, from 1, of the list in descending order
	Share                                 // queues, applications, nodes: of type ARG; -1 for nodes without capacity of it
	Used                                  // queues, applications, nodes (including occupied): of type ARG
	Pending                               // queues, applications: of type ARG
	Guaranteed                            // queues: of type ARG; the default if not set
	Max                                   // queues: of type ARG; the default if not set
	Capacity                              // nodes: of type ARG
	Free                                  // nodes: of type ARG, at least 0
	Asked                                 // asks, and nodes if the policy depends on the ask: amount of type ARG
	AskPriority                           // asks
	PendingAsks                           // queues, applications
	Allocations                           // queues, applications
	Running                               // queues: applications Starting, Running or Resuming
	Attribute                             // nodes: attribute ARG parsed as a number
	Tag                                   // applications, victims (of their application): tag ARG parsed as a number
	Property                              // queues: property ARG, own or inherited, parsed as a number
	AttributeCode                         // nodes: code of attribute ARG, 0 if absent
	TagCode                               // applications, victims (of their application): code of tag ARG
	PropertyCode                          // queues: code of property ARG, own or inherited
	UserCode                              // applications, asks, victims: code of the application's user
	GroupCode                             // applications, asks, victims: code of the group that the application counts for in limits
	UserLimitShare                        // applications, victims (of their application): the largest used share of the user's limits; the default without limits of amounts
	GroupLimitShare                       // the same for the group that the application counts for
	GangSize                              // asks, victims: number of members of their atomic gang; applications: of their first waiting gang
	GangMin                               // gang_min of the same gang
	Placeholder                           // asks, victims: 1 for a placeholder
	Domain                                // nodes: code of the name of their domain at level ARG, 0 without one
	DomainFree                            // nodes: free in their domain at a level, of a type; ARG is level:type; the default without a domain
	DomainFits                            // nodes: number of asks of the class that fit their domain at the level that the class names; the default without one
	GangSurplus                           // asks, victims: number of allocated members of their gang above its minimum
	Aged                                  // queues, applications (of their user in the leaf): aged usage of type ARG at the last multiple of the period; current usage without a half-life
	HalfLife                              // queues, applications: half-life of that usage in seconds; the default without one
	Walltime                              // asks, victims: promised walltime in seconds; applications: the longest of their pending asks; the default without one
	SubmittedAt                           // applications, asks: when they were submitted, in seconds of the clock
)

// kindNames are the names of kinds in manifests.
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

	Domain:      "domain",
	DomainFree:  "domain_free",
	DomainFits:  "domain_fits",
	GangSurplus: "gang_surplus",

	Aged:        "aged",
	HalfLife:    "half_life",
	Walltime:    "walltime",
	SubmittedAt: "submitted_at",
}

// String returns the name of a kind in manifests.
func (k ColumnKind) String() string { return kindNames[k] }

// Coded reports whether columns of the kind hold codes of texts.
func (k ColumnKind) Coded() bool {
	switch k {
	case AttributeCode, TagCode, PropertyCode, UserCode, GroupCode, Domain:
		return true
	}
	return false
}

// OfLimit reports whether columns of the kind hold the usage of limits.
func (k ColumnKind) OfLimit() bool { return k == UserLimitShare || k == GroupLimitShare }

// OfGang reports whether columns of the kind describe an atomic gang, so that they change for all of its members.
func (k ColumnKind) OfGang() bool { return k == GangSize || k == GangMin || k == GangSurplus }

// OfOtherNodes reports whether columns of the kind change for all nodes of a domain when one of them changes.
func (k ColumnKind) OfOtherNodes() bool { return k == DomainFree || k == DomainFits }

// Ages reports whether columns of the kind describe usage that ages, so that they change with time alone.
func (k ColumnKind) Ages() bool { return k == Aged || k == HalfLife }

// OfWalltime reports whether columns of the kind hold walltimes, which may be changed.
func (k ColumnKind) OfWalltime() bool { return k == Walltime }

// OfAsk reports whether columns of nodes of the kind depend on the ask that is to be placed.
func (k ColumnKind) OfAsk() bool { return k == Asked || k == DomainFits }

// vocabulary lists the kinds that a point offers, and whether they take an argument.
var vocabulary = map[Point]map[ColumnKind]bool{
	QueueOrder: {Priority: false, FairShare: false, PendingShare: false, Share: true, Used: true, Pending: true, Guaranteed: true,
		Max: true, PendingAsks: false, Allocations: false, Running: false, Property: true, PropertyCode: true, Aged: true, HalfLife: false},
	AppOrder: {Submitted: false, Priority: false, TopShare: true, Share: true, Used: true, Pending: true, PendingAsks: false,
		Allocations: false, Tag: true, TagCode: true, UserCode: false, GroupCode: false, UserLimitShare: false, GroupLimitShare: false,
		GangSize: false, GangMin: false, Aged: true, HalfLife: false, Walltime: false, SubmittedAt: false},
	AskOrder: {Submitted: false, AskPriority: false, Asked: true, UserCode: false, GroupCode: false, GangSize: false, GangMin: false,
		Placeholder: false, GangSurplus: false, Walltime: false, SubmittedAt: false},
	NodeScore: {Share: true, Used: true, Capacity: true, Free: true, Attribute: true, AttributeCode: true, Asked: true, Domain: true,
		DomainFree: true, DomainFits: false},
	NodeFilter: {Share: true, Used: true, Capacity: true, Free: true, Attribute: true, AttributeCode: true, Asked: true, Domain: true,
		DomainFree: true, DomainFits: false},
	VictimRank: {Submitted: false, AskPriority: false, Asked: true, Tag: true, TagCode: true, UserCode: false, GroupCode: false,
		UserLimitShare: false, GroupLimitShare: false, GangSize: false, GangMin: false, Placeholder: false, GangSurplus: false, Walltime: false},
}

// aboutType lists the kinds whose argument is a resource type, or ends with one.
var aboutType = [...]bool{Share: true, Used: true, Pending: true, Guaranteed: true, Max: true, Capacity: true, Free: true, Asked: true,
	DomainFree: true, Aged: true}

// ParseColumn parses a column in the form of manifests.
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

// String returns a column in the form of manifests.
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

// MarshalText writes a column as a string in JSON.
func (c Column) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText parses the result of MarshalText.
func (c *Column) UnmarshalText(text []byte) error {
	var err error
	*c, err = ParseColumn(string(text))
	return err
}
