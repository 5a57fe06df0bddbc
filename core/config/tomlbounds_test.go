package config

import (
	"fmt"
	"maps"
	"runtime"
	"strings"
	"testing"
)

// deep is a key of many parts. Its cost in the library is quadratic.
var deep = strings.Repeat("a.", 9_999) + "a = 1"

func TestDecode_HostileInputRefusedWithItsPlace(t *testing.T) {
	var wide strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&wide, "b%d = 0x1\n", i)
	}
	levels := "expected at most 100000 values, and 16 levels of them, found more"
	names := "expected names that take at most 8388608 bytes, each counted with those of its tables, found more"
	for text, expected := range map[string]string{
		deep:                                           "f.toml:1:33: " + levels,
		"# x\n[p]\n" + deep:                            "f.toml:3:31: " + levels,
		"[" + deep[:4000] + "b]":                       "f.toml:1:34: " + levels,
		"[[" + deep[:4000] + "b]]":                     "f.toml:1:35: " + levels,
		"a = {" + deep + "}":                           "f.toml:1:36: " + levels,
		"a = " + strings.Repeat("[", 99):               "f.toml:1:35: " + levels,
		"a = " + strings.Repeat("{b = ", 99):           "f.toml:1:55: " + levels,
		"a = [" + strings.Repeat("0, ", 100_001) + "]": "f.toml:1:300003: " + levels,
		"[" + strings.Repeat("x", 1000) + "]\n" + wide.String(): "f.toml:8091:1: " + names,
		strings.Repeat("#", MostSettings+1):                     "f.toml: expected at most 1048576 bytes, found 1048577",
		"a = \"\"\"\n\"\"\"\n" + deep:                           "f.toml:3:33: " + levels,
	} {
		if err := CheckTOML("f.toml", []byte(text), nil); err == nil || err.Error() != expected {
			t.Errorf("%.40q…: expected %s, found %v", text, expected, err)
		}
	}
}

func TestWhatOnlyLooksDeepInSettingsIsTaken(t *testing.T) {
	dots := strings.Repeat("a.[{", 999)
	for _, text := range []string{
		"a = \"" + dots + "\"", "a = '" + dots + "'", "# " + dots, "a = 1 # " + dots, "\"" + dots + "\" = 1", "['" + dots + "']",
		"a = \"\"\"\n" + dots + "\\\"\"\"\n" + dots + "\"\"\"\"", "a = '''" + dots + "\n''" + dots + "'''",
		"a = [\n  '" + dots + "', # " + dots + "\n]", "a.b.c = {d.e = [[1], [2]], f = '" + dots + "'}", "a = 1979-05-27T07:32:00.999Z",
		strings.Repeat("[[a]]\nb = 1.5\n", 9_999),
	} {
		if err := CheckTOML("f.toml", []byte(text), nil); err != nil {
			t.Errorf("%.40q…: found %v", text, err)
		}
		if _, bad := decodeTOML(text); bad != nil {
			t.Errorf("%.40q…: the test is no TOML: %+v", text, bad)
		}
	}
}

// FuzzCheckTOML inserts a key that would cost the library a gigabyte into a text: the text is refused, or the library does not read it as a
// key.
func FuzzCheckTOML(f *testing.F) {
	seed(f, "*.toml")
	for _, text := range []string{
		"\x00=1", "a = \"\"\"\x00\"\"\"\n\x00=1", "a = '\x00'", "# \x00", "[a.\x00]", "a={b.\x00=1}", "\"\\\x00", "a=[[],{\x00=1}]", "a\x00=1", "a=1 \x00=1",
	} {
		f.Add(text)
	}
	// After texts at which the scanner gives up, or the library might.
	for _, text := range []string{
		"a.b=1\na=2", "a.b.c=1\na.b=2", "[a]\n[a]", "a=1\n[a]", "[a]\nb=1\n[a.b]", "[[a]]\n[a]", "a=[{}]\n[[a]]", "[a.b]\n[a]\nb.c=1", "\"\" = 1", "'''k'''=1",
		"a = \"", "a = '", "a=1 b=2", "=1", "a=", "a = 1979-05-27 07:32:00", "a={\n}", "a={b=1,}", "a={b=1\n,c=2}", "a=[1,,2]", "a=[1 2]", "a = \"\\x41\\e\"", "a=\r1",
		"# \x01", "a=\"\x7f\"", "\xff=1", "a=\"\xff\"", "\ufeffa=1", "a=1\n\ufeff", "[a", "[[a]", "[]", "[a]]", "a=1_0", "a=inf", "a=0x", "a=\"\"\"\\\n\"\"\"", "é=1",
	} {
		f.Add(text + "\n\x00 = 1")
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ReplaceAll(text, "\x00", strings.TrimSuffix(deep, " = 1"))
		if len(text) > 1<<16 || CheckTOML("f", []byte(text), nil) != nil {
			return
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = decodeTOML(text)
		runtime.ReadMemStats(&after)
		if spent := after.TotalAlloc - before.TotalAlloc; spent > 64<<20 {
			t.Fatalf("the library took %d MiB", spent>>20)
		}
	})
}

func TestTheLinesOfNames(t *testing.T) {
	text := "a = 1\n\n# c = 2\nb.'x.y' = [\n 1,\n {q = 2}]\n[t.\"u v\"]\nw = '''\nz = 3\n'''\n[[l]]\nn = 1\n[[l]]\nn = 2\n"
	want := map[string]int{"a": 1, "b": 4, "b.x.y": 4, "b.x.y.q": 6, "t": 7, "t.u v": 7, "t.u v.w": 8, "l": 11, "l.n": 12}
	if found := TOMLLines([]byte(text)); !maps.Equal(found, want) {
		t.Errorf("expected %v, found %v", want, found)
	}
	for _, bad := range []string{"a = ", "[", "= 3", strings.Repeat("a.", 1000) + "a = 1", "a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["} {
		TOMLLines([]byte(bad)) // answers something
	}
}

func TestCheckTOML_NamesThatDifferByCase(t *testing.T) {
	type entry struct {
		Role string `toml:"role"`
	}
	type file struct {
		Token  []entry           `toml:"token"`
		Limits *entry            `toml:"limits"`
		Users  map[string]string `toml:"users"`
		Any    any               `toml:"any"`
		ByName map[string]entry  `toml:"by_name"`
	}
	for text, want := range map[string]string{
		"[[token]]\n role = 'a'\n Role = 'b'\n":                 "f:3:2: token.Role: expected each key once, in any case, found Role after role in line 2, column 2",
		"[limits]\nrole = ''\n[Limits]\nrole = ''\n":            "f:3:2: Limits: expected each key once, in any case, found Limits after limits in line 1, column 2",
		"limits = {ROLE = '', role = ''}\n":                     "f:1:22: limits.role: expected each key once, in any case, found role after ROLE in line 1, column 11",
		"[by_name.x]\nrole = ''\n[by_name.X]\nRolE=''\nrole=''": "f:5:1: by_name.X.role: expected each key once, in any case, found role after RolE in line 4, column 1",
		"[limits]\nrole.x = 1\nrole = 'a'\n":                    "f:3:1: role: expected each key once, found it again, after line 2",
		"[users]\nann = 'a'\nAnn = 'b'\n":                       "",
		"[any]\nann = 'a'\nAnn = 'b'\n":                         "",
		"[[token]]\nrole = 'a'\n[[token]]\nRole = 'b'\n":        "",
	} {
		found := ""
		if err := CheckTOML("f", []byte(text), &file{}); err != nil {
			found = err.Error()
		}
		if found != want {
			t.Errorf("%q:\nexpected %s\nfound    %s", text, want, found)
		}
	}
}
