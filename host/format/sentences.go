package format

import (
	"strings"
	"unicode/utf8"
)

// List joins parts as a sentence does: "a", "a and b", "a, b and c".
func List(parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// Wrap breaks a text between words into lines of at most so many characters. A longer word has a line of its own.
func Wrap(text string, most int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		size := utf8.RuneCountInString(word)
		switch {
		case column == 0:
		case column+1+size > most:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += size
	}
	return b.String()
}
