package program

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// long is a journal of a first line, two inputs, and ticks at 1s to 9s.
func long() string {
	text := `{"type":"journal","version":1}` + "\n" + `{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":2}}` + "\n# a comment\n" +
		`{"at":"0s","type":"app.add","id":"a","queue":"root.default"}` + "\n"
	for _, digit := range "123456789" {
		text += `{"at":"` + string(digit) + `s","type":"tick"}` + "\n"
	}
	return text
}

// oneLine undoes the folding of sentences.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestPartial_SaysWhereWhyAndHowMuch(t *testing.T) {
	bad := strings.Replace(long(), `{"at":"4s"`, `{"att":"4s"`, 1)
	folder(t, map[string]string{
		"j": long(), "bad": bad, "packed": gzipped(t, bad), "whole": long(), "back": strings.Replace(long(), `"6s"`, `"1s"`, 1),
		"ends": strings.Replace(long(), `"version":1`, `"version":1,"until":"7s"`, 1), "first": "{\n" + long(),
		"dated":       `{"at":"2026-01-01T00:00:00Z","type":"tick"}` + "\n" + `{"at":"2026-01-01T00:01:00Z","type":"tick"}` + "\n",
		"queues.yaml": queues,
	})
	for _, c := range []struct {
		args, stdin, text string
		code              int
		cause             string
		at                float64
		unread            any
	}{
		{"j --until 3s", "", "Partial: the run ended at 3s, as set by --until 3s, and 6 inputs were not replayed.", cli.Succeeded, "until", 3, 6.0},
		{"j --until 8s", "", "at 8s, as set by --until 8s, and one input was not replayed.", cli.Succeeded, "until", 8, 1.0},
		{"ends", "", "at 7s, as set by the first line of the journal, and 2 inputs were not replayed.", cli.Succeeded, "until", 7, 2.0},
		{"dated --until 30s", "", "at 2026-01-01T00:00:30Z, as set by --until 30s, and one input was not replayed.", cli.Succeeded, "until", 30, 1.0},
		{"bad", "", "at 3s, and 6 inputs were not replayed, since one is unusable: bad:8: att: expected a key of the format", cli.BadInput, "bad-line", 3, 6.0},
		{"packed", "", "at 3s, and 6 inputs were not replayed, since one is unusable: packed:8: att: expected", cli.BadInput, "bad-line", 3, 6.0},
		{"bad j", "", "at 3s, and 13 inputs were not replayed, since one is unusable: bad:8: att: expected", cli.BadInput, "bad-line", 3, 13.0},
		{"back", "", "at 5s, and 4 inputs were not replayed, since one is unusable: back:10: at: expected a time not before ", cli.BadInput, "bad-line", 5, 4.0},
		{"first", "", "before the first input, and 13 inputs were not replayed, since one is unusable: first:1:", cli.BadInput, "bad-line", 0, 13.0},
		{"-", bad, "at 3s, and later inputs were not replayed, since one is unusable: stdin:8: att: expected", cli.BadInput, "bad-line", 3, nil},
	} {
		args := append([]string{"replay"}, strings.Fields(c.args)...)
		r := quern(c.stdin, args...)
		if r.code != c.code || !strings.Contains(oneLine(r.out), c.text) || !strings.HasPrefix(r.out, "Partial: ") {
			t.Errorf("%s: exit code %d, expected %q in\n%s%s", c.args, r.code, c.text, r.out, r.err)
		}
		var o struct{ Partial map[string]any }
		if err := json.Unmarshal([]byte(quern(c.stdin, append(args, "--json")...).out), &o); err != nil {
			t.Fatal(err)
		}
		if p := o.Partial; p["cause"] != c.cause || p["stopped_at_seconds"] != c.at || p["inputs_not_replayed"] != c.unread {
			t.Errorf("%s: expected %s at %v with %v unread, found %v", c.args, c.cause, c.at, c.unread, p)
		}
	}
}

func TestPartial_NotOfAWholeRun(t *testing.T) {
	folder(t, map[string]string{"j": long()})
	for _, until := range []string{"", "9s", "20s", "idle", "last"} {
		r := quern("", "replay", "--until", until, "j")
		if r.code != cli.Succeeded || strings.Contains(r.out, "Partial") || strings.Contains(quern("", "replay", "--json", "--until", until, "j").out, `"partial"`) {
			t.Errorf("until %q: found\n%s", until, r.out)
		}
	}
}

func TestPartial_InReportsComparisonsAndTries(t *testing.T) {
	modules := t.TempDir()
	module(t, modules, "smallest", smallest)
	text := strings.Replace(sorted, "nodesortpolicy: {type: smallest}, ", "", 1) + `{"at":"1h","type":"tick"}` + "\n"
	folder(t, map[string]string{"j": text, "queues.yaml": queues})
	const want = "the run ended at 1m0s, as set by --until 1m, and one input was not replayed."
	quern("", "replay", "--until", "1m", "j", "--report", "page.html").want(t, cli.Succeeded, "", "")
	if page := read(t, "page.html"); !strings.Contains(page, want) {
		t.Errorf("the report does not say it")
	}
	r := quern("", "replay", "--until", "1m", "j", "--compare", "queues.yaml")
	if n := strings.Count(oneLine(r.out), want); n != 1 {
		t.Errorf("a comparison says it %d times:\n%s", n, r.out)
	}
	quern("", "replay", "--until", "1m", "j", "--compare", "queues.yaml", "--json").want(t, cli.Succeeded, `"inputs_not_replayed": 1`, "")
	try := []string{"policy", "try", "--policy-cache", "none", modules + "/smallest.wasm", "j", "--until", "1m"}
	quern("", append(try, "--report", "try.html")...).want(t, cli.Succeeded, want, "")
	quern("", append(try, "--json")...).want(t, cli.Succeeded, `"inputs_not_replayed": 1`, "")
	if page := read(t, "try.html"); !strings.Contains(page, want) {
		t.Errorf("the report of a try does not say it")
	}
}
