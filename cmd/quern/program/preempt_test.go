package program

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// crowded is a node that root.b has filled when an ask of root.a comes, whose queue is guaranteed half of it.
const crowded = `{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":4}}
{"at":"0s","type":"app.add","id":"a","queue":"root.a"}
{"at":"0s","type":"app.add","id":"b","queue":"root.b"}
{"at":"0s","type":"ask.add","id":"old","app":"b","resources":{"vcore":2}}
{"at":"1s","type":"ask.add","id":"young","app":"b","resources":{"vcore":2}}
{"at":"10s","type":"ask.add","id":"mine","app":"a","resources":{"vcore":2}}
`

const halves = `partitions:
- name: default
  queues:
  - name: root
    queues:
    - name: a
      resources:
        guaranteed: {vcore: 2}
    - name: b
      resources:
        guaranteed: {vcore: 2}
`

// crowd is a folder with both, and with one configuration that fences root.a in, and one that lifts root.b above it.
func crowd(t *testing.T) {
	t.Helper()
	folder(t, map[string]string{
		"crowded.journal": crowded, "halves.yaml": halves,
		"fenced.yaml": strings.Replace(halves, "- name: b", "  properties: {preemption.policy: fence}\n    - name: b", 1),
		"lifted.yaml": halves + "      properties: {priority.offset: \"10\"}\n",
	})
}

var sequence = regexp.MustCompile(`"seq":\d+`)

// unnumbered takes the sequence numbers out of decisions.
func unnumbered(decisions string) string { return sequence.ReplaceAllString(decisions, `"seq":N`) }

// dryRun is what programs read of one.
type dryRun struct {
	At, Ask, Queue, Verdict, Kind, Due, Node, Text string

	Observed, Approximate bool
	Victims               []struct {
		ID, Queue, Kind, Common string

		Over []struct {
			Law, Queue, Type, Used, Guaranteed string
			Holds                              bool
		}
	}
	Laws []struct {
		Law, Queue, Used, Guaranteed string
		Holds                        bool
	}
	Barred, Short []map[string]any
	InTheWay      []map[string]any `json:"in_the_way"`
}

func dryRunOf(t *testing.T, args ...string) dryRun {
	t.Helper()
	r := quern("", append([]string{"explain", "crowded.journal", "--preempt", "--json"}, args...)...)
	r.want(t, cli.Succeeded, "", "")
	var o dryRun
	if err := json.Unmarshal([]byte(r.out), &o); err != nil {
		t.Fatalf("%v\n%s", err, r.out)
	}
	return o
}

func TestADryRunSaysWhomAnAskWouldPreemptAndWhen(t *testing.T) {
	crowd(t)
	o := dryRunOf(t, "--config", "halves.yaml", "--ask", "mine", "--at", "20s")
	if o.At != "20s" || o.Verdict != "preempts" || o.Kind != "guarantee" || o.Due != "40s" || o.Node != "n1" || o.Observed || o.Approximate || o.Text == "" {
		t.Errorf("got %+v", o)
	}
	if len(o.Victims) != 1 || o.Victims[0].ID != "young" || o.Victims[0].Queue != "root.b" || o.Victims[0].Common != "root" {
		t.Fatalf("got victims %+v", o.Victims)
	}
	if over := o.Victims[0].Over; len(over) != 1 || over[0].Law != "law-5" || over[0].Used != "2000m" || over[0].Guaranteed != "2000m" || !over[0].Holds {
		t.Errorf("got over %+v", over)
	}
	if len(o.Laws) != 1 || o.Laws[0].Law != "law-4" || o.Laws[0].Queue != "root.a" || o.Laws[0].Used != "0m" || !o.Laws[0].Holds {
		t.Errorf("got laws %+v", o.Laws)
	}
	quern("", "explain", "--config", "halves.yaml", "crowded.journal", "--ask", "mine", "--preempt").want(t, cli.Succeeded, "would preempt, once it has waited", "")
}

func TestDryRun_SaysWhatPreventsPreemption(t *testing.T) {
	crowd(t)
	o := dryRunOf(t, "--config", "fenced.yaml", "--ask", "mine")
	if o.Verdict != "fenced" || o.Kind != "" || len(o.Victims) != 0 || len(o.Barred) != 1 || o.Barred[0]["reason"] != "fence" || o.Barred[0]["allocations"] != 2.0 {
		t.Errorf("got %+v", o)
	}
	o = dryRunOf(t, "--config", "lifted.yaml", "--ask", "mine")
	if o.Verdict != "no-victims" || len(o.InTheWay) != 2 || o.InTheWay[0]["reason"] != "priority" || len(o.Short) != 1 || o.Short[0]["missing"] != "2000m" {
		t.Errorf("got %+v", o)
	}
}

func TestOnlyAnAskThatWaitsHasADryRun(t *testing.T) {
	crowd(t)
	explain := func(args ...string) result {
		return quern("", append([]string{"explain", "--config", "halves.yaml", "crowded.journal", "--preempt"}, args...)...)
	}
	explain("--ask", "old").want(t, cli.Failed, "", `ask "old" is allocated on node n1 at 10s`)
	explain("--ask", "nobody").want(t, cli.Failed, "", `there is no ask "nobody" at 10s`)
	explain("--ask", "young", "--at", "1m").want(t, cli.Failed, "", `ask "young" was preempted and has left by 1m0s`)
	explain("--queue", "root.a").want(t, cli.BadInput, "", "--preempt: expected --ask beside it, found --queue")
	explain("--app", "a").want(t, cli.BadInput, "", "--preempt: expected --ask beside it, found --app")
	explain().want(t, cli.BadInput, "", "expected one of --ask, --app, --queue, --window, --limits and --place, found 0")
	explain("--preempt=maybe", "--ask", "mine").want(t, cli.BadInput, "", "--preempt")
}

func TestAVictimIsExplainedWhileItLeavesAndAfterwards(t *testing.T) {
	crowd(t)
	type victim struct {
		For, Node, At, Kind string
		ForQueue            string `json:"for_queue"`
		Gone                bool
		Entitled            []map[string]any
	}
	for at, gone := range map[string]bool{"45s": false, "2m": true} {
		r := quern("", "explain", "--config", "halves.yaml", "--grace", "1m", "crowded.journal", "--ask", "young", "--at", at, "--json")
		r.want(t, cli.Succeeded, "", "")
		var o struct {
			Pending, Gone bool
			Since         *string
			Victim        *victim
		}
		if err := json.Unmarshal([]byte(r.out), &o); err != nil || o.Victim == nil {
			t.Fatalf("at %s: %v\n%s", at, err, r.out)
		}
		if v := o.Victim; o.Gone != gone || (o.Since == nil) != gone || o.Pending || v.Gone != gone || v.For != "mine" || v.ForQueue != "root.a" || v.At != "40s" || len(v.Entitled) != 1 {
			t.Errorf("at %s: got %s", at, r.out)
		}
	}
	kept := quern("", "explain", "--config", "halves.yaml", "--grace", "1m", "crowded.journal", "--ask", "mine", "--at", "45s", "--json")
	kept.want(t, cli.Succeeded, `"kept": true`, "")
	waits := dryRunOf(t, "--config", "halves.yaml", "--grace", "1m", "--ask", "mine", "--at", "45s")
	if waits.Verdict != "waits-for-victims" || len(waits.Victims) != 1 || waits.Node != "n1" {
		t.Errorf("got %+v", waits)
	}
	quern("", "explain", "--config", "halves.yaml", "crowded.journal", "--ask", "young", "--at", "2m").want(t, cli.Succeeded, "was preempted and has left node n1 for ask mine", "")
}

func TestVictimsLeaveAfterTheGraceAndTheAskLandsThen(t *testing.T) {
	crowd(t)
	for _, c := range []struct{ grace, left string }{{"0s", "40s"}, {"30s", "1m10s"}} {
		r := quern("", "replay", "--config", "halves.yaml", "--grace", c.grace, "--until", "idle", "--out", "-", "crowded.journal")
		want := `"at":"40s","type":"preemption","id":"young","for":"mine","node":"n1","queue":"root.b","right":"guarantee"}` + "\n" +
			`{"seq":N,"at":"` + c.left + `","type":"release","id":"young","reason":"preempted"}` + "\n" +
			`{"seq":N,"at":"` + c.left + `","type":"allocation","id":"mine","app":"a","queue":"root.a","node":"n1"`
		if got := unnumbered(r.out); r.code != cli.Succeeded || !strings.Contains(got, want) {
			t.Errorf("grace %s: got\n%s\nwant\n%s", c.grace, got, want)
		}
	}
	r := quern("", "replay", "--json", "--config", "halves.yaml", "--grace", "30s", "--until", "1m", "crowded.journal")
	if r.count(t, "preempted") != 1 || r.count(t, "pending") != 1 {
		t.Errorf("the victim is told and still there:\n%s", r.out)
	}
}

// threefold is a node that three asks take from in three ways: by guarantee, within a queue, and on their one node.
const threefold = `{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":6}}
{"at":"0s","type":"app.add","id":"a","queue":"root.a"}
{"at":"0s","type":"app.add","id":"b","queue":"root.teams.b"}
{"at":"0s","type":"app.add","id":"c","queue":"root.teams.b"}
{"at":"0s","type":"ask.add","id":"old","app":"b","resources":{"vcore":2},"count":3}
{"at":"1s","type":"ask.add","id":"mine","app":"a","resources":{"vcore":2}}
{"at":"40s","type":"ask.add","id":"urgent","app":"c","priority":5,"resources":{"vcore":2}}
{"at":"80s","type":"ask.add","id":"bound","app":"a","node":"n1","resources":{"vcore":2}}
{"at":"90s","type":"tick"}
`

const thirds = `partitions:
- name: default
  queues:
  - name: root
    queues:
    - name: a
      resources:
        guaranteed: {vcore: 2}
    - name: teams
      queues:
      - name: b
        properties: {preemption.intra-queue: enabled}
`

// taken is what a summary says of preemptions.
type taken struct {
	Preempted   int
	Observed    int
	Preemptions map[string]int
	Queues      map[string]struct{ Preempted int }
}

func TestTheSummaryCountsVictimsByQueueAndByRight(t *testing.T) {
	folder(t, map[string]string{"journal": threefold, "thirds.yaml": thirds,
		"watched.yaml": strings.Replace(thirds, "  queues:", "  preemption: {observe: true}\n  queues:", 1)})
	for config, want := range map[string]taken{
		"thirds.yaml": {3, 0, map[string]int{"guarantee": 1, "queue": 1, "quota": 0, "required-node": 1, "surplus": 0},
			map[string]struct{ Preempted int }{"root": {3}, "root.a": {}, "root.teams": {3}, "root.teams.b": {3}}},
		"watched.yaml": {0, 3, map[string]int{"guarantee": 0, "queue": 0, "quota": 0, "required-node": 0, "surplus": 0},
			map[string]struct{ Preempted int }{"root": {}, "root.a": {}, "root.teams": {}, "root.teams.b": {}}},
	} {
		r := quern("", "replay", "--json", "--config", config, "journal")
		var got taken
		if err := json.Unmarshal([]byte(r.out), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n%s\nwant %+v", config, err, r.out, want)
		}
	}
	const line = "preempted: 1 by guarantee, 1 within a queue, 1 for a required node\n"
	both := quern("", "replay", "--config", "thirds.yaml", "--compare", "watched.yaml", "journal")
	for _, want := range []string{"within a queue", "only observed", "preempted     thirds.yaml  watched.yaml\n"} {
		both.want(t, cli.Succeeded, want, "")
	}
	quern("", "replay", "--config", "thirds.yaml", "journal").want(t, cli.Succeeded, line, "")
	quern("", "replay", "--config", "watched.yaml", "journal").want(t, cli.Succeeded, "3 would have been preempted: the partition only observes", "")
}

func TestATableWithoutVictimsHasNoColumnForThem(t *testing.T) {
	folder(t, map[string]string{"small.journal": small})
	if r := quern("", "replay", "small.journal"); strings.Count(r.out, "preempted") != 1 {
		t.Errorf("expected the word once, in the heading:\n%s", r.out)
	}
}
