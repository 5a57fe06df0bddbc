package features

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// builtinParameters are the parameter types that Cucumber itself knows; ours of that name matches no more than its own.
var builtinParameters = []string{"word"}

// ParameterType is what may stand for a placeholder, as Cucumber expressions define it.
type ParameterType struct {
	Name   string `json:"name"`
	Regexp string `json:"regexp"`
}

// ParameterTypes lists the placeholders that Cucumber has to be told of, by name.
func ParameterTypes() []ParameterType {
	var list []ParameterType
	for _, name := range slices.Sorted(maps.Keys(placeholders)) {
		if slices.Contains(builtinParameters, name) {
			continue
		}
		// Cucumber passes on what groups match; one without groups is passed on whole.
		expr := strings.NewReplacer("(?:", "(?:", "(", "(?:").Replace(placeholders[name])
		list = append(list, ParameterType{name, expr})
	}
	return list
}

// Keywords are those that a step begins with: Given and When, or Then.
func (s Step) Keywords() []string {
	expects := strings.HasPrefix(s.Topic, "Then") || strings.HasPrefix(s.Form, "shadow") ||
		strings.HasPrefix(s.Form, "module") && strings.Contains(s.Form, "refused")
	if expects {
		return []string{"Then"}
	}
	return []string{"Given", "When"}
}

// Expressions are the Cucumber expressions that stand for a step together: one for each choice of what may be left out,
// since an optional text of Cucumber has neither parameters nor spaces.
func (s Step) Expressions() []string { return expressions(s.Form) }

func expressions(form string) []string {
	list := []string{""}
	for form != "" {
		switch end := strings.IndexAny(form, "[{"); {
		case end < 0:
			return appended(list, form)
		case end > 0:
			list, form = appended(list, form[:end]), form[end:]
		case form[0] == '{':
			name, after, _ := strings.Cut(form[1:], "}")
			if strings.Contains(name, "|") {
				name = strings.ReplaceAll(name, "|", "/")
			} else {
				name = "{" + name + "}"
			}
			list, form = appended(list, name), after
		default:
			end := closing(form)
			optional, after := form[1:end], form[end+1:]
			if strings.ContainsAny(optional, " {") {
				without := list
				for _, e := range expressions(optional) {
					list = append(list, appended(without, e)...)
				}
			} else {
				list = appended(list, "("+optional+")")
			}
			form = after
		}
	}
	return list
}

// closing is where the bracket that a form begins with ends.
func closing(form string) int {
	depth := 0
	for i, c := range form {
		switch c {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	panic("features: a bracket is not closed in " + form)
}

func appended(list []string, text string) []string {
	longer := make([]string, len(list))
	for i, e := range list {
		longer[i] = e + text
	}
	return longer
}

// listedStep is a step in the list for editors.
type listedStep struct {
	Topic       string   `json:"topic"`
	Keywords    []string `json:"keywords"`
	Expressions []string `json:"expressions"`
	Pattern     string   `json:"pattern"` // the regular expression of all of them
	Takes       string   `json:"takes"`   // what follows the line: table, text, or nothing
	Form        string   `json:"form"`
	Doc         string   `json:"doc"`
}

// PrintStepsJSON lists the vocabulary for programs: parameter types and steps.
func PrintStepsJSON(out io.Writer) error {
	list := struct {
		ParameterTypes []ParameterType `json:"parameterTypes"`
		Steps          []listedStep    `json:"steps"`
	}{ParameterTypes: ParameterTypes()}
	for _, s := range Vocabulary() {
		list.Steps = append(list.Steps, listedStep{s.Topic, s.Keywords(), s.Expressions(), s.Pattern(), s.Takes(), s.Form, s.Doc})
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(list)
}

// PrintStepsJavaScript writes the vocabulary as step definitions in JavaScript that do nothing: language servers for
// Cucumber read them, and complete steps.
func PrintStepsJavaScript(out io.Writer) error {
	var b strings.Builder
	b.WriteString("// The steps of quern's scenarios, for editors; `quern test` plays them. Written by: quern test --steps=javascript\n")
	b.WriteString("import { Given, Then, defineParameterType } from '@cucumber/cucumber'\n\n")
	for _, p := range ParameterTypes() {
		fmt.Fprintf(&b, "defineParameterType({ name: '%s', regexp: /%s/ })\n", p.Name, p.Regexp)
	}
	topic := ""
	for _, s := range Vocabulary() {
		if s.Topic != topic {
			topic = s.Topic
			fmt.Fprintf(&b, "\n// %s\n", topic)
		}
		fmt.Fprintf(&b, "// %s\n", s.Doc)
		for _, e := range s.Expressions() {
			fmt.Fprintf(&b, "%s(%s, () => {})\n", s.Keywords()[0], strconv.Quote(e))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
