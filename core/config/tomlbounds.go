package config

import (
	"fmt"
	"strconv"
)

// tomlBounds bound a TOML text before the library parses it, which takes quadratic time and memory for deep names, and stores the full name
// of every value.
type tomlBounds struct {
	depth  int // nesting of lists and tables; a part of a name counts as two, since it may be a list of tables
	values int
	read   int // number of values, if the library has to read the text
	fields int // number of names in one table
	names  int // cost of all full names: their bytes, and costOfPart for each part
	levels string
}

// costOfPart is the cost of a part of a name in the library, in addition to its bytes.
const costOfPart = 16

// queueBounds returns the bounds of a queue configuration: a hundred thousand queues and their settings.
func queueBounds() tomlBounds {
	return tomlBounds{depth: maxDepth, values: maxValues, read: maxLibraryValues, fields: maxFields, names: 64 << 20, levels: sizeBound}
}

// Bounds of texts that an operator writes by hand: settings of a policy or of the program, or a map of classes.
const (
	MostSettings   = 1 << 20 // bytes
	settingsLevels = 16
	settingsValues = 100_000
	settingsNames  = 8 << 20
)

func settingsBounds() tomlBounds {
	return tomlBounds{2 * settingsLevels, settingsValues, settingsValues, settingsValues, settingsNames, fmt.Sprintf("at most %d values, and %d levels of them", settingsValues, settingsLevels)}
}

// newValue makes a value, unless there are too many.
func (s *tomlScanner) newValue(k kind, at place) *value {
	if s.valueCount++; s.valueCount > s.bounds.values {
		s.tooLarge(at)
	}
	if s.valueCount > s.bounds.read && s.tooCostly == nil {
		s.tooCostly = &fault{at, sizeKey, libraryBound, "more"}
	}
	if s.tooCostly != nil && !s.plain && s.full == nil {
		s.full = s.tooCostly // the library has to read the text, which would take too long
	}
	return s.value(k, at)
}

// put adds a field to a table, unless there are too many.
func (s *tomlScanner) put(table *value, f field) {
	if len(table.fields) >= s.bounds.fields && s.full == nil {
		s.full = &fault{f.at, sizeKey, fieldBound, "more"}
	}
	table.add(f)
}

func (s *tomlScanner) tooLarge(at place) {
	if s.full == nil {
		s.full = &fault{at, sizeKey, s.bounds.levels, "more"}
	}
}

// spend adds the cost of a name in the library. It is not bounded for texts that the library does not read.
func (s *tomlScanner) spend(cost int, at place) {
	if s.names += cost; s.names > s.bounds.names && s.tooCostly == nil {
		s.tooCostly = &fault{at, sizeKey, "names that take at most " + strconv.Itoa(s.bounds.names) + " bytes, each counted with those of its tables", "more"}
	}
}

// cost returns the cost of a name in the library.
func cost(name []tomlPart) int {
	total := 0
	for _, part := range name {
		total += len(part.name) + costOfPart
	}
	return total
}
