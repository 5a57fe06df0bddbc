package config

import (
	"fmt"
	"strconv"
)

// tomlBounds bound a TOML text before the library sees it, which takes quadratic time and space for deep names, and
// keeps the name of every value in full.
type tomlBounds struct {
	depth  int // lists and tables within one another; a part of a name counts as two, since it may stand for a list of tables
	values int
	read   int // values of a text that the library reads
	fields int // names in one table
	names  int // cost of all names, each with those of its tables: bytes, and costOfPart for each part
	levels string
}

// costOfPart is what the library spends on a part of a name beside its bytes.
const costOfPart = 16

// queueBounds are those of a queue configuration, a hundred thousand queues and their settings.
func queueBounds() tomlBounds {
	return tomlBounds{depth: maxDepth, values: maxValues, read: maxLibraryValues, fields: maxFields, names: 64 << 20, levels: sizeBound}
}

// Bounds of what an operator sets by hand: the settings of a policy or of the program, or a map of classes.
const (
	MostSettings   = 1 << 20 // bytes
	settingsLevels = 16
	settingsValues = 100_000
	settingsNames  = 8 << 20
)

func settingsBounds() tomlBounds {
	return tomlBounds{2 * settingsLevels, settingsValues, settingsValues, settingsValues, settingsNames, fmt.Sprintf("at most %d values, and %d levels of them", settingsValues, settingsLevels)}
}

// counted makes a value, as long as there are not too many.
func (s *tomlScanner) counted(k kind, at place) *value {
	if s.made++; s.made > s.bounds.values {
		s.tooLarge(at)
	}
	if s.made > s.bounds.read && s.costly == nil {
		s.costly = &fault{at, sizeKey, libraryBound, "more"}
	}
	if s.costly != nil && !s.plain && s.full == nil {
		s.full = s.costly // the library has to read the text, and would take too long
	}
	return s.value(k, at)
}

// put adds a field to a table, as long as there are not too many.
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

// spend counts what a name costs the library. A text that does without the library may cost any amount.
func (s *tomlScanner) spend(cost int, at place) {
	if s.names += cost; s.names > s.bounds.names && s.costly == nil {
		s.costly = &fault{at, sizeKey, "names that take at most " + strconv.Itoa(s.bounds.names) + " bytes, each counted with those of its tables", "more"}
	}
}

// cost is that of a name.
func cost(name []tomlPart) int {
	total := 0
	for _, part := range name {
		total += len(part.name) + costOfPart
	}
	return total
}
