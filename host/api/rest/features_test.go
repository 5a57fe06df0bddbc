package rest_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/features"
	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
)

// served drives a live scheduler over its API, under a clock that the scenario sets. Beside it goes a scheduler of this program that is
// given the same at the same times: it says at once what a host says when a round is over, and the host must agree with every word.
type served struct {
	*scheduler.Scheduler
	tally *tally

	machine *livetest.Machine
	api     http.Handler

	inputs []core.Input // of this time, not sent yet
	made   []core.Decision
	seq    uint64 // of the last decision that the host was asked for
	lines  []string
	begun  time.Duration // the host's time when it started
	due    bool          // something is at this time, whether or not inputs come
	over   bool          // the round of this time
	alone  bool          // stepped by hand, as no host is: what follows is not asked of it
	failed error
}

// tally counts over all scenarios.
type tally struct{ served, alone, decisions, reads atomic.Int64 }

func (n *tally) drive() (features.Driver, error) {
	d := &served{Scheduler: scheduler.New(alike), tally: n, machine: livetest.NewMachine()}
	n.served.Add(1)
	return d, d.start()
}

// start runs a host.
func (d *served) start() error {
	if err := d.machine.Start(); err != nil {
		return err
	}
	d.machine.View().Read(func(s *scheduler.Scheduler) { d.begun = s.Now() })
	d.api = new(web.Guard).Handler(rest.New(d.machine.Server).Routes()...)
	return nil
}

// Close ends the host of a scenario.
func (d *served) Close() error { return errors.Join(d.failed, d.machine.Stop()) }

var fileName = regexp.MustCompile(`"queues\.(yaml|toml):`)

// scenario is the time that a scenario has where the host has another: its rounds are nanoseconds apart, since no two are at one time.
func scenario(host time.Duration) time.Duration { return host.Truncate(time.Microsecond) }

func (d *served) Now() time.Duration { return scenario(d.Scheduler.Now()) }

func (d *served) Deadline() (time.Duration, bool) {
	at, ok := d.Scheduler.Deadline()
	return scenario(at), ok
}

// Advance goes to a time as a host does: what is due before it is decided first.
func (d *served) Advance(to time.Duration) {
	if len(d.inputs) > 0 {
		d.byHand()
	}
	now := max(to, d.Scheduler.Now()+1, d.begun+1)
	for {
		due, ok := d.Scheduler.Deadline()
		d.due = ok && due >= now && scenario(due) <= to
		if d.due {
			now = due
		}
		if !ok || due >= now {
			break
		}
		d.instant(due)
		now = max(now, due+1)
	}
	d.machine.Clock.Set(now)
	d.compare()
	d.Scheduler.Advance(now)
	d.take()
	d.over = false
}

// instant decides what is due at a time.
func (d *served) instant(at time.Duration) {
	instant := drive.At(d.Scheduler, at)
	instant.Decide()
	d.take()
}

func (d *served) Apply(in *core.Input) core.Reason {
	if d.over {
		d.Advance(d.Now())
	}
	stamped := *in
	stamped.At = d.Scheduler.Now()
	d.inputs = append(d.inputs, stamped)
	defer d.take()
	return d.Scheduler.Apply(&stamped)
}

func (d *served) Cycle(limit int) int {
	if limit >= 0 {
		d.byHand()
	}
	n := d.Scheduler.Cycle(limit)
	d.take()
	next, ok := d.Scheduler.Deadline()
	if ok && next <= d.Scheduler.Now() {
		return n // the round is not over
	}
	d.send()
	d.over = true
	if ok && scenario(next) <= d.Now() {
		d.Advance(d.Now()) // this is one time for the scenario
		n += d.Cycle(limit)
	}
	return n
}

// byHand goes on without the host, which runs the cycle for every input.
func (d *served) byHand() {
	if !d.alone {
		d.alone = true
		d.tally.alone.Add(1)
	}
}

// take takes what the scheduler beside the host decided.
func (d *served) take() {
	var out bytes.Buffer
	e := journal.NewEncoder(&out, journal.Absolute)
	for _, made := range d.Scheduler.Take() {
		d.fail(e.Decision(&made))
		made.At = scenario(made.At)
		if made.Start != nil {
			start := scenario(*made.Start)
			made.Start = &start
		}
		d.made = append(d.made, made)
	}
	d.fail(e.Flush())
	for line := range strings.Lines(out.String()) {
		line = fileName.ReplaceAllString(line, `"config:`) // a request has no file
		d.lines = append(d.lines, strings.TrimSuffix(line, "\n"))
	}
}

func (d *served) Take() []core.Decision {
	made := d.made
	d.made = nil
	return made
}

// send has the host decide about the inputs of this time.
func (d *served) send() {
	inputs := d.inputs
	d.inputs = nil
	switch {
	case d.alone:
		return
	case len(inputs) == 0 && d.due:
		d.machine.Clock.Set(d.Scheduler.Now() + 1) // a host waits as long for inputs of that time
		d.compare()
		return
	case len(inputs) == 0:
		return
	}
	var body bytes.Buffer
	e := journal.NewEncoder(&body, journal.Absolute)
	for i := range inputs {
		in := inputs[i]
		in.At = 0
		d.fail(e.Entry(&journal.Entry{Input: in, Count: 1}))
	}
	d.fail(e.Flush())
	text := strings.ReplaceAll("\n"+body.String(), "\n{\"at\":\"1970-01-01T00:00:00Z\",", "\n{")
	if status, answer := d.ask("POST", "/v1/inputs", strings.TrimPrefix(text, "\n")); status != http.StatusOK {
		d.fail(fmt.Errorf("POST /v1/inputs: %d %s", status, answer))
	}
	d.compare()
}

// compare waits until the host has decided as much as the scheduler beside it, and holds the one against the other.
func (d *served) compare() {
	if d.alone || d.failed != nil {
		return
	}
	late := time.After(10 * time.Second)
	for want := d.seq + uint64(len(d.lines)); ; {
		changed := d.machine.View().Changed()
		if d.machine.View().NextDecision() > want && d.upToDate() {
			break
		}
		select {
		case <-changed:
			continue
		case <-late:
			d.fail(fmt.Errorf("the host stands at decision %d, expected %d", d.machine.View().NextDecision()-1, want))
			return
		}
	}
	for len(d.lines) > 0 {
		status, text := d.ask("GET", fmt.Sprintf("/v1/decisions?from=%d&limit=%d", d.seq+1, min(len(d.lines), 1000)), "")
		found := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if status != http.StatusOK || !reflect.DeepEqual(found, d.lines[:min(len(d.lines), 1000)]) {
			d.fail(fmt.Errorf("the host decided %s, expected %s", text, strings.Join(d.lines, "\n")))
			return
		}
		d.seq += uint64(len(found))
		d.lines = d.lines[len(found):]
		d.tally.decisions.Add(int64(len(found)))
	}
}

// upToDate reports whether readers see what came of everything that was due.
func (d *served) upToDate() (yes bool) {
	d.machine.View().Read(func(s *scheduler.Scheduler) {
		due, ok := s.Deadline()
		yes = !ok || due > d.Scheduler.Now()
	})
	return yes
}

// ask asks the host.
func (d *served) ask(method, path, body string) (int, string) {
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	w := httptest.NewRecorder()
	d.api.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// fail has the scenario fail.
func (d *served) fail(err error) {
	if err != nil && d.failed == nil {
		d.failed = err
	}
}

// Restored ends the host and starts another one on its record.
func (d *served) Restored() (features.Driver, error) {
	next, err := scheduler.Restore(d.Scheduler.Snapshot(), alike)
	if err != nil {
		return nil, err
	}
	d.Scheduler = next
	if d.alone {
		return d, d.failed
	}
	d.over = true
	return d, errors.Join(d.failed, d.machine.Stop(), d.start())
}

var _ io.Closer = (*served)(nil)

// alike are options with which a scheduler explains as a live host does.
var alike = core.Options{Moment: server.Moment}

func TestALiveHostDoesWhatTheScenariosSay(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs all scenarios once more")
	}
	var n tally
	var out, problems bytes.Buffer
	code := features.Run(t.Context(), features.Options{NewDriver: n.drive, Out: &out, Err: &problems, Tags: "not (@one-instant or @no-line)", Random: -1, Concurrency: 4})
	t.Logf("%d scenarios, of which %d are stepped by hand: %d decisions and %d answers of the host compared",
		n.served.Load(), n.alone.Load(), n.decisions.Load(), n.reads.Load())
	if code != features.Passed {
		t.Fatalf("exit code %d %s %s", code, problems.String(), out.String())
	}
}
