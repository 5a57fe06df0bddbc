package manifests_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/abi/manifests"
)

// plain is a manifest with something in the place of %s.
const plain = `{"name":"a","version":"1","abi":"1.0","points":{"node.score":{"columns":["free:vcore"],"keys":1,"depends":"row"}}%s}`

func manifestWith(parameter string) string {
	return fmt.Sprintf(plain, `,"parameters":{"p":`+parameter+`}`)
}

func TestManifestsThatCannotBeAreRefused(t *testing.T) {
	point := func(name string) string { return strings.Replace(fmt.Sprintf(plain, ""), "node.score", name, 1) }
	name := func(name string) string { return strings.Replace(fmt.Sprintf(plain, ""), `"a"`, `"`+name+`"`, 1) }
	version := func(v string) string { return strings.Replace(fmt.Sprintf(plain, ""), "1.0", v, 1) }
	columns := `"c"` + strings.Repeat(`,"c"`, abi.MaxColumns)
	cases := []struct{ name, text, says string }{
		{"nothing", ``, "EOF"},
		{"no object", `[]`, "cannot unmarshal array"},
		{"half an object", `{"name":"a"`, "unexpected EOF"},
		{"more after it", fmt.Sprintf(plain, "") + "{}", "found more after it"},
		{"a key that nobody knows", fmt.Sprintf(plain, `,"colour":"red"`), `unknown field "colour"`},
		{"too long", fmt.Sprintf(plain, strings.Repeat(" ", abi.MaxManifest)), "at most 65536 bytes"},
		{"no name", name(""), "name: expected"},
		{"a name in capitals", name("Biggest"), `found "Biggest"`},
		{"a name that begins with a dot", name(".a"), `found ".a"`},
		{"a name with a path", name("a/b"), `found "a/b"`},
		{"a long name", name(strings.Repeat("a", 64)), "at most 63"},
		{"no version of the contract", version(""), "abi: expected 1.0 to 1.3"},
		{"another major version", version("2.0"), `found "2.0"`},
		{"a later minor version", version("1.4"), `found "1.4"`},
		{"a column of a later version", strings.Replace(fmt.Sprintf(plain, ""), `"free:vcore"`, `"free:vcore","gang_size=2"`, 1),
			`points: node.score: columns: gang_size=2 came with version 1.1: expected it in abi, found "1.0"`},
		{"no points", `{"name":"a","version":"1","abi":"1.0","points":{}}`, "expected at least one"},
		{"another point", point("node.colour"), `found "node.colour"`},
		{"too many columns", strings.Replace(fmt.Sprintf(plain, ""), `"free:vcore"`, columns, 1), "at most 64, found 65"},
		{"a parameter in capitals", fmt.Sprintf(plain, `,"parameters":{"P":{"type":"number","default":1}}`), `found "P"`},
		{"a parameter without a type", manifestWith(`{"default":1}`), "type: expected number"},
		{"a parameter without a default", manifestWith(`{"type":"number"}`), "default: expected a value"},
		{"a number that is a text", manifestWith(`{"type":"number","default":"1"}`), "expected a number"},
		{"a number below its minimum", manifestWith(`{"type":"number","default":1,"min":2}`), "expected 2 or more"},
		{"a number above its maximum", manifestWith(`{"type":"number","default":3,"max":2}`), "expected 2 or less"},
		{"an integer with a half", manifestWith(`{"type":"integer","default":1.5}`), "expected a whole number"},
		{"a boolean that is a number", manifestWith(`{"type":"boolean","default":1}`), "expected true or false"},
		{"a text that is a number", manifestWith(`{"type":"text","default":1}`), "expected a text"},
		{"a text that is not among its values", manifestWith(`{"type":"text","default":"c","values":["a","b"]}`), "expected one of a, b"},
		{"numbers that are one", manifestWith(`{"type":"numbers","default":1}`), "expected a list of numbers"},
		{"numbers with a text", manifestWith(`{"type":"numbers","default":[1,"b"]}`), "item 2"},
		{"weights that are a list", manifestWith(`{"type":"weights","default":[1]}`), "expected numbers by name"},
		{"weights out of range", manifestWith(`{"type":"weights","default":{"vcore":-1},"min":0}`), "vcore: expected 0 or more"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m, err := manifests.Parse([]byte(c.text))
			if err == nil {
				t.Fatalf("expected it to be refused, found %+v", m)
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("expected a text with %q, found %q", c.says, err)
			}
		})
	}
}

func TestAManifestSaysTheVersionOfItsColumns(t *testing.T) {
	m, err := manifests.Parse([]byte(`{"name":"a","version":"1","abi":"1.1","points":{"app.order":{"columns":["user_code"],"keys":1,"depends":"row"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if m.ABIVersion() != 1<<16|1 || m.OldestABI() != "1.1" {
		t.Errorf("expected version 1.1, found %x and %s", m.ABIVersion(), m.OldestABI())
	}
	m.Points["app.order"] = abi.Spec{Columns: []string{"tag_code:user_code"}}
	if m.OldestABI() != "1.0" {
		t.Errorf("expected version 1.0 for a column that names no later kind, found %s", m.OldestABI())
	}
}

func TestEveryTypeOfParameterMayBeDeclared(t *testing.T) {
	for _, p := range []string{
		`{"type":"number","default":-0.5}`, `{"type":"integer","default":3,"min":3,"max":3}`, `{"type":"boolean","default":false}`,
		`{"type":"text","default":""}`, `{"type":"text","default":"b","values":["a","b"]}`, `{"type":"numbers","default":[]}`,
		`{"type":"numbers","default":[1,2],"max":2}`, `{"type":"weights","default":{}}`, `{"type":"weights","default":{"vcore":1},"min":0}`,
	} {
		if _, err := manifests.Parse([]byte(manifestWith(p))); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
}

// FuzzParse holds that what is accepted stays itself when it is written and read again.
func FuzzParse(f *testing.F) {
	f.Add([]byte(fmt.Sprintf(plain, "")))
	f.Add([]byte(manifestWith(`{"type":"weights","default":{"vcore":1},"min":0,"max":1000000,"description":"d"}`)))
	f.Add([]byte(manifestWith(`{"type":"text","default":"b","values":["a","b"]}`)))
	f.Add([]byte(manifestWith(`{"type":"integer","default":1e300}`)))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := manifests.Parse(text)
		if err != nil {
			return
		}
		written, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		again, err := manifests.Parse(written)
		if err != nil {
			if len(written) > abi.MaxManifest {
				return // JSON spells some letters longer than the text did
			}
			t.Fatalf("%s: %v", written, err)
		}
		if !same(m, again) {
			t.Fatalf("expected %+v, found %+v", m, again)
		}
	})
}

// same compares manifests by their JSON, in which lists that are empty and lists that are missing may be the same.
func same(a, b *abi.Manifest) bool {
	first, err := json.Marshal(a)
	second, err2 := json.Marshal(b)
	return err == nil && err2 == nil && reflect.DeepEqual(first, second)
}
