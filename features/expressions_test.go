package features_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/features"
)

// matching is the regular expression of a Cucumber expression.
func matching(t *testing.T, expression string, types map[string]string) *regexp.Regexp {
	t.Helper()
	if strings.ContainsAny(expression, `\[]|"'`) {
		t.Errorf("%s: expected no character that JavaScript or Cucumber reads otherwise", expression)
	}
	var words []string
	for _, word := range strings.Split(expression, " ") {
		word = regexp.MustCompile(`\((\w+)\)`).ReplaceAllString(word, "(?:$1)?")
		if strings.Contains(word, "/") {
			word = "(?:" + strings.ReplaceAll(word, "/", "|") + ")"
		}
		words = append(words, word)
	}
	text := regexp.MustCompile(`\{(\w+)\}`).ReplaceAllStringFunc(strings.Join(words, " "), func(p string) string {
		expr, ok := types[strings.Trim(p, "{}")]
		if !ok {
			t.Errorf("%s: there is no parameter type %s", expression, p)
		}
		return expr
	})
	expr, err := regexp.Compile("^" + text + "$")
	if err != nil {
		t.Fatal(err)
	}
	return expr
}

// Editors know a step by the expressions. Each step of the scenarios that ship has to match one, and that of no other sentence.
func TestTheExpressionsForEditorsAreTheSentences(t *testing.T) {
	var out bytes.Buffer
	if err := features.PrintStepsJSON(&out); err != nil {
		t.Fatal(err)
	}
	var list struct {
		ParameterTypes []features.ParameterType
		Steps          []struct {
			Topic, Pattern, Form, Doc, Takes string
			Keywords, Expressions            []string
		}
	}
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	types := map[string]string{"word": `[^\s]+`} // as Cucumber has it
	for _, p := range list.ParameterTypes {
		types[p.Name] = p.Regexp
	}
	if len(list.Steps) != len(features.Vocabulary()) {
		t.Errorf("expected %d steps, found %d", len(features.Vocabulary()), len(list.Steps))
	}
	expressions, patterns := make([][]*regexp.Regexp, len(list.Steps)), make([]*regexp.Regexp, len(list.Steps))
	for i, s := range list.Steps {
		if len(s.Keywords) == 0 || s.Doc == "" || s.Topic == "" {
			t.Errorf("found %+v", s)
		}
		patterns[i] = regexp.MustCompile(s.Pattern)
		for _, e := range s.Expressions {
			expressions[i] = append(expressions[i], matching(t, e, types))
		}
	}
	for text := range shapes(t) {
		for i, s := range list.Steps {
			found := slices.ContainsFunc(expressions[i], func(e *regexp.Regexp) bool { return e.MatchString(text) })
			if wanted := patterns[i].MatchString(text); wanted != found {
				t.Fatalf("%s matches the sentence %s: %v, its expressions: %v", text, s.Form, wanted, found)
			}
		}
	}
}

// shapes are the steps of the scenarios that ship, with one name and one number for all.
func shapes(t *testing.T) map[string]bool {
	t.Helper()
	name, number := regexp.MustCompile(`"[^"]+"`), regexp.MustCompile(`\d+`)
	list := map[string]bool{}
	for _, file := range featureFiles(t) {
		scenarios, err := features.Parse(file.text)
		if err != nil {
			t.Fatal(err)
		}
		for _, scenario := range scenarios {
			for _, step := range scenario.Steps {
				list[number.ReplaceAllString(name.ReplaceAllString(step.Text, `"x"`), "1")] = true
			}
		}
	}
	if len(list) < len(features.Vocabulary()) {
		t.Errorf("found %d shapes of steps", len(list))
	}
	return list
}

func TestTheStepsForEditorsAreJavaScript(t *testing.T) {
	var out bytes.Buffer
	if err := features.PrintStepsJavaScript(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"defineParameterType({ name: 'name', regexp: /\"(?:[^\"]*)\"/ })\n",
		"Given(\"a node {name} with {resources}\", () => {})\n",
		"Given(\"{names} ask(s) in {queue} for {resources} with priority {number}\", () => {})\n",
		"Given(\"the cycle runs\", () => {})\nGiven(\"the cycle runs for at most {number} allocation(s)\", () => {})\n",
		"Then(\"{names} is/are allocated on {name}\", () => {})\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("expected %q in\n%s", want, out.String())
		}
	}
}
