package doctest

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Sizes of a terminal, in the units of its picture. The width of a cell is that of the first font named in its style.
const (
	cellWidth, lineHeight = 8.43, 20
	inset, firstLine      = 22, 60
)

const terminalStyle = `<style>text{font:14px ui-monospace,"SF Mono","DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#e9e7e1;white-space:pre}` +
	`.dim{fill:#8d9aa3}.bar{fill:#5fc4c9}.cmd{fill:#eebc45}</style>`

var clockFigures = regexp.MustCompile(`replayed in \S+, [\d,]+ allocations/s`)

// WithoutClock puts dots in the place of what depends on the machine and the day in a summary.
func WithoutClock(printed string) string {
	return clockFigures.ReplaceAllString(printed, "replayed in …, … allocations/s")
}

// Terminal draws a command and what it printed as a terminal shows it. Headings of tables and single sentences are dim;
// █ and ░ are drawn as bars.
func Terminal(label, command, printed string) string {
	lines := strings.Split(strings.TrimRight(printed, "\n"), "\n")
	columns := utf8.RuneCountInString(command) + 2
	for _, line := range lines {
		columns = max(columns, utf8.RuneCountInString(line))
	}
	width, height := int(2*inset+float64(columns)*cellWidth+1), firstLine+lineHeight*(len(lines)+2)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" aria-label="%s">`+"\n%s\n",
		width, height, html.EscapeString(label), terminalStyle)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="12" fill="#12171a"/>`+"\n", width, height)
	for i, colour := range []string{"#c8501d", "#b98300", "#00845f"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="22" r="6" fill="%s"/>`, 24+20*i, colour)
	}
	b.WriteByte('\n')
	drawRun(&b, 0, firstLine, "$ "+command, "cmd")
	for i, line := range lines {
		heads := i == 0 || lines[i-1] == ""
		drawLine(&b, firstLine+lineHeight*(i+2), line, heads)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// runs are the texts of a line that two blanks or more keep apart.
var runs = regexp.MustCompile(`\S+(?: \S+)*`)

func drawLine(b *strings.Builder, y int, line string, heads bool) {
	found := runs.FindAllStringIndex(line, -1)
	class := ""
	if heads || len(found) == 1 {
		class = "dim"
	}
	for _, at := range found {
		text := line[at[0]:at[1]]
		column := utf8.RuneCountInString(line[:at[0]])
		if strings.Trim(text, "█░") == "" {
			drawBar(b, column, y, strings.Count(text, "█"), utf8.RuneCountInString(text))
			continue
		}
		drawRun(b, column, y, text, class)
	}
}

// drawRun writes a text with its length, so that columns meet whatever the font.
func drawRun(b *strings.Builder, column, y int, text, class string) {
	if class != "" {
		class = ` class="` + class + `"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
		inset+cellWidth*float64(column), y, cellWidth*float64(utf8.RuneCountInString(text)), class, html.EscapeString(text))
}

func drawBar(b *strings.Builder, column, y, full, all int) {
	x := inset + cellWidth*float64(column)
	fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="12" rx="2" fill="#273036"/>`, x, y-11, cellWidth*float64(all))
	fmt.Fprintf(b, `<rect class="bar" x="%.1f" y="%d" width="%.1f" height="12" rx="2"/>`+"\n", x, y-11, cellWidth*float64(full))
}
