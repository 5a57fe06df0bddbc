package format

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostLine and mostCell bound what is shown of one text, in characters.
const (
	mostLine = 2000
	mostCell = 80
)

// Line is a text as part of one line: line breaks and tabs are escaped too.
func Line(text string) string { return Within(text, mostLine) }

// Within is Line with another bound, in characters.
func Within(text string, most int) string {
	shown, rest := escaped(text, most)
	if rest > 0 {
		shown += mark(rest)
	}
	return shown
}

// Cell is a text as one cell of a table.
func Cell(text string) string {
	shown, rest := escaped(text, mostCell)
	if rest > 0 {
		shown += "…"
	}
	return shown
}

// mark stands for what was cut off.
func mark(bytes int) string { return fmt.Sprintf("… (%d more bytes)", bytes) }

// escaped is as much of a text as most characters show, and how many bytes are left of it.
func escaped(text string, most int) (shown string, rest int) {
	if len(text) <= most && plain(text) {
		return text, 0
	}
	var b strings.Builder
	for at, n := 0, 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		piece := text[at : at+size]
		if !visible(r, size) {
			piece = escape(r, size, text[at])
		}
		if n += utf8.RuneCountInString(piece); n > most {
			return b.String(), len(text) - at
		}
		b.WriteString(piece)
		at += size
	}
	return b.String(), 0
}

// plain reports whether a text is shown unchanged.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// visible reports whether a reader sees a character, and a terminal does no more than draw it.
func visible(r rune, size int) bool {
	return unicode.IsGraphic(r) && (r != utf8.RuneError || size > 1)
}

// escape writes a character as Go does in its quotes; first is its first byte.
func escape(r rune, size int, first byte) string {
	switch {
	case r == utf8.RuneError && size <= 1:
		return fmt.Sprintf(`\x%02x`, first)
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r > 0xffff:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
