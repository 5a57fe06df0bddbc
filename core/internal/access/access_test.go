package access

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestListsAndTheirNormalForms(t *testing.T) {
	for text, want := range map[string]string{
		"*":                "*",
		"":                 "",
		" ":                "",
		"ann":              "ann",
		"ann ":             "ann",
		" ops":             " ops",
		"bob,ann":          "ann,bob",
		"bob,ann,bob ops":  "ann,bob ops",
		"ann ops,dev":      "ann dev,ops",
		"ann *":            "*",
		"* ops":            "*",
		" *":               "*",
		"a$":               "a$",
		"_a:#/_.@-9,B c:_": "B,_a:#/_.@-9 c:_",
	} {
		l, err := Parse(text)
		if err != nil || l.String() != want {
			t.Errorf("%q: expected %q, found %v, %v", text, want, l, err)
			continue
		}
		if again, err := Parse(l.String()); err != nil || !reflect.DeepEqual(l, again) {
			t.Errorf("%q: %q is read as %v, %v", text, l, again, err)
		}
	}
}

func TestListsThatAreRefused(t *testing.T) {
	shape := `"*", or users and groups with one space between`
	for text, want := range map[string]SyntaxError{
		"ann  ops":    {shape, "ann  ops"},
		"ann ops dev": {shape, "ann ops dev"},
		"  ":          {shape, "  "},
		"*,ann":       {`"*" alone in its part`, "*,ann"},
		"ann ops,*":   {`"*" alone in its part`, "ops,*"},
		"ann,,bob":    {UserSyntax, ""},
		",":           {UserSyntax, ""},
		"ann, ":       {UserSyntax, ""},
		"1ann":        {UserSyntax, "1ann"},
		"$":           {UserSyntax, "$"},
		"a$b":         {UserSyntax, "a$b"},
		"a$$":         {UserSyntax, "a$$"},
		"ann\tops":    {UserSyntax, "ann\tops"},
		"änn":         {UserSyntax, "änn"},
		"ann o$":      {GroupSyntax, "o$"},
		"ann o*s":     {GroupSyntax, "o*s"},
		"ann -ops":    {GroupSyntax, "-ops"},
		"**":          {UserSyntax, "**"},
	} {
		_, err := Parse(text)
		if bad, ok := err.(*SyntaxError); !ok || *bad != want {
			t.Errorf("%q: expected %q, found %v", text, want, err)
		}
	}
}

func TestUsersAndGroupsOnAList(t *testing.T) {
	for _, c := range []struct {
		list, user string
		groups     []string
		want       bool
	}{
		{"*", "ann", nil, true},
		{"*", "", nil, true},
		{" *", "", nil, true},
		{"", "ann", []string{"ops"}, false},
		{"", "", []string{""}, false},
		{"ann", "ann", nil, true},
		{"ann", "Ann", nil, false},
		{"ann", "an", []string{"ann"}, false},
		{" ops", "ops", nil, false},
		{" ops", "ann", []string{"dev", "ops"}, true},
		{" ops", "ann", []string{"dev", "Ops"}, false},
		{"bob ops", "", []string{"", "ops"}, true},
		{"bob ops", "*", []string{"*"}, false},
	} {
		l, err := Parse(c.list)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Allows(c.user, c.groups); got != c.want {
			t.Errorf("%q, user %q of %q: %v", c.list, c.user, c.groups, got)
		}
	}
	var none *List
	if none.Allows("ann", []string{"ops"}) {
		t.Error("a list that is not there allows ann")
	}
}

func TestALongListIsReadAndSearched(t *testing.T) {
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, "u%d,", i)
	}
	l, err := Parse(b.String() + "last g")
	if err != nil || len(l.Users) != 100_001 {
		t.Fatal(err)
	}
	for i := range 100_000 {
		if !l.Allows(fmt.Sprintf("u%d", i), nil) || l.Allows(fmt.Sprintf("v%d", i), nil) {
			t.Fatal(i)
		}
	}
}

// FuzzParse compares a list with its normal form, and with an obvious parser.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"*", "", " ", "ann,bob ops", "* ops", "ann  ops", "*,ann", "a$ b"} {
		f.Add(text, "ann", "ops")
	}
	f.Fuzz(func(t *testing.T, text, user, group string) {
		l, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(l.String())
		if err != nil || !reflect.DeepEqual(l, again) {
			t.Fatalf("%q: %q is read as %v, %v", text, l, again, err)
		}
		users, groups, _ := strings.Cut(text, " ")
		want := users == "*" || groups == "*"
		for name := range strings.SplitSeq(users, ",") {
			want = want || name != "" && name == user
		}
		for name := range strings.SplitSeq(groups, ",") {
			want = want || name != "" && name == group
		}
		if got := l.Allows(user, []string{"", group}); got != want {
			t.Fatalf("%q, user %q of %q: %v", text, user, group, got)
		}
	})
}
