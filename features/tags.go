package features

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tagExpression is a tag expression as Cucumber defines it: tags, not, and, or, parentheses. A backslash before a
// parenthesis, a space or a backslash makes it part of a tag.
type tagExpression struct {
	tags  []string // that it names, sorted, each once
	holds func(has func(tag string) bool) bool
}

// tagError says where an expression cannot be read.
type tagError struct {
	column          int // in characters, from 1
	expected, found string
}

func (e *tagError) Error() string {
	return fmt.Sprintf("tags: column %d: expected %s, found %s", e.column, e.expected, e.found)
}

// tagToken is a tag, an operator or a parenthesis. The last token of an expression has no text.
type tagToken struct {
	text   string // without backslashes
	column int
	tag    bool
}

func (t tagToken) String() string {
	if t.text == "" {
		return "the end"
	}
	return fmt.Sprintf("%q", t.text)
}

// parseTags reads an expression that is not empty.
func parseTags(text string) (tagExpression, error) {
	tokens, err := tagTokens(text)
	if err != nil {
		return tagExpression{}, err
	}
	p := tagParser{tokens: tokens}
	holds, err := p.or()
	if err == nil && p.next().text != "" {
		err = p.expected(`"and", "or" or the end`)
	}
	if err != nil {
		return tagExpression{}, err
	}
	slices.Sort(p.tags)
	return tagExpression{slices.Compact(p.tags), holds}, nil
}

func tagTokens(text string) ([]tagToken, error) {
	var list []tagToken
	runes := []rune(text)
	for i := 0; i < len(runes); {
		switch c := runes[i]; {
		case unicode.IsSpace(c):
			i++
		case c == '(' || c == ')':
			list = append(list, tagToken{string(c), i + 1, false})
			i++
		default:
			token, end, err := tagWord(runes, i)
			if err != nil {
				return nil, err
			}
			list, i = append(list, token), end
		}
	}
	return append(list, tagToken{column: utf8.RuneCountInString(text) + 1}), nil
}

// tagWord reads a tag or an operator that begins at an index, and returns the index behind it.
func tagWord(runes []rune, begin int) (token tagToken, end int, err error) {
	var b strings.Builder
	i := begin
	for ; i < len(runes) && !unicode.IsSpace(runes[i]) && runes[i] != '(' && runes[i] != ')'; i++ {
		if runes[i] == '\\' {
			i++
			if i == len(runes) || !strings.ContainsRune(`\() `, runes[i]) {
				return token, i, &tagError{i, `a backslash only before "(", ")", a space or another backslash`, `"\"`}
			}
		}
		b.WriteRune(runes[i])
	}
	word := b.String()
	token = tagToken{word, begin + 1, strings.HasPrefix(word, "@")}
	if slices.ContainsFunc(foreignOperators, func(op string) bool { return strings.Contains(word, op) }) {
		return token, i, &tagError{begin + 1, `tags joined by "and", "or" and "not"`, fmt.Sprintf("%q%s", word, advice(string(runes)))}
	}
	return token, i, nil
}

// foreignOperators are those of other notations. A tag that contains one cannot be selected, since godog, which makes
// the selection in the end, takes it for an operator.
var foreignOperators = []string{"&", "|", ",", "~", "!"}

// advice is the expression in the notation that is expected, where that can be told. A comma binds more tightly than
// "&&", as it does for godog.
func advice(text string) string {
	var all []string
	clauses := strings.Split(text, "&&")
	for _, clause := range clauses {
		choices := strings.NewReplacer("||", " or ", ",", " or ", "~", " not ", "!", " not ").Replace(clause)
		choices = strings.Join(strings.Fields(choices), " ")
		if len(clauses) > 1 && strings.Contains(choices, " or ") {
			choices = "(" + choices + ")"
		}
		all = append(all, choices)
	}
	form := strings.Join(all, " and ")
	if strings.ContainsAny(form, "&|") {
		return ""
	}
	if _, err := parseTags(form); err != nil {
		return ""
	}
	return fmt.Sprintf("; write '%s'", form)
}
