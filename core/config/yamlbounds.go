package config

import (
	"fmt"
	"strings"
)

// CheckYAML refuses a YAML text that would be expensive for the library: too long, too deep, or with too many values. It does not validate
// anything else.
func CheckYAML(text []byte) error {
	if len(text) > maxText {
		return fmt.Errorf("expected at most %d bytes, found %d", maxText, len(text))
	}
	if at, large := tooLargeYAML(string(text)); large {
		return fmt.Errorf("%d:%d: expected %s, found more", at.line, at.column, libraryBound)
	}
	return nil
}

// tooLargeYAML finds the place where a text may have so many levels that the recursive library exhausts the stack of a browser, or so many
// values that it needs gigabytes. Since it does not parse all of YAML, it permits five times as many levels and a quarter more values
// than the final bounds.
func tooLargeYAML(text string) (place, bool) {
	const mostLevels, mostValues = 5 * maxDepth, maxLibraryValues * 5 / 4
	row, open, values := int32(1), 0, 0
	for line := range strings.Lines(text) {
		// Each level of a block has its own column.
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

// withoutComment drops the part after a # in a line without quotes. It is a comment, or part of a text of several lines; in both cases,
// brackets in it do not open levels.
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
