package plugins_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/abi/manifests"
)

// golden is a call as the files of sdk/abi/golden hold it.
type golden struct {
	Point, Config, Texts, Frame, After string
	RC                                 uint32
}

func goldens(t *testing.T) map[string]golden {
	t.Helper()
	paths, err := filepath.Glob("../sdk/abi/golden/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("expected golden frames, found %d: %v", len(paths), err)
	}
	all := map[string]golden{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var g golden
		if err := json.Unmarshal(text, &g); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all[strings.TrimSuffix(filepath.Base(path), ".json")] = g
	}
	return all
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestEveryLanguageAnswersTheGoldenFramesToTheByte(t *testing.T) {
	for _, language := range languages {
		for name, g := range goldens(t) {
			t.Run(language+"/"+name, func(t *testing.T) {
				m := load(t, "golden", "golden-"+language)
				m.must(m.configure(g.Config))
				if g.Texts != "" {
					m.must(m.dictionary(unhex(t, g.Texts)))
				}
				rc, after := m.ask(strings.ReplaceAll(g.Point, ".", "_"), unhex(t, g.Frame))
				if rc != g.RC || !bytes.Equal(after, unhex(t, g.After)) {
					t.Errorf("expected code %d, found %d; expected the frame\n%s, found\n%x", g.RC, rc, g.After, after)
				}
				if rc != abi.OK && m.text(m.call(abi.ExportError)) == "" {
					t.Error("expected a text that says what was wrong")
				}
			})
		}
	}
}

func TestEveryLanguageDeclaresTheSame(t *testing.T) {
	var first *abi.Manifest
	for _, language := range languages {
		t.Run(language, func(t *testing.T) {
			m := load(t, "golden", "golden-"+language)
			if v := m.call(abi.ExportABI); v != abi.Version {
				t.Errorf("expected version %d, as the manifest says, found %d", abi.Version, v)
			}
			found, err := manifests.Parse([]byte(m.text(m.call(abi.ExportManifest))))
			if err != nil {
				t.Fatal(err)
			}
			found.Source = "" // languages write it with other spaces
			if first == nil {
				first = found
			}
			if !reflect.DeepEqual(first, found) {
				t.Errorf("expected the manifest %+v, found %+v", first, found)
			}
		})
	}
}

func TestAnArenaGrowsAndRefusesWhatThereIsNoRoomFor(t *testing.T) {
	for _, language := range languages {
		t.Run(language, func(t *testing.T) {
			m := load(t, "golden", "golden-"+language)
			for _, size := range []int{0, 1, 64, 100_000, 5 << 20, 3} {
				m.reserve(make([]byte, size))
			}
			if at := m.call(abi.ExportReserve, 0xffff_ffff); at != 0 {
				t.Errorf("expected 0 for 4 GiB, found %d", at)
			}
		})
	}
}

// Every SDK reads numbers by itself; the score of a frame shows each bit of what it read.
func TestEveryLanguageReadsNumbersToTheLastBit(t *testing.T) {
	numbers := []string{"1", "0", "-0", "0.1", "2.5", "-3.75e-2", "1e+21", "123456.789", "0.30000000000000004", "9007199254740991",
		"1.7976931348623157e+308", "5e-324", "2.2250738585072011e-308", "1e-7", "4503599627370496.5", "4503599627370497.5"}
	for _, language := range languages {
		t.Run(language, func(t *testing.T) {
			for _, n := range numbers {
				var want float64
				if err := json.Unmarshal([]byte(n), &want); err != nil {
					t.Fatal(err)
				}
				m := load(t, "golden", "golden-"+language)
				m.must(m.configure(`{"weight":` + n + `}`))
				f := newFrame(t, abi.Shape{Rows: 1, Asked: 1, Keys: 1, Columns: []abi.Column{{ID: 12}, {ID: 13, Constant: true}}}, abi.Dense)
				f.set(0, 0, 1)
				rc, after := m.ask("node_score", f.bytes)
				m.must(rc)
				if found := f.answered(t, after, 0, 0); bits(found) != bits(want) {
					t.Errorf("%s: expected %x, found %x", n, bits(want), bits(found))
				}
			}
		})
	}
}
