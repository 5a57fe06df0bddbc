package policy

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/abi/manifests"
)

// FuzzObject holds that a configuration is read as the standard library reads it, or refused as there.
func FuzzObject(f *testing.F) {
	for _, text := range []string{
		`{}`, ` { "a" : [ 1 , -0.5e+3, true ] , "b":{"c":null}} `, `{"a":"\"\\\/\b\f\n\r\tü\u00fC\ud83d\ude00\ud83dx\udead\ud800\u0041"}`,
		`{"a":01}`, `{"a":1.}`, `{"a":-}`, `{"a":1e999}`, `{"a":"` + "\xff\x01" + `"}`, `{"a":1,}`, `{"a" 1}`, `{"a":tru}`, `[]`, `null`, `{}{}`, `{"a":"\x"}`, `{"a":"\u12`,
		strings.Repeat(`{"a":`, deepest+1) + `1` + strings.Repeat(`}`, deepest+1), strings.Repeat(`[`, 100_000),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var expected any
		refused := json.Unmarshal(text, &expected)
		table, ok := expected.(map[string]any)
		found, err := object(text)
		switch {
		case err != nil && refused == nil && ok && depth(expected) <= deepest:
			t.Fatalf("%q: expected %v, found %v", text, table, err)
		case err == nil && (refused != nil || !ok):
			t.Fatalf("%q: expected %v, found %v", text, refused, found)
		case err == nil && !reflect.DeepEqual(found, table):
			t.Fatalf("%q: expected %v, found %v", text, table, found)
		}
	})
}

// depth is how deep lists and objects are nested.
func depth(value any) int {
	deep := 0
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			deep = max(deep, 1+depth(item))
		}
	case map[string]any:
		for _, item := range v {
			deep = max(deep, 1+depth(item))
		}
	}
	return deep
}

func TestAManifestIsReadAsItWasWritten(t *testing.T) {
	text := rapid.StringMatching("[a-zü\"\\\\\n<&\u2028😀]{0,8}")
	number := rapid.Float64().Filter(func(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) })
	defaults := map[string]*rapid.Generator[any]{
		abi.Number: number.AsAny(), abi.Boolean: rapid.Bool().AsAny(), abi.Text: text.AsAny(),
		abi.Integer: rapid.Map(rapid.Int32(), func(v int32) any { return int(v) }),
		abi.Numbers: rapid.SliceOf(number).AsAny(), abi.Weights: rapid.MapOf(text, number).AsAny(),
	}
	rapid.Check(t, func(t *rapid.T) {
		p := &Policy{Points: map[string]func(*abi.Frame) error{"node.score": nobody, "app.order": nobody}, Manifest: abi.Manifest{
			Name: "m", Version: text.Draw(t, "version"), Description: text.Draw(t, "description"), Parameters: map[string]abi.Parameter{},
			Points: map[string]abi.Spec{
				"node.score": {Columns: []string{"free:" + rapid.StringMatching("[a-zü\"]{1,5}").Draw(t, "type")}, Keys: 1, Depends: "row", Fallback: "fair"},
				"app.order":  {Columns: []string{"submitted", "tag:x=1"}, Keys: 2, Depends: "siblings"},
			},
		}}
		for _, name := range rapid.SliceOfDistinct(rapid.StringMatching("[a-z]{1,3}"), rapid.ID).Draw(t, "parameters") {
			kind := rapid.SampledFrom(sorted(defaults)).Draw(t, "kind")
			p.Manifest.Parameters[name] = abi.Parameter{Type: kind, Default: defaults[kind].Draw(t, "default"), Description: text.Draw(t, "description")}
		}
		s, err := New(p)
		if err != nil {
			t.Fatal(err)
		}
		found, err := manifests.Parse(s.Manifest())
		if err != nil {
			t.Fatalf("%s: %v", s.Manifest(), err)
		}
		p.Manifest.ABI = "1.0"
		if expected, err := json.Marshal(p.Manifest); err != nil || !sameJSON(t, expected, found) {
			t.Fatalf("expected %s, found %+v, %v", expected, found, err)
		}
	})
}

func nobody(*abi.Frame) error { return nil }

func sameJSON(t *rapid.T, expected []byte, found *abi.Manifest) bool {
	text, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if json.Unmarshal(expected, &a) != nil || json.Unmarshal(text, &b) != nil {
		t.Fatal("expected JSON")
	}
	return reflect.DeepEqual(a, b)
}

func TestDefaultsThatAreNoJSONAreRefused(t *testing.T) {
	for says, value := range map[string]any{
		"expected an int, an int64":           struct{}{},
		"expected a finite number":            math.Inf(1),
		"default: expected a value":           nil,
		"default: expected a number, found a": []any{1},
	} {
		p := &Policy{Points: map[string]func(*abi.Frame) error{"ask.order": nobody}, Manifest: abi.Manifest{Name: "m", Version: "1",
			Parameters: map[string]abi.Parameter{"p": {Type: abi.Number, Default: value}},
			Points:     map[string]abi.Spec{"ask.order": {Columns: []string{"submitted"}, Keys: 1, Depends: "row"}}}}
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("expected %q, found %v", says, err)
		}
	}
}
