package config

import (
	"cmp"
	"strconv"
	"strings"
)

// mostOfKind is how many texts of a kind are shown.
const mostOfKind = 3

// Grouping collects warnings and the like for people: of each kind the first three, and a count of the others. Texts of one kind differ
// in their place, in quoted names and in numbers. The zero value is ready to use. Its size depends on the number of kinds alone.
type Grouping struct {
	kinds map[string]*alike
	order []*alike // by their first texts
}

type alike struct {
	text   string   // of all, without their places; a NUL in the place of each name and number
	values []string // of these; empty: they differ
	first  []string
	more   int
}

// Grouped are the lines for these texts.
func Grouped(texts []string) []string {
	var g Grouping
	for _, text := range texts {
		g.Add(text)
	}
	return g.Lines()
}

// Add adds a text such as `file:line:column: queue: key: what is wrong`. What follows the last colon tells its kind.
func (g *Grouping) Add(text string) {
	name, values := likeness(text)
	k := g.kinds[name]
	if k == nil {
		if g.kinds == nil {
			g.kinds = map[string]*alike{}
		}
		k = &alike{text: name, values: values}
		g.kinds[name], g.order = k, append(g.order, k)
	}
	for i := range k.values {
		if k.values[i] != values[i] {
			k.values[i] = ""
		}
	}
	if len(k.first) == mostOfKind {
		k.more++
		return
	}
	k.first = append(k.first, text)
}

// Lines are the texts by kind, each kind behind its first, and how many more there are of it.
func (g *Grouping) Lines() []string {
	var all []string
	for _, k := range g.order {
		all = append(all, k.first...)
		if k.more > 0 {
			all = append(all, strconv.Itoa(k.more)+" more of this kind: "+k.common())
		}
	}
	return all
}

// common is what all texts say, with an ellipsis in the place of what differs.
func (k *alike) common() string {
	parts := strings.Split(k.text, gap)
	text := parts[0]
	for i, part := range parts[1:] {
		text += cmp.Or(k.values[i], "…") + part
	}
	return text
}

// gap stands for a name or a number in the name of a kind.
const gap = "\x00"

// likeness is what follows the last colon of a text, with a gap in the place of each number and each name in quotes, and these.
func likeness(text string) (name string, values []string) {
	var b strings.Builder
	text = strings.ReplaceAll(text, gap, "")
	for i := 0; i < len(text); {
		start := i
		switch c := text[i]; {
		case c == '"':
			i = endOfQuotes(text, i)
		case isDigit(c):
			i = endOfNumber(text, i)
		default:
			b.WriteByte(c)
			if i++; c == ':' && i < len(text) && text[i] == ' ' {
				b.Reset() // what follows may be the message
				values = nil
				i++
			}
			continue
		}
		b.WriteString(gap)
		values = append(values, text[start:i])
	}
	return b.String(), values
}

func endOfNumber(text string, i int) int {
	for i < len(text) && (isDigit(text[i]) || text[i] == '.' && i+1 < len(text) && isDigit(text[i+1])) {
		i++
	}
	return i
}

// endOfQuotes is behind the quotes that begin at a place, as strconv.Quote writes them.
func endOfQuotes(text string, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
