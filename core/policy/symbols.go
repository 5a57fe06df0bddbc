package policy

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// SymbolTable is shared by the policies of one partition. It has the resource types, which the argument * stands for, the number of
// allocations, and codes of texts. The code of a text depends on when the text is first used, so answers must not depend on it.
type SymbolTable struct {
	Made  uint64 // number of allocations made, by which rounds are measured
	types *resource.Types
	*dictionary
}

// dictionary assigns codes to texts.
type dictionary struct {
	texts []string
	codes map[string]uint32
}

// NewSymbolTable makes a symbol table without texts.
func NewSymbolTable(types *resource.Types) *SymbolTable {
	return &SymbolTable{types: types, dictionary: &dictionary{codes: map[string]uint32{}}}
}

// Share makes a symbol table with other types that shares the codes of texts, since one module serves both partitions.
func (l *SymbolTable) Share(types *resource.Types) *SymbolTable {
	return &SymbolTable{types: types, dictionary: l.dictionary}
}

// Code returns the code of a text, from 1. The empty text has code 0.
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

// everyType is the argument that stands for every resource type.
const everyType = "*"

// Texts lists the texts with a code: code i+1 is Texts()[i]. The slice belongs to the table and must not be modified.
func (l *SymbolTable) Texts() []string { return l.texts }

// Resolve returns a point's declaration with one column for each type, sorted by name, in place of each column for *.
func (l *SymbolTable) Resolve(s *PointSpec) *PointSpec {
	out := *s
	out.Columns = make([]Column, 0, len(s.Columns))
	for _, c := range s.Columns {
		if !c.ofEveryType() {
			out.Columns = append(out.Columns, l.adopt(c))
			continue
		}
		for _, t := range l.types.Sorted() {
			out.Columns = append(out.Columns, l.adopt(c.forType(l.types.Name(t))))
		}
	}
	out.ofOtherNodes = s.Reads(ColumnKind.OfOtherNodes)
	return &out
}

func (l *SymbolTable) adopt(c Column) Column {
	c.ArgCode, c.symbols = l.Code(c.Arg), l
	return c
}

// readsEveryType reports whether a declaration has a column for *.
func (s *PointSpec) readsEveryType() bool {
	return slices.ContainsFunc(s.Columns, func(c Column) bool { return c.ofEveryType() })
}
