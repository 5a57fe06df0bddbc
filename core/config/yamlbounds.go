package config

import (
	"fmt"
	"strings"
)

// CheckYAML refuses a YAML text that the library could not take in quickly: too long, too deep, or with too many values. It says nothing
// about what else may be wrong with it.
func CheckYAML(text []byte) error {
	if len(text) > maxText {
		return fmt.Errorf("expected at most %d bytes, found %d", maxText, len(text))
	}
	if at, large := tooLargeYAML(string(text)); large {
		return fmt.Errorf("%d:%d: expected %s, found more", at.line, at.column, libraryBound)
	}
	return nil
}

// tooLargeYAML finds where a text could open so many levels that the library, which calls itself for each, needs more
// of a stack than there is in a browser, or could have so many values that the library needs gigabytes. It does not know
// all of YAML: so it lets five times as many levels pass, and a quarter more values, as are read in the end.
func tooLargeYAML(text string) (place, bool) {
	const mostLevels, mostValues = 5 * maxDepth, maxLibraryValues * 5 / 4
	row, open, values := int32(1), 0, 0
	for line := range strings.Lines(text) {
		// Each level of a block stands in a column of its own.
		indent := len(line) - len(strings.TrimLeft(line, " -?:"))
		if indent > mostLevels && strings.TrimSpace(line) != "" {
			return place{row, mostLevels}, true
		}
		values += 1 + strings.Count(line[:indent], "-")
		for column, c := range []byte(withoutComment(line)) {
			switch c {
			case '[', '{':
				open++
				values++
			case ']', '}':
				open = max(0, open-1)
			case ',':
				values++
			}
			if open > mostLevels || values > mostValues {
				return place{row, int32(column) + 1}, true
			}
		}
		row++
	}
	return place{}, false
}

// withoutComment drops what follows a #, in a line without quotes: it is a comment there, or else part of a text that
// goes on over several lines. Brackets in it open nothing either way.
func withoutComment(line string) string {
	if strings.ContainsAny(line, `"'`) {
		return line
	}
	if strings.HasPrefix(line, "#") {
		return ""
	}
	if end := max(strings.Index(line, " #"), strings.Index(line, "\t#")); end >= 0 {
		return line[:end]
	}
	return line
}
