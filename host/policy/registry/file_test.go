package registry

import (
	"strings"
	"testing"
)

func TestSettingsSayWhatIsWrongAndWhere(t *testing.T) {
	for text, expected := range map[string]string{
		"sha256 = \"abc\"":                                        `m.toml:1: sha256: expected 64 hexadecimal digits, found "abc"`,
		"\n\ncolour = 1":                                          `m.toml:3: colour: expected one of sha256, shadow_of, [parameters], [fallback], [limits], [process], found "colour"`,
		"[limits]\nmemory = \"1 GB\"":                             `m.toml:2: limits.memory: expected 64KiB to 256MiB, found "1 GB"`,
		"[limits]\nmemory = \"257MiB\"":                           `m.toml:2: limits.memory: expected 64KiB to 256MiB`,
		"[limits]\nmemory = \"0MiB\"":                             `m.toml:2: limits.memory: expected 64KiB to 256MiB`,
		"[limits]\nmemory = \"1.5MiB\"":                           `m.toml:2: limits.memory: expected 64KiB to 256MiB`,
		"[limits]\n# a comment\nfuel = -1":                        `m.toml:3: limits.fuel: expected 1 to 10000000, found -1`,
		"limits = {fuel_per_item = 99999999}":                     `limits.fuel_per_item: expected 1 to 10000000, found 99999999`,
		"[limits]\nfool = 1":                                      `m.toml:2: limits.fool: expected one of memory, fuel, fuel_per_item, deadline, found "limits.fool"`,
		"[limits]\ndeadline = \"10\"":                             `m.toml:2: limits.deadline: expected a duration above 0 and up to 1m, found "10"`,
		"[process]\nround = -2":                                   `m.toml:2: process.round: expected 1 or more, found -2`,
		"[process]\ncommand = 5":                                  `m.toml:2: `,
		"[process]\ncomand = \"x\"":                               `m.toml:2: process.comand: expected one of command, args, round`,
		"[fallback]\n\"node.score\" = \"fifo\"":                   `m.toml:2: fallback."node.score": expected a built-in of the point`,
		"[fallback]\n\"moon.order\" = \"fair\"":                   `m.toml:2: fallback."moon.order": expected a built-in of the point`,
		"sha256 = ":                                               `m.toml:1:9: expected a value, found the end of the text`,
		"sha256 = 5":                                              `m.toml:1: `,
		"a = 1\na = 2":                                            `m.toml:2:1: a: expected each key once, found it again, after line 1`,
		"[process]\ncommand = 'one'\nCommand = 'two'":             `m.toml:3:1: process.Command: expected each key once, in any case, found Command after command in line 2, column 1`,
		"[parameters]\nweight = 1\n[parameters]\nx=2":             `m.toml:3:2: expected each key once, found 'parameters' again`,
		"sha256 = \"\"":                                           `m.toml:1: sha256: expected 64 hexadecimal digits, found an empty text`,
		"shadow_of = \"\"":                                        `m.toml:1: shadow_of: expected the name of a policy, found an empty text`,
		"[limits]\nfuel = 0":                                      `m.toml:2: limits.fuel: expected 1 to 10000000, found 0`,
		"[limits]\ndeadline = \"\"":                               `m.toml:2: limits.deadline: expected a duration above 0 and up to 1m, found an empty text`,
		"[process]\nround = 0":                                    `m.toml:2: process.round: expected 1 or more, found 0`,
		"\n[[parameters]]\nweight = 1":                            `m.toml:2: parameters: expected one table [parameters], found a list`,
		"[[parameters]]\n[[parameters]]":                          `m.toml:1: parameters: expected one table [parameters], found a list`,
		"parameters = []":                                         `m.toml:1: parameters: expected one table [parameters], found a list`,
		"[[limits]]\nfuel = 5":                                    `m.toml:1: `,
		"[[fallback]]\n\"node.score\" = \"fair\"":                 `m.toml:1: `,
		"[[process]]\ncommand = \"x\"":                            `m.toml:1: `,
		"[parameters]\n" + strings.Repeat("a.", 10_000) + "a = 1": `m.toml:2:31: expected at most 100000 values, and 16 levels of them, found more`,
	} {
		s, err := parseSettings("m.toml", []byte(text))
		if err == nil {
			t.Errorf("%q: taken as %+v", text, s)
		} else if !strings.Contains(err.Error(), expected) {
			t.Errorf("%q: expected %q, found %q", text, expected, err)
		}
	}
}

func TestSettingsAreReadAsTheyAreWritten(t *testing.T) {
	s, err := parseSettings("m.toml", []byte(`
sha256 = "`+strings.Repeat("aB", 32)+`"
shadow_of = "tetris"
[parameters]
weight = 2
domain = "zone"
costs = { memory = 1, "nvidia.com/gpu" = 2.5 }
[fallback]
"node.score" = "binpacking"
[limits]
memory = "4MiB"
fuel = 500
fuel_per_item = 7
deadline = "5ms"
[process]
command = "bin/p"
args = ["-v"]
round = 8
`))
	if err != nil {
		t.Fatal(err)
	}
	if l, err := s.Limits.bounds().Limits(); err != nil || l.Pages != 64 {
		t.Errorf("4MiB: found %d pages, %v", l.Pages, err)
	}
	if s.ShadowOf != "tetris" || s.Parameters["weight"] != int64(2) || s.Fallback["node.score"] != "binpacking" || s.Process.Round != 8 || s.Process.Args[0] != "-v" || s.Limits.Fuel != 500 {
		t.Errorf("found %+v", s)
	}
}

func FuzzSettings(f *testing.F) {
	for _, seed := range []string{"", "sha256 = \"\"", "[limits]\nmemory=\"1MiB\"", "[parameters]\na=[1,2.5]\nb={c=1}", "a.b.c=1", "\"=\"=1", "[[x]]", "[process]\nargs=[1]"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := parseSettings("m.toml", text)
		if err == nil && s == nil || err != nil && !strings.HasPrefix(err.Error(), "m.toml") {
			t.Fatalf("%q: found %v, %v", text, s, err)
		}
	})
}
