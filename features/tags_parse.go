package features

import "strings"

// holder tells whether an expression, or a part of one, holds for what has some tags.
type holder = func(has func(tag string) bool) bool

// tagParser reads the tokens of an expression by recursive descent; "not" binds most tightly, "or" least.
type tagParser struct {
	tokens []tagToken
	at     int
	tags   []string
}

func (p *tagParser) next() tagToken { return p.tokens[p.at] }

func (p *tagParser) expected(what string) error {
	t := p.next()
	return &tagError{t.column, what, t.String()}
}

// takes goes on to the next token where this one is an operator or a parenthesis.
func (p *tagParser) takes(operator string) bool {
	if t := p.next(); t.tag || t.text != operator {
		return false
	}
	p.at++
	return true
}

func (p *tagParser) or() (holder, error) {
	return p.chain("or", p.and, func(a, b holder) holder {
		return func(has func(string) bool) bool { return a(has) || b(has) }
	})
}

func (p *tagParser) and() (holder, error) {
	return p.chain("and", p.not, func(a, b holder) holder {
		return func(has func(string) bool) bool { return a(has) && b(has) }
	})
}

// chain reads operands that one operator joins.
func (p *tagParser) chain(operator string, operand func() (holder, error), join func(a, b holder) holder) (holder, error) {
	all, err := operand()
	for err == nil && p.takes(operator) {
		var one holder
		one, err = operand()
		all = join(all, one)
	}
	return all, err
}

func (p *tagParser) not() (holder, error) {
	if p.takes("not") {
		one, err := p.not()
		return func(has func(string) bool) bool { return !one(has) }, err
	}
	if p.takes("(") {
		one, err := p.or()
		if err == nil && !p.takes(")") {
			err = p.expected(`"and", "or" or ")"`)
		}
		return one, err
	}
	return p.tag()
}

func (p *tagParser) tag() (holder, error) {
	t := p.next()
	if !t.tag || strings.LastIndexByte(t.text, '@') > 0 || t.text == "@" {
		return nil, p.expected(`a tag such as @slow, "not" or "("`)
	}
	p.at++
	p.tags = append(p.tags, t.text)
	return func(has func(string) bool) bool { return has(t.text) }, nil
}
