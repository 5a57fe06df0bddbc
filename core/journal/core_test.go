package journal_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
)

// replayed replays a journal on the real scheduler, and returns its decisions as lines.
func replayed(t *testing.T, text string, o journal.Options) string {
	t.Helper()
	d := journal.NewDecoder(strings.NewReader(text), "in", nil)
	var out bytes.Buffer
	e := journal.NewEncoder(&out, journal.Relative)
	o.Decisions = func(decisions []core.Decision) {
		for i := range decisions {
			if err := e.Decision(&decisions[i]); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := journal.Replay(scheduler.New(core.Options{}), d, o); err != nil {
		t.Fatal(err)
	}
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const oneRun = `{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":1,"memory":"1Gi"}}
{"at":"0s","type":"app.add","id":"x","queue":"root.default"}
{"at":"0s","type":"ask.add","id":"a","app":"x","resources":{"vcore":1},"run":"10s"}
{"at":"9s","type":"ask.add","id":"b","app":"x","resources":{"vcore":1},"run":"10s"}
`

func TestScheduler_IdleOnceApplicationsComplete(t *testing.T) {
	const expected = `{"seq":1,"at":"0s","type":"node.accepted","id":"n"}
{"seq":2,"at":"0s","type":"app.accepted","id":"x","queue":"root.default"}
{"seq":3,"at":"0s","type":"app.state","id":"x","from":"New","to":"Accepted","reason":"ask-added"}
{"seq":4,"at":"0s","type":"allocation","id":"a","app":"x","queue":"root.default","node":"n","priority":0,"resources":{"vcore":"1000m"}}
{"seq":5,"at":"0s","type":"app.state","id":"x","from":"Accepted","to":"Starting","reason":"first-allocation"}
{"seq":6,"at":"10s","type":"release","id":"a","reason":"finished"}
{"seq":7,"at":"10s","type":"allocation","id":"b","app":"x","queue":"root.default","node":"n","priority":0,"resources":{"vcore":"1000m"}}
{"seq":8,"at":"10s","type":"app.state","id":"x","from":"Starting","to":"Running","reason":"second-allocation"}
{"seq":9,"at":"20s","type":"release","id":"b","reason":"finished"}
{"seq":10,"at":"20s","type":"app.state","id":"x","from":"Running","to":"Completing","reason":"idle"}
{"seq":11,"at":"50s","type":"app.state","id":"x","from":"Completing","to":"Completed","reason":"completing-timeout"}
`
	if found := replayed(t, oneRun, journal.Options{Idle: true}); found != expected {
		t.Errorf("expected\n%sfound\n%s", expected, found)
	}
}

func TestEqualReplaysAreEqualBytes(t *testing.T) {
	o := journal.Options{Until: 80 * time.Hour, HasUntil: true}
	if a, b := replayed(t, oneRun, o), replayed(t, oneRun, o); a != b || !strings.Contains(a, `"to":"Expired"`) {
		t.Errorf("found\n%sand\n%s", a, b)
	}
}

func TestReplay_GangAcrossTheLimitOfACycle(t *testing.T) {
	const text = `{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":2000}}
{"at":"0s","type":"app.add","id":"x","queue":"root.default"}
{"at":"0s","type":"ask.add","id":"before","app":"x","resources":{"vcore":1},"count":1020}
{"at":"0s","type":"ask.add","id":"member","app":"x","resources":{"vcore":1},"gang":"g","gang_min":10,"count":10}
{"at":"0s","type":"ask.add","id":"after","app":"x","resources":{"vcore":1},"count":20}
`
	decisions := replayed(t, text, journal.Options{})
	if made := strings.Count(decisions, `"type":"allocation"`); made != 1050 {
		t.Errorf("expected all 1050 asks to be allocated in their instant, found %d", made)
	}
}
