package state

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// What is read fast is what the JSON decoder reads.
func TestAskReader_ReadsWhatTheDecoderReads(t *testing.T) {
	const usual = `{"ID":"k","App":"a","Seq":1,"Created":2,"Resources":[{"Type":"vcore","Value":1}],"Ask":{"Priority":3},"PlacedOn":"n","Placed":4,"PlacedAt":5}`
	for name, c := range map[string]struct {
		body string
		fast bool
	}{
		"usual":          {`{"Now":1,"Asks":[` + usual + `,` + usual + `],"World":2}`, true},
		"last":           {`{"Now":1,"Asks":[` + usual + `]}`, true},
		"first":          {`{"Asks":[` + usual + `],"Now":1}`, true},
		"others too":     {`{"Now":1,"Asks":[` + usual + `],"Others":[{"World":1,"Asks":[` + usual + `]}]}`, true},
		"none":           {`{"Now":1}`, true},
		"waits":          {`{"Now":1,"Asks":[{"ID":"k","App":"a","Seq":0,"Created":0,"Resources":null,"Ask":{}}]}`, true},
		"unusual":        {`{"Now":1,"Asks":[{"ID":"k","App":"a","Seq":1,"Reserves":"n","Leaving":{"Claim":1}},` + usual + `]}`, true},
		"other order":    {`{"Now":1,"Asks":[{"App":"a","ID":"k"}]}`, true},
		"twice":          {`{"Now":1,"Asks":[{"ID":"k","Ask":{"Priority":1},"Ask":{"Node":"n"},"ID":"j"}]}`, true},
		"escapes":        {`{"Now":1,"Asks":[{"ID":"a\"\\\u003cb","App":"é","Resources":[{"Type":"\"]}\\","Value":1}]}]}`, true},
		"negative":       {`{"Now":1,"Asks":[{"ID":"k","Created":-1}]}`, true},
		"large":          {`{"Now":1,"Asks":[{"ID":"k","Seq":18446744073709551615,"Created":9223372036854775807}]}`, true},
		"too large":      {`{"Now":1,"Asks":[{"ID":"k","Seq":18446744073709551616}]}`, false},
		"a fraction":     {`{"Now":1,"Asks":[{"ID":"k","Seq":1.5}]}`, false},
		"a leading zero": {`{"Now":1,"Asks":[{"ID":"k","Seq":01}]}`, false},
		"no number":      {`{"Now":1,"Asks":[{"ID":"k","Seq":}]}`, false},
		"spaces":         {`{"Now":1, "Asks":[]}`, false},
		"empty":          {`{"Now":1,"Asks":[]}`, false},
		"null":           {`{"Now":1,"Asks":null}`, false},
		"unknown":        {`{"Now":1,"Asks":[{"ID":"k","Other":1}]}`, false},
		"unknown within": {`{"Now":1,"Asks":[{"ID":"k","Ask":{"Other":1}}]}`, false},
		"after a value":  {`{"Now":1,"Asks":[{"ID":"k","Ask":{}x}]}`, false},
		"after an ask":   {`{"Now":1,"Asks":[{"ID":"k"}x]}`, false},
		"after the list": {`{"Now":1,"Asks":[{"ID":"k"}]{"World":1}}`, false},
		"after it":       {`{"Now":1,"Asks":[{"ID":"k"}]}}`, false},
		"a comma more":   {`{"Now":1,"Asks":[{"ID":"k"},]}`, false},
		"a comma first":  {`{,"Now":1}`, false},
		"no end":         {`{"Now":1,"Asks":[{"ID":"k"}`, false},
		"no end of text": {`{"Now":1,"Asks":[{"ID":"k\`, false},
		"not closed":     {`{"Now":1,"Asks":[{"ID":"k","Resources":[{"Type":"\"}]}]}`, false},
		"wrong brackets": {`{"Now":1,"Nodes":[},"Asks":[{"ID":"k"}]}`, true}, // the decoder refuses what is left
		"another case":   {`{"Now":1,"asks":[{"ID":"j"}],"Asks":[{"ID":"k"}]}`, true},
		"two lists":      {`{"Now":1,"Asks":[{"ID":"j"}],"Asks":[{"ID":"k"}]}`, true},
		"nothing":        {``, false},
		"another type":   {`[]`, false},
	} {
		slow, slowErr := decodeContent([]byte(c.body), 0)
		found, err := readContent([]byte(c.body))
		if (err == nil) != (slowErr == nil) || !reflect.DeepEqual(found, slow) {
			t.Errorf("%s: expected %+v, %v, found %+v, %v", name, slow, slowErr, found, err)
		}
		if _, _, fast := cutAsks([]byte(c.body)); fast != c.fast {
			t.Errorf("%s: read fast: %t", name, fast)
		}
	}
}

// What a live host writes needs no decoder.
func TestAskReader_TimesOfALiveHost(t *testing.T) {
	for text, usual := range map[string]bool{
		`{"ID":"k","App":"a","Seq":9999999999999999999,"Created":1796000000000000000,"PlacedAt":9223372036854775807}`: true,
		`{"ID":"k","Created":9223372036854775808}`: false,
		`{"ID":"k","Seq":10000000000000000000}`:    false,
	} {
		r := askReader{data: []byte(text)}
		var found, want askMemory
		if ok := r.usual(&found); ok != usual {
			t.Errorf("%s: read fast: %t", text, ok)
		}
		if err := decodeStrict([]byte(text), &want); usual && (err != nil || !reflect.DeepEqual(found, want)) {
			t.Errorf("%s: expected %+v, %v, found %+v", text, want, err, found)
		}
	}
}

func TestAskReader_ReadsWrittenSnapshots(t *testing.T) {
	for _, file := range []string{"snapshot-1-as-3", "snapshot-3"} {
		text, err := os.ReadFile("../../scheduler/testdata/" + file + ".golden")
		if err != nil {
			t.Fatal(err)
		}
		body, err := contentOf(text)
		if err != nil {
			t.Fatal(err)
		}
		want, err := decodeContent(body, 0)
		if err != nil || len(want.Asks) == 0 {
			t.Fatalf("%s: %d asks, %v", file, len(want.Asks), err)
		}
		rest, asks, ok := cutAsks(body)
		if !ok || strings.Contains(string(rest), `"Asks"`) || !reflect.DeepEqual(asks, want.Asks) {
			t.Errorf("%s: read fast: %t; expected the asks\n%+v\nfound\n%+v", file, ok, want.Asks, asks)
		}
	}
}

func FuzzAskReader(f *testing.F) {
	for _, file := range []string{"snapshot-1-as-3", "snapshot-3"} {
		text, err := os.ReadFile("../../scheduler/testdata/" + file + ".golden")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(strings.Split(string(text), "\n")[1])
	}
	f.Fuzz(func(t *testing.T, body string) {
		slow, slowErr := decodeContent([]byte(body), 0)
		found, err := readContent([]byte(body))
		if (err == nil) != (slowErr == nil) || !reflect.DeepEqual(found, slow) {
			t.Errorf("expected %+v, %v, found %+v, %v", slow, slowErr, found, err)
		}
	})
}
