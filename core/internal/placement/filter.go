package placement

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
)

// A Filter selects the users that a rule applies to.
type Filter struct {
	Deny          bool // the rule applies to users that are not in Users or Groups
	Users, Groups Names
}

// Passes reports whether a rule with the filter applies to a user. A nil filter passes all users. A filter without names passes all
// users or, with Deny, none.
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

// Names are the users or groups of a filter: a list, or a regular expression.
type Names struct {
	listed     []string       // sorted and distinct; empty if there is an expression
	expression *regexp.Regexp // nil for a list
}

// Bounds of an expression. mostSteps bounds the work for each byte of a name: repetitions such as {500} compile short expressions to
// long programs.
const (
	MostExpression = 256   // bytes
	mostSteps      = 1_000 // instructions of the compiled expression
)

// IsExpression reports whether the only entry of a filter is an expression, since it contains a special character. A user with a $ at
// the end counts as an expression, too, if it is the only entry.
func IsExpression(entry string) bool { return strings.ContainsAny(entry, "^$*+?()[{}|") }

// List makes Names of a list of names.
func List(entries []string) Names {
	listed := slices.Clone(entries)
	slices.Sort(listed)
	return Names{listed: slices.Compact(listed)}
}

// An ExpressionError is the reason why an expression is refused.
type ExpressionError struct {
	Expected, Found string
}

func (e *ExpressionError) Error() string { return "expected " + e.Expected + ", found " + e.Found }

// Expression makes Names of a regular expression in RE2 syntax, which may match any part of a name. Its error is an *ExpressionError.
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

// Empty reports whether there are neither names nor an expression.
func (n Names) Empty() bool { return n.expression == nil && len(n.listed) == 0 }

// Match reports whether a name is listed, or the expression matches it.
func (n Names) Match(name string) bool {
	if n.expression != nil {
		return n.expression.MatchString(name)
	}
	_, ok := slices.BinarySearch(n.listed, name)
	return ok
}

// IsExpression reports whether the names are given by an expression.
func (n Names) IsExpression() bool { return n.expression != nil }

// Entries returns the names, or the expression, in the form of a configuration.
func (n Names) Entries() []string {
	if n.expression != nil {
		return []string{n.expression.String()}
	}
	return n.listed
}
