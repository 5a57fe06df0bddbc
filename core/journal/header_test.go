package journal

import (
	"bytes"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"
)

// headerOf reads the first line of a journal and the entry after it.
func headerOf(text string) (Header, error) {
	d := NewDecoder(strings.NewReader(text), "in.jsonl", nil)
	_, err := d.Next()
	h, _ := d.Header()
	if err == io.EOF {
		err = nil
	}
	return h, err
}

func TestTheFirstLineMaySayHowToReplay(t *testing.T) {
	for line, expected := range map[string]Header{
		``:                {},
		`"grace":"1m30s"`: {HasGrace: true, Grace: 90 * time.Second},
		`"grace":"0s"`:    {HasGrace: true},
		`"until":"idle"`:  {Idle: true},
		`"until":"2m"`:    {HasUntil: true, Until: 2 * time.Minute, form: Relative},
		`"end":"5s"`:      {HasEnd: true, End: 5 * time.Second, form: Relative},
		`"end":"1970-01-01T00:00:01Z","until":"1970-01-01T00:00:02Z"`: {HasEnd: true, End: time.Second, HasUntil: true, Until: 2 * time.Second, form: Absolute},
	} {
		expected.File, expected.Line = "in.jsonl", 2
		found, err := headerOf("# first\n" + `{"type":"journal","version":1,` + line + "}")
		if line == "" {
			found, err = headerOf("# first\n" + `{"type":"journal","version":1}`)
		}
		if err != nil || !reflect.DeepEqual(found, expected) {
			t.Errorf("%s: expected %+v, found %+v, %v", line, expected, found, err)
		}
	}
}

func TestAFirstLineThatCannotBeUsedIsABadLine(t *testing.T) {
	for line, expected := range map[string]string{
		`"version":1,"grace":5`:                                 `grace: expected a duration in quotes, found "5}"`,
		`"version":1,"grace":"-1s"`:                             `grace: expected a Go duration of zero or more, such as 1m30s, found "-1s"`,
		`"version":1,"until":"soon"`:                            `until: expected a Go duration such as 1m30s, or an RFC 3339 time, or idle, found "soon"`,
		`"version":1,"end":"idle"`:                              `end: expected a Go duration such as 1m30s, or an RFC 3339 time, found "idle"`,
		`"version":1,"end":"-1s"`:                               `end: expected a duration from 0s to 2540400h0m0s, found "-1s"`,
		`"version":1,"end":"1s","end":"1s"`:                     `end: expected the key once, found it twice`,
		`"version":1,"pause":"1s"`:                              `pause: expected a key of the format, found an unknown key`,
		`"version":1,"at":"1s"`:                                 `at: expected a key of journal, found one that it does not have`,
		`"version":2,"pause":"1s"`:                              `version: expected version 1 of the format, found "2"`,
		`"grace":"1s"`:                                          `version: expected the key, which journal needs, found none`,
		`"version":1,"end":"1s","until":"2026-01-01T00:00:00Z"`: `until: expected a duration since the start as before, found "2026-01-01T00:00:00Z"`,
	} {
		_, err := headerOf(`{"type":"journal",` + line + "}")
		if err == nil || err.Error() != "in.jsonl:1: "+expected {
			t.Errorf("%s: expected %s, found %v", line, expected, err)
		}
	}
	_, err := headerOf(`{"type":"journal","version":1,"end":"1s"}` + "\n" + `{"at":"2026-01-01T00:00:00Z","type":"tick"}`)
	if err == nil || !strings.HasPrefix(err.Error(), "in.jsonl:2: at: expected a duration since the start") {
		t.Error(err)
	}
	_, err = headerOf(`{"at":"1s","type":"tick","grace":"1s"}`)
	if err == nil || !strings.Contains(err.Error(), "grace: expected a key of tick") {
		t.Error(err)
	}
}

func TestAReplayGoesWhereTheFirstLineSays(t *testing.T) {
	const input = `{"at":"1s","type":"tick"}` + "\n" + `{"at":"3s","type":"tick"}`
	for _, c := range []struct {
		says    string
		options Options
		end     time.Duration
	}{
		{``, Options{}, 3 * time.Second},
		{`,"end":"5s"`, Options{}, 5 * time.Second},
		{`,"end":"2s"`, Options{}, 3 * time.Second},
		{`,"end":"5s"`, Options{Last: true}, 3 * time.Second},
		{`,"end":"5s"`, Options{HasUntil: true, Until: 2 * time.Second}, 2 * time.Second},
		{`,"until":"2s","end":"5s"`, Options{}, 2 * time.Second},
		{`,"until":"8s","end":"5s"`, Options{}, 8 * time.Second},
		{`,"until":"2s"`, Options{HasUntil: true, Until: 4 * time.Second}, 4 * time.Second},
		{`,"until":"idle"`, Options{Last: true}, 3 * time.Second},
	} {
		result, err := replayLines(t, newFake(), c.options, `{"type":"journal","version":1`+c.says+"}", input)
		if err != nil || result.End != c.end {
			t.Errorf("%s %+v: expected the end at %v, found it at %v, %v", c.says, c.options, c.end, result.End, err)
		}
	}
}

func TestJournalsThatMergeHaveToAgree(t *testing.T) {
	says := func(file, says string) *Decoder {
		return NewDecoder(strings.NewReader(`{"type":"journal","version":1`+says+"}\n"+`{"at":"1s","type":"tick"}`), file, nil)
	}
	for _, c := range []struct {
		a, b     string
		options  Options
		expected string
	}{
		{`,"grace":"1s"`, ``, Options{}, ""},
		{`,"grace":"1s"`, `,"grace":"1s"`, Options{}, ""},
		{`,"grace":"1s"`, `,"grace":"2s"`, Options{}, "b:1: grace: expected 1s as in a, found 2s"},
		{`,"grace":"1s"`, `,"grace":"2s"`, Options{HasGrace: true}, ""},
		{`,"until":"9s"`, `,"until":"idle"`, Options{}, "b:1: until: expected 9s as in a, found idle"},
		{`,"until":"9s"`, `,"until":"8s"`, Options{Idle: true}, ""},
		{`,"end":"9s"`, `,"end":"8s"`, Options{}, ""},
	} {
		result, err := Replay(newFake(), Merge(says("a", c.a), says("b", c.b)), c.options)
		if c.expected == "" && err != nil || c.expected != "" && (err == nil || err.Error() != c.expected || result != (Result{})) {
			t.Errorf("%s and %s: expected %q, found %v after %+v", c.a, c.b, c.expected, err, result)
		}
	}
	ends, err := Replay(newFake(), Merge(says("a", `,"end":"8s"`), says("b", `,"end":"9s"`)), Options{})
	if err != nil || ends.End != 9*time.Second {
		t.Errorf("expected the latest end, 9s, found %v, %v", ends.End, err)
	}
	dated := NewDecoder(strings.NewReader(`{"type":"journal","version":1,"until":"2026-01-01T00:00:00Z"}`), "b", nil)
	if _, err := Replay(newFake(), Merge(says("a", ``), dated), Options{}); err == nil || !strings.HasPrefix(err.Error(), "b:1: at: expected a duration since the start") {
		t.Errorf("a first line alone has to write times as the others do, found %v", err)
	}
}

func TestWhatAFirstLineSaysComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := func(name string) time.Duration {
			return time.Duration(rapid.Int64Range(0, int64(Farthest)).Draw(t, name))
		}
		h := Header{HasGrace: rapid.Bool().Draw(t, "says grace"), HasEnd: rapid.Bool().Draw(t, "says end"), File: "in.jsonl", Line: 1}
		form := rapid.SampledFrom([]Form{Relative, Absolute}).Draw(t, "form")
		if h.HasGrace {
			h.Grace = some("grace")
		}
		if h.HasEnd {
			h.End, h.form = some("end"), form
		}
		switch rapid.IntRange(0, 2).Draw(t, "until") {
		case 0:
			h.Idle = true
		case 1:
			h.HasUntil, h.Until, h.form = true, some("until"), form
		}
		var out bytes.Buffer
		e := NewEncoder(&out, form)
		if err := e.Header(h); err != nil || e.Flush() != nil {
			t.Fatal(err)
		}
		if found, err := headerOf(out.String()); err != nil || !reflect.DeepEqual(found, h) {
			t.Fatalf("%s: expected %+v, found %+v, %v", out.String(), h, found, err)
		}
	})
}
