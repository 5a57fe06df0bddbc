package config

import (
	"cmp"
	"strconv"
	"strings"
)

// mostOfKind is the number of texts of a kind that are shown.
const mostOfKind = 3

// Grouping collects warnings and similar texts for people: of each kind, it keeps the first three and counts the others. Texts of one kind
// differ only in their place, in quoted names and in numbers. The zero value is ready to use. Memory depends only on the number of
// kinds.
type Grouping struct {
	kinds map[string]*textKind
	order []*textKind // in the order of their first texts
}

type textKind struct {
	text   string   // the common text, without place; gap in place of each name and number
	values []string // by gap: the value, or "" if the texts differ there
	first  []string
	more   int
}

// Grouped returns the lines for a list of texts.
func Grouped(texts []string) []string {
	var g Grouping
	for _, text := range texts {
		g.Add(text)
	}
	return g.Lines()
}

// Add adds a message in the form `file:line:column: queue: key: problem`. Messages with the same problem are of one kind.
func (g *Grouping) Add(text string) {
	name, values := textKindOf(text)
	k := g.kinds[name]
	if k == nil {
		if g.kinds == nil {
			g.kinds = map[string]*textKind{}
		}
		k = &textKind{text: name, values: values}
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

// Lines returns the texts by kind, in the order of their first texts, with a line for the number of further ones.
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

// common returns the common text, with an ellipsis where the texts differ.
func (k *textKind) common() string {
	parts := strings.Split(k.text, gap)
	text := parts[0]
	for i, part := range parts[1:] {
		text += cmp.Or(k.values[i], "…") + part
	}
	return text
}

// gap replaces names and numbers in the text of a kind.
const gap = "\x00"

// textKindOf returns the part of a text after the last colon, with a gap in place of each number and each quoted name, and their values.
func textKindOf(text string) (name string, values []string) {
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
				b.Reset() // the message may follow
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

// endOfQuotes returns the index after a quoted name in the form of strconv.Quote.
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
