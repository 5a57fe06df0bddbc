package policy

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// SymbolTable is what the policies of one partition share: the resource types there are, which the argument * stands for,
// the count of allocations, and numbers for texts. Which number a text gets depends on when it is first met, so no answer may depend on it.
type SymbolTable struct {
	Made  uint64 // allocations so far: rounds are counted in them
	types *resource.Types
	*dictionary
}

// dictionary gives texts their numbers.
type dictionary struct {
	texts []string
	codes map[string]uint32
}

// NewSymbolTable makes a symbol table without texts.
func NewSymbolTable(types *resource.Types) *SymbolTable {
	return &SymbolTable{types: types, dictionary: &dictionary{codes: map[string]uint32{}}}
}

// Share makes a symbol table of other types in which each text has the same number: one module serves both.
func (l *SymbolTable) Share(types *resource.Types) *SymbolTable {
	return &SymbolTable{types: types, dictionary: l.dictionary}
}

// Code is the number of a text, from 1; 0 is the empty text.
func (l *SymbolTable) Code(text string) uint32 {
	if text == "" {
		return 0
	}
	c, known := l.codes[text]
	if !known {
		text = strings.Clone(text)
		l.texts = append(l.texts, text)
		c = uint32(len(l.texts))
		l.codes[text] = c
	}
	return c
}

// everyType is the argument that stands for each resource type in turn.
const everyType = "*"

// Texts lists the texts that have a code: code i+1 is Texts()[i]. The slice is the table's own.
func (l *SymbolTable) Texts() []string { return l.texts }

// Resolve returns a point's declaration with a column for each type in the place of those for every type, in the order
// of the types' names.
func (l *SymbolTable) Resolve(s *PointSpec) *PointSpec {
	out := *s
	out.Columns = make([]Column, 0, len(s.Columns))
	for _, c := range s.Columns {
		if c.Arg != everyType {
			out.Columns = append(out.Columns, l.adopt(c))
			continue
		}
		for _, t := range l.types.Sorted() {
			c.Arg = l.types.Name(t)
			out.Columns = append(out.Columns, l.adopt(c))
		}
	}
	return &out
}

func (l *SymbolTable) adopt(c Column) Column {
	c.ArgCode, c.symbols = l.Code(c.Arg), l
	return c
}

// wild reports whether the columns of a declaration depend on which types there are.
func (s *PointSpec) wild() bool {
	return slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Arg == everyType })
}
