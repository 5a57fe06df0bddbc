package format

import (
	"strings"
	"unicode/utf8"
)

// leastHanging is how many columns a hanging text has at least, else it begins further left.
const leastHanging = 24

// Hang writes a text after a label. What does not fit into the columns goes on in lines below, which begin where the text begins, or at
// the fourth column where that leaves too little room. With 0 columns there is one line.
func Hang(label, text string, columns int) string {
	start := utf8.RuneCountInString(label)
	if columns == 0 || start+utf8.RuneCountInString(text) <= columns {
		return strings.TrimRight(label+text, " ")
	}
	if columns-start >= leastHanging {
		return label + strings.ReplaceAll(Wrap(text, columns-start), "\n", "\n"+strings.Repeat(" ", start))
	}
	indent := "\n" + strings.Repeat(" ", 4)
	return strings.TrimRight(label, " ") + indent + strings.ReplaceAll(Wrap(text, columns-4), "\n", indent)
}
