package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// oneModule is a registry with a single policy, so that fuzzing covers both known and unknown names.
func oneModule(_, name string) bool { return name == "drf" }

func seed(f *testing.F, pattern string) {
	files, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
}

// checkDecode checks properties of every text: no panic, complete errors in order, and a normal form that decodes to an equal
// configuration.
func checkDecode(t *testing.T, text string, format Format) {
	var c *Config
	var err error
	taken := spent(func() { c, err = Decode([]byte(text), Options{File: "f", Format: format, Policies: oneModule}) })
	if most := uint64(64<<20 + 4096*len(text)); taken > most {
		t.Fatalf("%d bytes of text took %d MiB", len(text), taken>>20)
	}
	if err != nil {
		all := err.(Errors)
		if len(all) == 0 {
			t.Fatal("an error without errors")
		}
		for i, e := range all {
			if e.Line < 1 || e.Column < 1 || e.Queue == "" || e.Expected == "" || e.Found == "" {
				t.Fatalf("incomplete: %+v", e)
			}
			if i > 0 && e.Line < all[i-1].Line {
				t.Fatalf("not in order: %v", err)
			}
		}
		return
	}
	for _, w := range c.Warnings {
		if w.Line < 1 || w.Column < 1 || w.Queue == "" || w.Key == "" || w.Text == "" {
			t.Fatalf("incomplete: %+v", w)
		}
	}
	printed := c.Print()
	again, err := Decode(printed, Options{Policies: oneModule})
	if err != nil {
		t.Fatalf("%v\nin the normal form\n%s", err, printed)
	}
	if !reflect.DeepEqual(withoutPlaces(c), withoutPlaces(again)) {
		t.Fatalf("another configuration after\n%s", printed)
	}
}

// withoutPlaces returns a configuration without the parts that depend on the layout of its text.
func withoutPlaces(c *Config) *Config {
	for i := range c.Warnings {
		c.Warnings[i].File, c.Warnings[i].Line, c.Warnings[i].Column = "", 0, 0
	}
	return c
}

func FuzzDecodeYAML(f *testing.F) {
	seed(f, "*.yaml")
	f.Fuzz(func(t *testing.T, text string) { checkDecode(t, text, YAML) })
}

func FuzzDecodeTOML(f *testing.F) {
	seed(f, "*.toml")
	f.Fuzz(func(t *testing.T, text string) { checkDecode(t, text, TOML) })
}

// FuzzPlainYAML compares the reader of plain YAML with the library.
func FuzzPlainYAML(f *testing.F) {
	seed(f, "*.yaml")
	f.Fuzz(func(t *testing.T, text string) {
		plain, _, _ := readPlainYAML(text)
		if plain == nil {
			return
		}
		library, bad := readAnyYAML(text)
		if bad != nil {
			t.Fatalf("the library refuses it: %+v", bad)
		}
		sameTree(t, "", plain, library)
	})
}

// FuzzPlainTOML compares the scanner with the library: its tree has the same keys, and the library accepts all texts that the scanner
// considers plain, with the same values.
func FuzzPlainTOML(f *testing.F) {
	seed(f, "*.toml")
	f.Fuzz(func(t *testing.T, text string) {
		scanned, second := scanTOML(text, queueBounds()), scanTOML(text, queueBounds())
		if scanned.full != nil || scanned.tooCostly != nil || scanned.duplicate != nil {
			return
		}
		decoded, bad := decodeTOML(text)
		if bad != nil {
			if scanned.plain {
				t.Fatalf("the library refuses it: %+v", bad)
			}
			return
		}
		if second.top.fill(decoded) != nil {
			t.Fatal("the keys differ from the library's")
		}
		if scanned.plain {
			sameTree(t, "", scanned.top, second.top)
		}
	})
}

func sameTree(t *testing.T, path string, a, b *value) {
	if a.kind != b.kind || a.form != b.form || a.text != b.text || a.at != b.at || len(a.fields) != len(b.fields) {
		t.Fatalf("%s: %+v\nand %+v", path, a, b)
	}
	if !slices.Equal(a.faults(), b.faults()) {
		t.Fatalf("%s: faults %v and %v", path, a.faults(), b.faults())
	}
	for i := range a.fields {
		x, y := a.fields[i], b.fields[i]
		if x.name != y.name || x.at != y.at {
			t.Fatalf("%s: %+v\nand %+v", path, x, y)
		}
		sameTree(t, path+"."+x.name, x.value, y.value)
	}
}
