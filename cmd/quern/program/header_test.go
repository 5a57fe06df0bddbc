package program

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// leaving is a cluster in which a victim is told to leave at 31s, and an ask with a run time ends after the last input.
const leaving = `{"at":"0s","type":"config.set","config":"partitions: [{queues: [{name: root, queues: [{name: a, resources: {guaranteed: {vcore: 1}}}, {name: b}]}]}]"}
{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":2}}
{"at":"0s","type":"app.add","id":"b","queue":"root.b"}
{"at":"0s","type":"ask.add","id":"b","app":"b","resources":{"vcore":1},"count":2}
{"at":"1s","type":"app.add","id":"a","queue":"root.a"}
{"at":"1s","type":"ask.add","id":"a","app":"a","resources":{"vcore":1},"run":"1m"}
{"at":"31s","type":"tick"}
`

// with puts a first line before a journal.
func with(says, journal string) string {
	return `{"type":"journal","version":1` + says + "}\n" + journal
}

func TestTheFirstLineOfAJournalSaysHowItReplays(t *testing.T) {
	folder(t, map[string]string{"plain": leaving, "said": with(`,"grace":"10s","end":"2m"`, leaving), "until": with(`,"until":"idle","grace":"10s"`, leaving)})
	outcome := func(args ...string) (string, result) {
		r := quern("", append([]string{"replay", "--out", "out", "--json"}, args...)...)
		r.want(t, cli.Succeeded, "", "")
		return read(t, "out"), r
	}
	for _, c := range []struct{ plain, said []string }{
		{[]string{"--grace", "10s", "--until", "2m", "plain"}, []string{"said"}},
		{[]string{"--grace", "10s", "--until", "idle", "plain"}, []string{"until"}},
		{[]string{"--grace", "0s", "--until", "2m", "plain"}, []string{"--grace", "0s", "said"}},
		{[]string{"--grace", "10s", "plain"}, []string{"--until", "last", "said"}},
		{[]string{"--grace", "10s", "--until", "35s", "plain"}, []string{"--until", "35s", "until"}},
	} {
		want, _ := outcome(c.plain...)
		if found, _ := outcome(c.said...); found != want {
			t.Errorf("%v decides\n%s\n%v decides\n%s", c.plain, want, c.said, found)
		}
	}
	_, r := outcome("--grace", "1s", "--until", "1m", "said")
	for _, note := range []string{"note: --grace 1s overrides the grace of said, 10s\n", "note: --until 1m overrides the end of said, 2m0s\n"} {
		if !strings.Contains(r.err, note) {
			t.Errorf("expected %q on stderr, found %q", note, r.err)
		}
	}
	if _, r := outcome("--until", "idle", "until"); r.err != "" {
		t.Errorf("expected nothing on stderr where both say the same, found %q", r.err)
	}
	t.Setenv("QUERN_GRACE", "1s")
	if _, r := outcome("said"); !strings.Contains(r.err, "note: --grace 1s overrides") {
		t.Errorf("a setting counts as a flag, found %q", r.err)
	}
}

func TestEveryReaderFollowsTheFirstLine(t *testing.T) {
	folder(t, map[string]string{"said": with(`,"grace":"10s","end":"35s"`, leaving), "queues.yaml": "partitions: [{queues: [{name: root, queues: [{name: a}, {name: b}]}]}]"})
	quern("", "explain", "said", "--ask", "a").want(t, cli.Succeeded, "It waits for b-2 to leave.", "")
	quern("", "explain", "--grace", "0s", "said", "--ask", "a").want(t, cli.Succeeded, "runs on node n", "note: --grace 0s overrides the grace of said, 10s\n")
	quern("", "explain", "--at", "29s", "said", "--ask", "a").want(t, cli.Succeeded, "", "note: --at 29s overrides the end of said, 35s\n")
	r := quern("", "replay", "--json", "--compare", "queues.yaml", "said")
	r.want(t, cli.Succeeded, `"virtual_seconds": 35`, "")
	if strings.Count(r.out, `"virtual_seconds": 35`) != 2 {
		t.Errorf("expected that both runs end at 35s:\n%s", r.out)
	}
	noted := quern("", "replay", "--until", "1s", "--compare", "queues.yaml", "said")
	if strings.Count(noted.err, "note:") != 1 {
		t.Errorf("expected one note for both runs, found %q", noted.err)
	}
}

func TestARecordSaysHowItWasPlayed(t *testing.T) {
	folder(t, map[string]string{"plain": leaving, "said": with(`,"grace":"10s","end":"2m"`, leaving)})
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"plain"}, `{"type":"journal","version":1}`},
		{[]string{"said"}, `{"type":"journal","version":1,"grace":"10s","end":"2m0s"}`},
		{[]string{"--until", "idle", "--grace", "5s", "plain"}, `{"type":"journal","version":1,"grace":"5s","until":"idle"}`},
		{[]string{"--until", "1m", "said"}, `{"type":"journal","version":1,"grace":"10s","until":"1m0s"}`},
		{[]string{"--until", "last", "said"}, `{"type":"journal","version":1,"grace":"10s"}`},
	} {
		quern("", append([]string{"replay", "--record", "record", "--out", "first"}, c.args...)...).want(t, cli.Succeeded, "", "")
		if first, _, _ := strings.Cut(read(t, "record"), "\n"); first != c.want {
			t.Errorf("%v: expected a record that begins %s, found %s", c.args, c.want, first)
		}
		quern("", "replay", "--out", "again", "record").want(t, cli.Succeeded, "", "")
		if read(t, "first") != read(t, "again") {
			t.Errorf("%v: the record decides otherwise", c.args)
		}
	}
}

func TestJournalsThatDisagreeAreRefused(t *testing.T) {
	folder(t, map[string]string{"a": with(`,"grace":"10s"`, ""), "b": with(`,"grace":"5s"`, leaving), "later": `{"type":"journal","version":2,"pause":true}`})
	quern("", "replay", "a", "b").want(t, cli.BadInput, "", "b:1: grace: expected 10s as in a, found 5s\n")
	quern("", "replay", "--grace", "5s", "a", "b").want(t, cli.Succeeded, "allocated", "note: --grace 5s overrides the grace of a, 10s\n")
	quern("", "replay", "later").want(t, cli.BadInput, "", `later:1: version: expected version 1 of the format, found "2"`)
}
