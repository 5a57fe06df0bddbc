package listing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/quern-project/quern/host/remote"
)

func items(texts ...string) (list []json.RawMessage) {
	for _, text := range texts {
		list = append(list, json.RawMessage(text))
	}
	return list
}

func TestTablesHaveTheUnitsOfPeople(t *testing.T) {
	var b bytes.Buffer
	l := List{Kind: remote.Queues, Items: items(
		`{"queue":"root","used":{"vcore":"1500m","memory":1610612736,"x/a":1,"x/b":2},"max":{"vcore":"4000m","memory":1073741824}}`,
		`{"queue":"root.a\u001b","used":{},"max":{"memory":0}}`)}
	if err := l.Write(&b, Table); err != nil {
		t.Fatal(err)
	}
	want := `queue       vcore        memory  a  waiting  apps
root     1.5 of 4  1.5 of 1 GiB  1        0     0
root.a\x1b         0      0 of 0 B  0        0     0
`
	if got := b.String(); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("expected\n%s\nfound\n%s", want, got)
	}
}

func TestAmountsOfDevicesAreDevices(t *testing.T) {
	var b bytes.Buffer
	l := List{Kind: remote.Nodes, Items: items(`{"node":"n1","schedulable":true,"capacity":{"gpu":"2000m"},"used":{"gpu":"500m"}}`,
		`{"node":"n2","schedulable":true,"capacity":{"gpu":"1000m"},"used":{}}`)}
	if err := l.Write(&b, Table); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(strings.Fields(b.String()), " "); !strings.Contains(got, "0.5 of 2") || !strings.Contains(got, "0 of 1") {
		t.Errorf("expected 0.5 of 2 and 0 of 1, found %s", b.String())
	}
}

func TestPlannedStarts_OnlyWhereAnAskHasOne(t *testing.T) {
	const plain, planned = `{"ask":"k1","queue":"root.a","state":"pending"}`, `{"ask":"k2","queue":"root.a","state":"pending","planned_start":{"start":"2026-11-23T14:05:00Z","node":"n3","reason":"planned"}}`
	for text, want := range map[string]string{plain: "ask queue state node k1 root.a pending", planned: "ask queue state node planned start on k2 root.a pending 2026-11-23 14:05:00 n3"} {
		var b bytes.Buffer
		if err := (&List{Kind: remote.Asks, Items: items(text)}).Write(&b, Table); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(b.String()), " "); got != want {
			t.Errorf("expected %s, found %s", want, got)
		}
	}
}

func TestDecisionsAsLines(t *testing.T) {
	for object, want := range map[string]string{
		`{"seq":1363,"at":"2026-11-23T12:10:00Z","type":"gang.fallback","app":"train","gang":"50 %s","reason":"timeout"}`:                                      "   1363  12:10:00  gang.fallback     gang 50 %s of train: timeout",
		`{"seq":1362,"at":"2026-11-23T12:10:00.1Z","type":"preemption","id":"p-10","quota":"root.a","node":"n","queue":"root.a.b"}`:                            "   1362  12:10:00  preemption        p-10 on n in root.a.b by the quota of root.a",
		`{"seq":1,"at":"2026-11-23T12:10:00Z","type":"policy.fault","policy":"p","reason":"failed","message":"division by zero","fallback":"fair"}`:            "      1  12:10:00  policy.fault      policy p fallback fair: division by zero",
		`{"seq":2,"at":"2026-11-23T12:10:00Z","type":"config.rejected","errors":["a: b","c"]}`:                                                                 "      2  12:10:00  config.rejected   a: b: c",
		`{"seq":3,"at":"2026-11-23T12:10:00Z","type":"app.state","id":"x\n","from":"New","to":"Accepted","reason":"ask-added"}`:                                `      3  12:10:00  app.state         x\n New -> Accepted: ask-added`,
		`{"seq":4,"at":"2026-11-23T12:10:00Z","type":"preemption.lapsed","for":"w","node":"n","reason":"withdrawn"}`:                                           "      4  12:10:00  preemption.lapsed  on n for w: withdrawn",
		`{"seq":5,"at":"2026-11-23T12:10:00Z","type":"config.accepted","warnings":["careful"]}`:                                                                "      5  12:10:00  config.accepted   careful",
		`{"seq":7,"at":"2026-11-23T12:10:00Z","type":"plan","id":"w","app":"a","start":"2026-11-23T14:05:00Z","node":"n3","reason":"planned"}`:                 "      7  12:10:00  plan              w starts at the latest at 2026-11-23 14:05:00 on n3: planned",
		`{"seq":8,"at":"2026-11-23T12:10:00Z","type":"plan","id":"w","app":"a","gang":"g","start":"2026-11-23T14:05:00Z","nodes":["n3","n4"],"reason":"node"}`: "      8  12:10:00  plan              w gang g of a starts at the latest at 2026-11-23 14:05:00 on n3, n4: node",
		`{"seq":6,"at":"2026-11-23T12:10:00Z","type":"release","id":"w","reason":"finished"}`:                                                                  "      6  12:10:00  release           w: finished",
	} {
		line, err := Decision(json.RawMessage(object), 0)
		if err != nil || line != want {
			t.Errorf("expected\n%s\nfound\n%s (%v)", want, line, err)
		}
	}
	for object, want := range map[string]bool{`{"type":"ignored"}`: true, `{"type":"app.rejected"}`: true, `{"type":"release"}`: false, `[`: false} {
		if Refused(json.RawMessage(object)) != want {
			t.Errorf("%s", object)
		}
	}
}

// overview is of many queues, asks and nodes.
func overview() *Overview {
	o := &Overview{Server: "here", Demo: true, Seq: 12345, Rates: []Rate{{"allocations", 3.25}}}
	o.Queues = items(`{"queue":"root","pending_asks":40,"used":{"vcore":"30000m"},"max":{"vcore":"40000m"}}`)
	for i := range 40 {
		o.Queues = append(o.Queues, json.RawMessage(fmt.Sprintf(`{"queue":"root.q%02d","leaf":true,"pending_asks":%d}`, i, i)))
		o.Waiting = append(o.Waiting, json.RawMessage(fmt.Sprintf(`{"ask":"a%02d","queue":"root.q01","submitted":"2026-01-01T00:00:%02dZ"}`, i, 59-i)))
		o.Nodes = append(o.Nodes, json.RawMessage(fmt.Sprintf(`{"node":"n%02d","schedulable":%v,"capacity":{"vcore":"1000m"},"used":{"vcore":"%dm"}}`, i, i > 3, i)))
	}
	return o
}

func TestAnOverviewFillsTheScreenAndNoMore(t *testing.T) {
	for v := range Views {
		for _, size := range [][2]int{{80, 24}, {200, 80}, {20, 10}, {1, 1}, {80, 3}} {
			lines, err := overview().Lines(v, size[0], size[1], nil)
			if err != nil || len(lines) > size[1] {
				t.Fatalf("%d lines of %d, %v", len(lines), size[1], err)
			}
			if v == OfAll && size[1] == 24 && len(lines) < 23 {
				t.Errorf("%d lines of %d", len(lines), size[1])
			}
			for _, line := range lines {
				if utf8.RuneCountInString(line) > size[0] {
					t.Errorf("%q is longer than %d", line, size[0])
				}
			}
		}
	}
}

func TestAnOverviewShowsFirstWhatMattersMost(t *testing.T) {
	o := overview()
	o.Problem = "no answer"
	lines, err := o.Lines(OfAll, 80, 30, func(line string) string { return "<" + line + ">" })
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(lines, "\n")
	for _, want := range []string{"<quern top  here  (a demo: simulated, in time lapse)  decision 12,345>", "\n! no answer\n", "vcore            ███████████████░░░░░  75 %  30 of 40\n",
		"waiting asks 40, nodes 40 (drained 4), queues 41\na second: allocations 3.2\n", ">\nroot.q39 ", ">\na39 ", ">\nn39 "} {
		if !strings.Contains(text, want) {
			t.Errorf("expected %q in\n%s", want, text)
		}
	}
}

// What a host of another release, or of another kind, sends is an error or a table, and no panic.
func FuzzWhatAHostSends(f *testing.F) {
	f.Add(`{"queue":"root","used":{"vcore":"1500m","memory":1},"max":{"vcore":"x"}}`)
	f.Add(`{"node":"n","schedulable":true,"allocations":["a"],"attributes":{"demo":"x"}}`)
	f.Add(`{"seq":1,"at":"2026-11-23T12:10:00Z","type":"release","id":"w"}`)
	f.Add(`[1]`)
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			t.Skip()
		}
		object := json.RawMessage(text)
		var b bytes.Buffer
		for _, kind := range []remote.Kind{remote.Queues, remote.Apps, remote.Nodes, remote.Asks, remote.Policies} {
			l := List{Kind: kind, Items: []json.RawMessage{object, object}}
			for _, o := range Outputs {
				_ = l.Write(&b, Output(o)) // it may be an error
			}
		}
		_ = Describe(&b, object)
		_, _ = Decision(object, 0)
		o := Overview{Queues: items(text), Nodes: items(text), Waiting: items(text)}
		_, _ = o.Lines(OfAll, 80, 24, nil)
		_ = Simulated(o.Nodes)
	})
}
