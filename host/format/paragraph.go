package format

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// mostParagraph bounds a paragraph, in characters: names in it may be of any length.
const mostParagraph = 8000

// Paragraph writes sentences in one line. If the writer folds (Writer.Fold) and they are longer than a line, each sentence begins a line
// of its own, and what does not fit goes on below, indented.
func Paragraph(w io.Writer, text string) error {
	text = Within(text, mostParagraph)
	if folding, ok := w.(interface{ Columns() int }); ok {
		if columns := folding.Columns(); columns > 0 && utf8.RuneCountInString(text) > columns {
			text = foldedSentences(text, columns)
		}
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

func foldedSentences(text string, columns int) string {
	const indent = "  "
	lines := strings.Split(text, ". ")
	for i, line := range lines {
		if i < len(lines)-1 {
			line += "."
		}
		if utf8.RuneCountInString(line) > columns {
			line = strings.ReplaceAll(Wrap(line, columns-len(indent)), "\n", "\n"+indent)
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}
