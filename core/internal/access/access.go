// Package access parses access lists, such as those of submitacl and adminacl, and checks users against them.
//
// Parse makes a List, which is immutable. Package config parses the lists of queues with it, and uses its rules for names of users and
// groups. Names are case-sensitive.
package access

import (
	"slices"
	"strings"
)

// Wildcard stands for all users, or for all groups.
const Wildcard = "*"

// A List is an access list: `*`, or users, followed by a space and groups. A nil list is empty.
type List struct {
	Users  []string // sorted and distinct; a list of all users has only Wildcard, and no groups
	Groups []string // sorted and distinct; never Wildcard
}

// A SyntaxError is the reason why a text is not an access list.
type SyntaxError struct {
	Expected, Found string
}

func (e *SyntaxError) Error() string { return "expected " + e.Expected + ", found " + e.Found }

// Parse parses an access list. Its error is a *SyntaxError.
func Parse(text string) (*List, error) {
	users, groups, _ := strings.Cut(text, " ")
	if strings.Contains(groups, " ") {
		return nil, &SyntaxError{`"*", or users and groups with one space between`, text}
	}
	var l List
	var err error
	if l.Users, err = split(users, ValidUser, UserSyntax); err != nil {
		return nil, err
	}
	if l.Groups, err = split(groups, ValidGroup, GroupSyntax); err != nil {
		return nil, err
	}
	if isWildcard(l.Users) || isWildcard(l.Groups) {
		return &List{Users: []string{Wildcard}}, nil
	}
	return &l, nil
}

// split parses one part of a list: names separated by commas, or Wildcard.
func split(part string, valid func(string) bool, syntax string) ([]string, error) {
	if part == "" {
		return nil, nil
	}
	names := strings.Split(part, ",")
	for _, name := range names {
		switch {
		case name == Wildcard && len(names) > 1:
			return nil, &SyntaxError{`"*" alone in its part`, part}
		case name != Wildcard && !valid(name):
			return nil, &SyntaxError{syntax, name}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func isWildcard(names []string) bool { return len(names) == 1 && names[0] == Wildcard }

// Allows reports whether a user, or one of the user's groups, is on the list.
func (l *List) Allows(user string, groups []string) bool {
	_, _, ok := l.Entry(user, groups)
	return ok
}

// Entry returns the entry of the list that applies to a user: the wildcard, or else the user, or else the first of the groups that is
// listed.
func (l *List) Entry(user string, groups []string) (name string, isGroup, ok bool) {
	switch {
	case l == nil:
		return "", false, false
	case isWildcard(l.Users):
		return Wildcard, false, true
	case listed(l.Users, user):
		return user, false, true
	}
	i := slices.IndexFunc(groups, func(group string) bool { return listed(l.Groups, group) })
	if i < 0 {
		return "", false, false
	}
	return groups[i], true, true
}

func listed(sorted []string, name string) bool {
	_, ok := slices.BinarySearch(sorted, name)
	return ok
}

// String returns the normal form of the list. Parse makes an equal list from it.
func (l *List) String() string {
	text := strings.Join(l.Users, ",")
	if len(l.Groups) > 0 {
		text += " " + strings.Join(l.Groups, ",")
	}
	return text
}
