package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/features"
	"github.com/quern-project/quern/host/api/access"
	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/explain"
	"github.com/quern-project/quern/host/server/livetest"
)

// served drives a live scheduler over its API, under a clock that the scenario sets. Beside it goes a scheduler of this program that is
// given the same at the same times: it says at once what a host says when a round is over, and the host must agree with every word.
type served struct {
	*core.Scheduler
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
	d := &served{Scheduler: core.New(core.Options{}), tally: n, machine: livetest.NewMachine()}
	n.served.Add(1)
	return d, d.start()
}

// start runs a host.
func (d *served) start() error {
	if err := d.machine.Start(); err != nil {
		return err
	}
	d.machine.View().Read(func(s *core.Scheduler) { d.begun = s.Now() })
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
	d.Scheduler.Advance(at)
	for over := false; !over; {
		d.Scheduler.Cycle(-1)
		next, ok := d.Scheduler.Deadline()
		over = !ok || next > at
	}
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
	e := journal.NewEncoder(&body, journal.Relative)
	for i := range inputs {
		in := inputs[i]
		in.At = 0
		d.fail(e.Entry(&journal.Entry{Input: in, Count: 1}))
	}
	d.fail(e.Flush())
	text := strings.ReplaceAll("\n"+body.String(), "\n{\"at\":\"0s\",", "\n{")
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
	d.machine.View().Read(func(s *core.Scheduler) {
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

// explained holds what the host explains against what the scheduler beside it does.
func (d *served) explained(kind explain.Kind, route, name string) {
	if d.alone || d.failed != nil || len(d.inputs) > 0 {
		return
	}
	d.tally.reads.Add(1)
	d.over = true // what comes later is a time of its own for the host
	status, found := d.ask("GET", fmt.Sprintf(route, url.PathEscape(name)), "")
	q := explain.Question{Kind: kind, Name: name, Absolute: true}
	access.Placement(context.Background(), d.machine.Server, &q) // of the past the scheduler beside it knows nothing
	answer, err := q.Put(d.Scheduler)
	if err != nil {
		remembered := status == http.StatusOK && gone(found) // a host knows how it ended, the core alone does not
		if status != http.StatusNotFound && status != http.StatusConflict && !remembered {
			d.fail(fmt.Errorf("%s: the host explains %s, expected: %w", name, found, err))
		}
		return
	}
	var want bytes.Buffer
	d.fail(answer.Write(&want, true))
	if status != http.StatusOK || undated(found) != undated(want.String()) {
		d.fail(fmt.Errorf("%s: the host explains %d %s, expected %s", name, status, found, want.String()))
	}
}

// gone reports whether an explanation is of something that has ended.
func gone(text string) bool {
	var e struct {
		Gone  bool
		Ended *struct{ Reason string }
	}
	return json.Unmarshal([]byte(text), &e) == nil && e.Gone && e.Ended != nil
}

// odd is a time in a sentence that is nanoseconds off.
var odd = regexp.MustCompile(`(\d+h)?(\d+m)?\d+\.\d{9}s`)

// undated is an explanation without its own time, which may be nanoseconds later than that of the scenario.
func undated(explanation string) string {
	_, rest, _ := strings.Cut(explanation, "\n  \"at\": ")
	return odd.ReplaceAllStringFunc(rest[strings.Index(rest, "\n")+1:], func(text string) string {
		lasts, err := time.ParseDuration(text)
		if err != nil {
			return text
		}
		return lasts.Round(time.Microsecond).String()
	})
}

func (d *served) ExplainAsk(id string) (core.AskExplanation, bool) {
	d.explained(explain.Ask, "/v1/asks/%s/explanation", id)
	e, ok := d.Scheduler.ExplainAsk(id)
	return onTime(e), ok
}

func (d *served) ExplainApp(id string) (core.AppExplanation, bool) {
	d.explained(explain.App, "/v1/apps/%s/explanation", id)
	e, ok := d.Scheduler.ExplainApp(id)
	return onTime(e), ok
}

func (d *served) ExplainQueue(path string) (core.QueueExplanation, bool) {
	d.explained(explain.Queue, "/v1/queues/%s/explanation", path)
	e, ok := d.Scheduler.ExplainQueue(path)
	return onTime(e), ok
}

func (d *served) ExplainPreemption(id string) (core.PreemptionExplanation, bool) {
	d.explained(explain.Preemption, "/v1/asks/%s/victims", id)
	e, ok := d.Scheduler.ExplainPreemption(id)
	return onTime(e), ok
}

// view holds what readers of the host see against what the scheduler beside it knows.
func view[T any](d *served, what string, read func(s *core.Scheduler) T) T {
	want := read(d.Scheduler)
	if d.alone || d.failed != nil || len(d.inputs) > 0 {
		return want
	}
	d.tally.reads.Add(1)
	var found T
	d.machine.View().Read(func(s *core.Scheduler) { found = read(s) })
	if !reflect.DeepEqual(found, want) {
		a, _ := json.Marshal(found)
		b, _ := json.Marshal(want)
		d.fail(fmt.Errorf("%s: the host has %s, expected %s", what, a, b))
	}
	return onTime(want)
}

// onTime has all times in what a reader sees be those of the scenario.
func onTime[T any](seen T) T {
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Field(i).CanSet() {
					walk(v.Field(i))
				}
			}
		case reflect.Int64:
			if at, ok := v.Addr().Interface().(*time.Duration); ok {
				*at = at.Round(time.Microsecond)
			}
		}
	}
	walk(reflect.ValueOf(&seen).Elem())
	return seen
}

func (d *served) Dump() core.Dump {
	return view(d, "state", func(s *core.Scheduler) core.Dump {
		state := s.Dump()
		state.Now = 0 // a reader's is that of the last round, where that of a scenario goes on
		return state
	})
}

func (d *served) LimitUsage() []core.LimitUsage {
	return view(d, "usage", (*core.Scheduler).LimitUsage)
}

func (d *served) ExplainMax(path string, limit resource.Set) (core.MaxExplanation, bool) {
	view(d, path, func(s *core.Scheduler) core.MaxExplanation { e, _ := s.ExplainMax(path, limit); return e })
	return d.Scheduler.ExplainMax(path, limit)
}

func (d *served) ExplainPlacement(in *core.Input) core.PlacementExplanation {
	return view(d, "placement", func(s *core.Scheduler) core.PlacementExplanation { return s.ExplainPlacement(in) })
}

func (d *served) Access(queue, user string, groups []string) (core.AccessExplanation, bool) {
	view(d, queue, func(s *core.Scheduler) core.AccessExplanation { e, _ := s.Access(queue, user, groups); return e })
	return d.Scheduler.Access(queue, user, groups)
}

// Restored ends the host and starts another one on its record.
func (d *served) Restored() (features.Driver, error) {
	next, err := core.Restore(d.Scheduler.Snapshot(), core.Options{})
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

func TestALiveHostDoesWhatTheScenariosSay(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs all scenarios once more")
	}
	var n tally
	var out, problems bytes.Buffer
	code := features.Run(t.Context(), features.Options{NewDriver: n.drive, Out: &out, Err: &problems, Tags: "not @one-instant", Random: -1, Concurrency: 4})
	t.Logf("%d scenarios, of which %d are stepped by hand: %d decisions and %d answers of the host compared",
		n.served.Load(), n.alone.Load(), n.decisions.Load(), n.reads.Load())
	if code != features.Passed {
		t.Fatalf("exit code %d %s %s", code, problems.String(), out.String())
	}
}
