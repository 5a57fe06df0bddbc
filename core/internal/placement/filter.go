package placement

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
)

// A Filter says which users a rule is for.
type Filter struct {
	Deny          bool // the rule is for those that are not in Users or Groups
	Users, Groups Names
}

// Passes reports whether a rule with the filter is for a user. A filter without names passes all users or, with Deny,
// none.
func (f *Filter) Passes(user string, groups []string) bool {
	switch {
	case f == nil:
		return true
	case f.Users.Empty() && f.Groups.Empty():
		return !f.Deny
	}
	hit := f.Users.Match(user) || slices.ContainsFunc(groups, f.Groups.Match)
	return hit != f.Deny
}

// Names are the users or groups of a filter: listed, or those that an expression matches.
type Names struct {
	listed     []string       // sorted, each once
	expression *regexp.Regexp // not nil: nothing is listed
}

// Bounds on an expression. The second bounds the steps that matching takes for each byte of a name: repetitions such as
// {500} make long programs of short expressions.
const (
	MostExpression = 256   // bytes
	mostSteps      = 1_000 // instructions of the compiled expression
)

// IsExpression reports whether a single entry of a filter is an expression: no name holds one of these characters, apart
// from the $ at the end of a user, which is an expression in a single entry.
func IsExpression(entry string) bool { return strings.ContainsAny(entry, "^$*+?()[{}|") }

// List makes the names of a list of entries that are no expressions.
func List(entries []string) Names {
	listed := slices.Clone(entries)
	slices.Sort(listed)
	return Names{listed: slices.Compact(listed)}
}

// An ExpressionError says why an expression cannot be used.
type ExpressionError struct {
	Expected, Found string
}

func (e *ExpressionError) Error() string { return "expected " + e.Expected + ", found " + e.Found }

// Expression makes the names that an expression matches anywhere (RE2 syntax). An error is an *ExpressionError.
func Expression(text string) (Names, error) {
	if len(text) > MostExpression {
		return Names{}, &ExpressionError{"an expression of at most " + strconv.Itoa(MostExpression) + " bytes", strconv.Itoa(len(text))}
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return Names{}, invalid(text, err)
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return Names{}, invalid(text, err)
	}
	if steps := len(program.Inst); steps > mostSteps {
		return Names{}, &ExpressionError{"an expression of at most " + strconv.Itoa(mostSteps) + " steps, repetitions counted", strconv.Itoa(steps)}
	}
	compiled, err := regexp.Compile(text)
	if err != nil {
		return Names{}, invalid(text, err)
	}
	return Names{expression: compiled}, nil
}

func invalid(text string, err error) error {
	found := strconv.Quote(text)
	if bad, ok := err.(*syntax.Error); ok {
		found += ", " + string(bad.Code)
	}
	return &ExpressionError{"an expression that compiles", found}
}

// Empty reports whether there is no name and no expression.
func (n Names) Empty() bool { return n.expression == nil && len(n.listed) == 0 }

// Match reports whether a name is listed, or matched by the expression.
func (n Names) Match(name string) bool {
	if n.expression != nil {
		return n.expression.MatchString(name)
	}
	_, ok := slices.BinarySearch(n.listed, name)
	return ok
}

// IsExpression reports whether there is an expression in place of names.
func (n Names) IsExpression() bool { return n.expression != nil }

// Entries are the names, or the expression, as a configuration has them.
func (n Names) Entries() []string {
	if n.expression != nil {
		return []string{n.expression.String()}
	}
	return n.listed
}
