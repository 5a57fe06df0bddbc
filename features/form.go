package features

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/cucumber/godog"
)

// placeholders are the words in braces of a step's form, and what each matches.
var placeholders = map[string]string{
	"name":      `"([^"]*)"`,
	"names":     `("[^"]*"(?:, "[^"]*")*(?: and "[^"]*")?)`,
	"queue":     `([^\s",]+)`,
	"resources": `(.+?)`,
	"text":      `(.+)`,
	"word":      `([a-zA-Z][a-zA-Z0-9_.-]*)`,
	"duration":  `(\d[\dhmsuµn.]*)`,
	"number":    `(-?\d+)`,
}

var token = regexp.MustCompile(`\{[^}]*\}|\[|\]|[^{}\[\]]+`)

// sentence is a step ready to be matched: expressions are compiled once, worlds come and go.
type sentence struct {
	expr *regexp.Regexp
	bind func(*world) any
}

func sentences() []sentence {
	var list []sentence
	for _, step := range Vocabulary() {
		list = append(list, sentence{regexp.MustCompile(pattern(step.Form)), step.bind})
	}
	return list
}

// pattern turns the form of a step, as people read it, into the expression that matches it. Brackets make a part
// optional; braces hold the name of a placeholder, or the words to choose from.
func pattern(form string) string {
	var b strings.Builder
	b.WriteByte('^')
	for _, t := range token.FindAllString(form, -1) {
		switch {
		case t == "[":
			b.WriteString("(?:")
		case t == "]":
			b.WriteString(")?")
		case t[0] == '{':
			b.WriteString(placeholder(strings.Trim(t, "{}")))
		default:
			b.WriteString(regexp.QuoteMeta(t))
		}
	}
	b.WriteByte('$')
	return b.String()
}

func placeholder(name string) string {
	if strings.Contains(name, "|") {
		return "(" + name + ")"
	}
	expr, ok := placeholders[name]
	if !ok {
		panic(fmt.Sprintf("features: no placeholder {%s}", name))
	}
	return expr
}

var quoted = regexp.MustCompile(`"([^"]*)"`)

// namesOf splits `"a", "b" and "c"`.
func namesOf(text string) []string {
	var names []string
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// Pattern is the regular expression that a step has to match.
func (s Step) Pattern() string { return pattern(s.Form) }

// Takes says what follows the line of a step: "table", "text", or nothing.
func (s Step) Takes() string {
	handler := reflect.TypeOf(s.bind(&world{}))
	if handler.NumIn() == 0 {
		return ""
	}
	switch handler.In(handler.NumIn() - 1) {
	case reflect.TypeFor[*godog.Table]():
		return "table"
	case reflect.TypeFor[*godog.DocString]():
		return "text"
	}
	return ""
}
