package manifests_test

import (
	"errors"
	"testing"

	"github.com/quern-project/quern/sdk/abi/manifests"
)

func TestErrorsOfManifestsHaveTheirLineAndColumn(t *testing.T) {
	const head, tail = "{\n  \"name\": \"a\", \"version\": \"1\", \"abi\": \"1.0\",\n", "  \"points\": {\"node.score\": {\"columns\": [\"free:vcore\"], \"keys\": 1, \"depends\": \"row\"}}\n}"
	for text, want := range map[string]string{
		head + "  \"points\": {\"node.scare\": {}}}":                                        `manifest:3:14: points: expected one of queue.order, app.order, ask.order, node.score, node.filter, victim.rank, found "node.scare"`,
		head + "  \"colour\": \"red\",\n" + tail:                                            `manifest:3:3: json: unknown field "colour"`,
		head + "  \"points\": {}}":                                                          `manifest:3:3: points: expected at least one, found none`,
		head + "  \"parameters\": {\"p\": {\"type\": \"number\"}},\n" + tail:                `manifest:3:18: parameters: p: default: expected a value, found none`,
		head + "  \"parameters\": {\"p\": {\"type\": \"numbr\", \"default\": 1}},\n" + tail: "manifest:3:41: parameters: p: default: type: expected number, integer, boolean, text, numbers or weights, found \"numbr\"",
		head + tail[:len(tail)-1]:                                                           "manifest:4:1: unexpected EOF",
		head + tail + "\n\n {}":                                                             "manifest:6:2: expected one JSON object, found more after it",
		"{\n\"name\": \"A\"}":                                                               `manifest:2:9: name: expected small letters, digits and . _ -, at most 63, found "A"`,
		"{\"name\": \"a\"\n ; }":                                                            "manifest:2:2: invalid character ';' after object key:value pair",
		"{\n\"name\": 12}":                                                                  "manifest:2:10: json: cannot unmarshal number into Go struct field Manifest.name of type string",
		"[]":                                                                                "manifest:1:1: json: cannot unmarshal array into Go value of type abi.Manifest",
		"":                                                                                  "manifest: EOF",
		"{\"name\": \"\\u0041\"}":                                                           `manifest:1:2: name: expected small letters, digits and . _ -, at most 63, found "A"`,
	} {
		if _, err := manifests.Parse([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s\nexpected %s\nfound    %v", text, want, err)
		}
	}
	other := errors.New("byte 0x0: no module")
	if err := manifests.Located([]byte("{}"), other); err != other {
		t.Errorf("found %v", err)
	}
}

// FuzzLocated holds that any text and any words have a place.
func FuzzLocated(f *testing.F) {
	f.Add([]byte(`{"points":{"node.score":{"columns":["a"]}}}`), `points: node.score: column "a": no`)
	f.Add([]byte("{\"a\": [{}, \"\\\"\"]}\n"), `a: "\"`)
	f.Add([]byte("{"), "a")
	f.Fuzz(func(t *testing.T, text []byte, words string) {
		err := manifests.Located(text, errors.New("manifest: "+words))
		if len(text) > 0 && err.Error() == "manifest: "+words {
			t.Errorf("no place in %s", err)
		}
		_, _ = manifests.Parse(text)
	})
}
