package journal

import (
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

const overrunning = `
{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":1}}
{"at":"0s","type":"app.add","id":"x","queue":"root.default"}
{"at":"0s","type":"ask.add","id":"first","app":"x","resources":{"vcore":1},"walltime":"10m"RUN}
{"at":"0s","type":"ask.add","id":"next","app":"x","resources":{"vcore":1}}
{"at":"1h","type":"tick"}
`

// overrun replays a journal and returns when and why first ends, and when next starts.
func overrun(t *testing.T, run string, grace time.Duration) (released, started time.Duration, why core.Reason) {
	t.Helper()
	source := NewDecoder(strings.NewReader(strings.Replace(overrunning, "RUN", run, 1)), "test", nil)
	keep := func(decisions []core.Decision) {
		for _, d := range decisions {
			switch {
			case d.Type == core.Release && d.ID == "first":
				released, why = d.At, d.Reason
			case d.Type == core.Allocation && d.ID == "next":
				started = d.At
			}
		}
	}
	if _, err := Replay(scheduler.New(core.Options{}), source, Options{Grace: grace, HasGrace: true, Decisions: keep}); err != nil {
		t.Fatal(err)
	}
	return released, started, why
}

func TestReplay_EndsOverruns(t *testing.T) {
	for name, c := range map[string]struct {
		run   string
		grace time.Duration
		end   time.Duration
		why   core.Reason
	}{
		"without a run":          {"", 0, 10 * time.Minute, core.ReasonTimeout},
		"a longer run":           {`,"run":"30m"`, 0, 10 * time.Minute, core.ReasonTimeout},
		"at the promised end":    {`,"run":"10m"`, 0, 10 * time.Minute, core.ReasonFinished},
		"a shorter run":          {`,"run":"9m"`, 0, 9 * time.Minute, core.ReasonFinished},
		"after the grace":        {`,"run":"30m"`, 5 * time.Minute, 15 * time.Minute, core.ReasonTimeout},
		"a run within the grace": {`,"run":"12m"`, 5 * time.Minute, 12 * time.Minute, core.ReasonTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			released, started, why := overrun(t, c.run, c.grace)
			if released != c.end || started != c.end || why != c.why {
				t.Errorf("expected the end at %s (%s), found %s (%s); the room is taken at %s", c.end, c.why, released, why, started)
			}
		})
	}
}

func TestPlayer_ResumesBetweenOverrunAndRelease(t *testing.T) {
	text := strings.Replace(overrunning, "RUN", "", 1)
	for cut := range 60 {
		m, src := scheduler.New(core.Options{}), &ahead{src: NewDecoder(strings.NewReader(text), "test", nil)}
		var started time.Duration
		o := Options{Decisions: func(decisions []core.Decision) {
			for _, d := range decisions {
				if d.Type == core.Allocation && d.ID == "next" {
					started = d.At
				}
			}
		}}
		p := NewPlayer(m, src, o)
		for step := 0; ; step++ {
			if step == cut {
				p = Resume(m, src, o, p.Save())
			}
			if _, ok, err := p.Next(); err != nil || !ok || p.Last() == time.Hour && p.Over() {
				break
			}
			if err := p.Step(1); err != nil {
				t.Fatal(err)
			}
		}
		if started != 10*time.Minute {
			t.Fatalf("resumed after %d steps: expected the start at 10m, found %s", cut, started)
		}
	}
}

func TestSince_HasTheFormOfAt(t *testing.T) {
	restore := func(at, since string) string {
		return `{"at":"` + at + `","type":"allocation.restore","id":"a","app":"x","resources":{},"placed_on":"n","since":"` + since + `"}`
	}
	minute := time.Minute
	for line, expected := range map[string]time.Duration{
		restore("2m", "1m"):  minute,
		restore("2m", "2m"):  2 * minute,
		restore("2m", "-1m"): -minute,
		restore("2m", "0s"):  0,
		restore("1970-01-01T00:02:00Z", "1970-01-01T00:01:00Z"): minute,
		restore("1970-01-01T00:02:00Z", "1969-12-31T23:59:00Z"): -minute,
	} {
		entries, err := decodeAll(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got := entries[0].Input.Event.(*core.RestoreAllocation).Since; got == nil || *got != expected {
			t.Errorf("%s: expected %s, found %v", line, expected, got)
		}
	}
	for line, expected := range map[string]string{
		restore("2m", "3m"):                    `since: expected a time not after at, found "3m"`,
		restore("2m", "1970-01-01T00:01:00Z"):  "since: expected ",
		restore("1970-01-01T00:02:00Z", "-1m"): "since: expected ",
		restore("2m", "soon"):                  "since: expected a Go duration such as 1m30s, or an RFC 3339 time",
		restore("2m", "-1970-01-01T00:01:00Z"): "since: expected ",
		`{"at":"1s","type":"ask.add","id":"a","app":"x","resources":{},"since":"0s"}`:            "since: expected a key of ask.add, found one that it does not have",
		`{"at":"1s","type":"ask.add","id":"a","app":"x","resources":{},"walltime":"0s"}`:         `walltime: expected a Go duration above zero, such as 1m30s, found "0s"`,
		`{"at":"1s","type":"ask.add","id":"a","app":"x","resources":{},"walltime":"-1s"}`:        `walltime: expected a Go duration above zero`,
		`{"at":"1s","type":"ask.add","id":"a","app":"x","resources":{},"walltime_overrun":"no"}`: `walltime_overrun: expected end or allow, found "no"`,
		`{"at":"1s","type":"ask.update","id":"a","walltime":"1"}`:                                `walltime: expected a Go duration above zero`,
	} {
		if _, err := decodeAll(line); err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("%s: expected %q, found %v", line, expected, err)
		}
	}
}
