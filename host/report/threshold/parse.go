package threshold

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// mostText bounds a condition, in bytes.
const mostText = 4096

// Parse reads a condition: FIGURE, an operator, and a limit.
func Parse(text string) (*Condition, error) {
	p := &parser{text: text}
	if len(text) > mostText {
		return nil, &Error{Text: text[:40] + "…", At: 1, Expected: "at most " + strconv.Itoa(mostText) + " bytes", Found: strconv.Itoa(len(text))}
	}
	if !utf8.ValidString(text) {
		return nil, p.wrong("UTF-8", "something else")
	}
	c := &Condition{text: strings.TrimSpace(text)}
	p.spaces()
	err := errors.Join(p.scope(c)) // nil or one error
	for _, step := range []func(*Condition) error{p.figure, p.operator, p.limit} {
		if err == nil {
			err = step(c)
		}
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// parser reads a text from left to right.
type parser struct {
	text string
	at   int // byte
}

func (p *parser) wrong(expected, found string) error {
	return &Error{Text: p.text, At: utf8.RuneCountInString(p.text[:p.at]) + 1, Expected: expected, Found: found}
}

// next is what stands here, for an error.
func (p *parser) next() string {
	rest := strings.TrimSpace(p.text[p.at:])
	if rest == "" {
		return "the end"
	}
	if word, _, cut := strings.Cut(rest, " "); cut {
		rest = word
	}
	return strconv.Quote(rest)
}

func (p *parser) spaces() {
	p.at = len(p.text) - len(strings.TrimLeft(p.text[p.at:], " \t"))
}

// word reads the letters, digits, points, dashes and underscores that stand here.
func (p *parser) word() string {
	rest := p.text[p.at:]
	end := strings.IndexFunc(rest, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '.' && r != '_' && r != '-'
	})
	if end < 0 {
		end = len(rest)
	}
	p.at += end
	return rest[:end]
}

// brackets reads a name in brackets, which may have brackets itself, as in queue[[gpu]root.a].
func (p *parser) brackets(of string) (string, error) {
	depth := 0
	for i := p.at; i < len(p.text); i++ {
		switch p.text[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				name := p.text[p.at+1 : i]
				if name == "" {
					p.at = i
					return "", p.wrong(of, `"]"`)
				}
				p.at = i + 1
				return name, nil
			}
		}
	}
	return "", p.wrong(of+` and "]"`, p.next())
}

// scope reads queue[PATH]., priority[NUMBER]. or user[NAME]. if one of them stands here.
func (p *parser) scope(c *Condition) (err error) {
	for _, s := range []struct {
		word  string
		of    string
		scope scope
	}{{"queue", "the path of a queue, or *", ofQueue}, {"priority", "a priority, or *", ofPriority}, {"user", "the name of a user, or *", ofUser}} {
		if !strings.HasPrefix(p.text[p.at:], s.word+"[") {
			continue
		}
		p.at += len(s.word)
		start := p.at + 1
		if c.name, err = p.brackets(s.of); err != nil {
			return err
		}
		if _, bad := strconv.ParseInt(c.name, 10, 32); s.scope == ofPriority && c.name != every && bad != nil {
			p.at = start
			return p.wrong("a priority, or *", strconv.Quote(c.name))
		}
		c.scope = s.scope
		if !strings.HasPrefix(p.text[p.at:], ".") {
			return p.wrong(`"." and a figure`, p.next())
		}
		p.at++
	}
	return nil
}

// figure reads a name such as wait.p99 or used[vcore].mean.
func (p *parser) figure(c *Condition) error {
	start := p.at
	name, bracketed := p.word(), false
	if strings.HasPrefix(p.text[p.at:], "[") {
		var err error
		if c.typ, err = p.brackets("a resource type"); err != nil {
			return err
		}
		bracketed = true
		name += p.word()
	}
	i := slices.IndexFunc(figures, func(f figure) bool { return f.name == name && f.of(c.scope) })
	if i < 0 || figures[i].typed != bracketed {
		p.at = start
		return p.unknown(name, c.scope)
	}
	c.figure = &figures[i]
	return nil
}

// unknown says which figures there are.
func (p *parser) unknown(name string, of scope) error {
	run, queue, priority, user := Figures()
	names, whose := run, "a figure"
	switch of {
	case ofQueue:
		names, whose = queue, "a figure of queues"
	case ofPriority:
		names, whose = priority, "a figure of priorities"
	case ofUser:
		names, whose = user, "a figure of users"
	}
	found := strconv.Quote(name)
	if name == "" {
		found = p.next()
	}
	err := &Error{Text: p.text, At: utf8.RuneCountInString(p.text[:p.at]) + 1, Expected: whose, Found: found}
	if near := similar(name, names); near != "" {
		err.Hint = "did you mean " + near + "? The"
	} else {
		err.Hint = "the"
	}
	err.Hint += " figures are " + strings.Join(names, ", ")
	return err
}

var operators = []string{">=", "<=", "==", "!=", ">", "<"}

func (p *parser) operator(c *Condition) error {
	p.spaces()
	for _, op := range operators {
		if strings.HasPrefix(p.text[p.at:], op) {
			c.op = op
			p.at += len(op)
			return nil
		}
	}
	return p.wrong("one of >, >=, <, <=, == and !=", p.next())
}

func (p *parser) limit(c *Condition) error {
	p.spaces()
	text := strings.TrimSpace(p.text[p.at:])
	found := p.next()
	if text != "" {
		found = strconv.Quote(text)
	}
	var ok bool
	var expected string
	switch c.figure.kind {
	case aSpan:
		expected = "a duration such as 5m"
		c.limit, ok = span(text)
	case aShare:
		expected = "a percentage such as 80%"
		var percent int64
		text, ok = strings.CutSuffix(text, "%")
		if ok {
			percent, ok = decimal(strings.TrimSpace(text))
		}
		c.limit = percent * (resource.ShareUnit / 100_000)
		ok = ok && percent <= 100_000_000
	case aAmount:
		stored, err := resource.Parse(c.typ, text)
		var bad *resource.QuantityError
		if errors.As(err, &bad) {
			return p.wrong(bad.Expected, bad.Found)
		}
		c.limit, ok, expected = stored, err == nil, "an amount of "+c.typ
	default:
		expected = "a number such as 0 or 2.5"
		c.limit, ok = decimal(text)
	}
	if !ok {
		return p.wrong(expected, found)
	}
	return nil
}

// decimal reads a number with at most three decimals, as thousandths.
func decimal(text string) (int64, bool) {
	whole, rest, _ := strings.Cut(text, ".")
	if len(rest) > 3 || whole == "" || strings.HasSuffix(text, ".") || len(whole) > 15 {
		return 0, false
	}
	digits := whole + rest + strings.Repeat("0", 3-len(rest))
	if strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil
}

// span reads a duration, of which days may be the first part.
func span(text string) (int64, bool) {
	var days time.Duration
	if before, after, found := strings.Cut(text, "d"); found {
		n, err := strconv.ParseUint(before, 10, 16)
		if err != nil {
			return 0, false
		}
		days, text = time.Duration(n)*24*time.Hour, after
		if text == "" {
			return int64(days), true
		}
	}
	d, err := time.ParseDuration(text)
	return int64(instant.Add(days, d)), err == nil && d >= 0 && text[0] != '+' && text[0] != '-'
}
