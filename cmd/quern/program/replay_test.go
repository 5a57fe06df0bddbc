package program

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestReplayReadsJournalsFromWhereverTheyAre(t *testing.T) {
	folder(t, map[string]string{"small.journal": small, "packed": gzipped(t, small), "dense": zstandard(t, small)})
	for name, r := range map[string]result{
		"file":           quern("", "replay", "--json", "small.journal"),
		"gzip":           quern("", "replay", "--json", "packed"),
		"zstd":           quern("", "replay", "--json", "dense"),
		"standard input": quern(small, "replay", "--json", "-"),
		"gzip on stdin":  quern(gzipped(t, small), "replay", "--json", "-"),
	} {
		t.Run(name, func(t *testing.T) {
			r.want(t, cli.Succeeded, "", "")
			if r.count(t, "allocated") != 2 || r.count(t, "pending") != 1 {
				t.Errorf("expected 2 allocated and 1 pending:\n%s", r.out)
			}
		})
	}
}

func TestSeveralJournalsMergeByTime(t *testing.T) {
	folder(t, map[string]string{
		"nodes": `{"at":"5s","type":"node.add","id":"n1","capacity":{"vcore":1}}`,
		"asks":  `{"at":"0s","type":"app.add","id":"a","queue":"root.default"}` + "\n" + `{"at":"1s","type":"ask.add","id":"x","app":"a","resources":{"vcore":1}}`,
	})
	quern("", "replay", "--out", "-", "nodes", "asks").want(t, cli.Succeeded, `"at":"5s","type":"allocation","id":"x"`, "allocated")
}

func TestDecisionsAreWrittenAsTheFormatSays(t *testing.T) {
	folder(t, map[string]string{"small.journal": small})
	quern("", "replay", "--out", "decisions", "small.journal").want(t, cli.Succeeded, "allocated", "")
	const want = `{"seq":1,"at":"0s","type":"node.accepted","id":"n1"}
{"seq":2,"at":"1s","type":"app.accepted","id":"a","queue":"root.default"}
`
	got := read(t, "decisions")
	if !strings.HasPrefix(got, want) {
		t.Errorf("decisions begin with\n%s\nwant\n%s", got, want)
	}
	const allocation = `"at":"2s","type":"allocation","id":"x-1","app":"a","queue":"root.default","node":"n1","priority":0,"resources":{"vcore":"1000m"}}`
	if !strings.Contains(got, allocation) {
		t.Errorf("expected %s in\n%s", allocation, got)
	}
}

func TestTheRunEndsWhereUntilSays(t *testing.T) {
	const dated = `{"at":"2026-01-01T00:00:00Z","type":"tick"}`
	folder(t, map[string]string{"small.journal": small, "dated": dated})
	for _, c := range []struct {
		journal, until string
		virtual        float64
		pending        float64
	}{
		{"small.journal", "", 3, 1},
		{"small.journal", "2s", 2, 1},
		{"small.journal", "13s", 13, 0},
		{"dated", "2026-01-01T00:01:00Z", 60, 0},
		{"dated", "90s", 90, 0},
	} {
		r := quern("", "replay", "--json", "--until", c.until, c.journal)
		r.want(t, cli.Succeeded, "", "")
		if got := r.count(t, "virtual_seconds"); got != c.virtual {
			t.Errorf("%s until %q: %v virtual seconds, want %v", c.journal, c.until, got, c.virtual)
		}
		if got := r.count(t, "pending"); got != c.pending {
			t.Errorf("%s until %q: %v pending, want %v", c.journal, c.until, got, c.pending)
		}
	}
	idle := quern("", "replay", "--json", "--until", "idle", "small.journal")
	if idle.count(t, "allocated") != 3 || idle.count(t, "virtual_seconds") < 22 {
		t.Errorf("until idle everything is to have run:\n%s", idle.out)
	}
	quern("", "replay", "--until", "soon", "small.journal").want(t, cli.BadInput, "", "--until: expected a duration")
	quern("", "replay", "--until", "2026-01-01T00:01:00Z", "small.journal").want(t, cli.BadInput, "", "--until: expected a duration, since")
}

func TestConfig_AcceptedOrEndsTheRunFirst(t *testing.T) {
	folder(t, map[string]string{"small.journal": small, "queues.yaml": queues, "bad.yaml": badQueues,
		"queues.toml": "[[partitions]]\nname = \"default\"\n[[partitions.queues]]\nname = \"root\"\n[[partitions.queues.queues]]\nname = \"default\"\nresources.max = { vcore = 1 }\n"})
	for _, name := range []string{"queues.yaml", "queues.toml"} {
		r := quern("", "replay", "--json", "--out", "decisions", "--config", name, "small.journal")
		r.want(t, cli.Succeeded, "", "")
		if r.count(t, "allocated") != 1 {
			t.Errorf("%s: a max of one core allows one allocation:\n%s", name, r.out)
		}
		if got := read(t, "decisions"); !strings.HasPrefix(got, `{"seq":1,"at":"0s","type":"config.accepted","warnings":[`) {
			t.Errorf("%s: decisions begin with\n%.300s", name, got)
		}
	}
	r := quern("", "replay", "--out", "decisions", "--config", "bad.yaml", "small.journal")
	r.want(t, cli.BadInput, "", "bad.yaml:8:")
	if got := quern("", "replay", "--out", "-", "--config", "bad.yaml", "small.journal").out; strings.Contains(got, "node.accepted") {
		t.Errorf("inputs were applied though the configuration is invalid:\n%s", got)
	}
	quern("", "replay", "--config", "none.yaml", "small.journal").want(t, cli.BadInput, "", "none.yaml")
}

// keysOfSpread are the keys of an object with percentiles, each followed by a space.
func keysOfSpread(name string, percentiles ...string) string {
	all := name + " "
	for _, key := range append([]string{"mean"}, percentiles...) {
		all += name + "." + key + " "
	}
	return all
}

// keysOfJobs are those of the figures of jobs.
func keysOfJobs(name string) string {
	all := name + " " + name + ".started " + name + ".ended "
	for _, figure := range []string{".wait_seconds", ".turnaround_seconds", ".slowdown"} {
		all += keysOfSpread(name+figure, "p50", "p90", "p95", "p99", "max")
	}
	return all + name + ".interrupted " + name + ".resource_seconds " + name + ".resource_seconds.vcore_milli "
}

// TestTheJSONSummaryHasTheShapeThatProgramsRead holds the keys and their order.
func TestTheJSONSummaryHasTheShapeThatProgramsRead(t *testing.T) {
	folder(t, map[string]string{"small.journal": small, "queues.yaml": queues})
	r := quern("", "replay", "--json", "--config", "queues.yaml", "small.journal")
	r.want(t, cli.Succeeded, "", "")
	want := "nodes apps asks allocated pending preempted rejected allocations_per_second wall_seconds virtual_seconds preemptions preemptions.guarantee " +
		"preemptions.queue preemptions.quota preemptions.required-node preemptions.surplus observed queues queues.root queues.root.used queues.root.used.vcore " +
		"queues.root.used.vcore_milli queues.root.guaranteed queues.root.wait_seconds queues.root.wait_seconds.mean queues.root.wait_seconds.p50 " +
		"queues.root.wait_seconds.p90 queues.root.wait_seconds.p99 queues.root.wait_seconds.max queues.root.preempted queues.root.allocated " +
		"queues.root.pending queues.root.pending_mean queues.root.pending_peak queues.root.oldest_pending_seconds queues.root.used_mean " +
		"queues.root.used_mean.vcore queues.root.used_mean.vcore_milli queues.root.used_peak queues.root.used_peak.vcore " +
		"queues.root.used_peak.vcore_milli " + keysOfJobs("queues.root.jobs") + "queues.root.default queues.root.default.used queues.root.default.used.vcore " +
		"queues.root.default.used.vcore_milli queues.root.default.guaranteed queues.root.default.guaranteed.vcore " +
		"queues.root.default.guaranteed.vcore_milli queues.root.default.wait_seconds queues.root.default.wait_seconds.mean " +
		"queues.root.default.wait_seconds.p50 queues.root.default.wait_seconds.p90 queues.root.default.wait_seconds.p99 " +
		"queues.root.default.wait_seconds.max queues.root.default.preempted queues.root.default.allocated queues.root.default.pending " +
		"queues.root.default.pending_mean queues.root.default.pending_peak queues.root.default.oldest_pending_seconds queues.root.default.used_mean " +
		"queues.root.default.used_mean.vcore queues.root.default.used_mean.vcore_milli queues.root.default.used_peak " +
		"queues.root.default.used_peak.vcore queues.root.default.used_peak.vcore_milli " + keysOfJobs("queues.root.default.jobs") + "cluster cluster.memory cluster.memory.used " +
		"cluster.memory.capacity cluster.memory.used_mean cluster.memory.used_peak cluster.memory.used_peak_at_seconds " +
		"cluster.memory.utilization_mean cluster.memory.utilization_peak cluster.vcore cluster.vcore.used cluster.vcore.capacity " +
		"cluster.vcore.used_milli cluster.vcore.capacity_milli cluster.vcore.used_mean cluster.vcore.used_peak cluster.vcore.used_mean_milli " +
		"cluster.vcore.used_peak_milli cluster.vcore.used_peak_at_seconds cluster.vcore.utilization_mean cluster.vcore.utilization_peak " +
		"applications applications.started applications.waiting applications.withdrawn " +
		keysOfSpread("applications.wait_seconds", "p50", "p90", "p99", "max") + keysOfSpread("applications.service_seconds", "p50", "p90", "p99", "max") +
		keysOfSpread("applications.turnaround_seconds", "p50", "p90", "p95", "p99", "max") + keysOfSpread("applications.slowdown", "p50", "p90", "p95", "p99", "max") +
		"applications.interrupted " + keysOfJobs("jobs") + "wait_seconds " +
		"wait_seconds.mean wait_seconds.p50 wait_seconds.p90 wait_seconds.p99 wait_seconds.max makespan_seconds pending_mean pending_peak " +
		"oldest_pending_seconds priorities over_time over_time.start_seconds over_time.step_seconds over_time.pending over_time.used " +
		"over_time.used.memory over_time.used.vcore_milli over_time.capacity over_time.capacity.memory over_time.capacity.vcore_milli " +
		"over_time.queues over_time.queues.root over_time.queues.root.pending over_time.queues.root.wait_seconds over_time.queues.root.used " +
		"over_time.queues.root.used.memory over_time.queues.root.used.vcore_milli over_time.queues.root.default over_time.queues.root.default.pending " +
		"over_time.queues.root.default.wait_seconds over_time.queues.root.default.used over_time.queues.root.default.used.memory " +
		"over_time.queues.root.default.used.vcore_milli"
	if got := strings.Join(keys(t, r.out), " "); got != want {
		t.Errorf("keys are\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(r.out, `"capacity": "2000m"`) || !strings.Contains(r.out, `"capacity": 4294967296`) {
		t.Errorf("vcore is to be written as \"2000m\", memory as an integer:\n%s", r.out)
	}
}

// keys lists the keys of an object in their order, with those above.
func keys(t *testing.T, text string) []string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	var all, path []string
	isKey := false
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		switch v := token.(type) {
		case json.Delim:
			switch v {
			case '{':
				path, isKey = append(path, ""), true
			case '}':
				path, isKey = path[:len(path)-1], true
			case '[': // what is in a list has no keys of its own
				for depth := 1; depth > 0; {
					switch token, _ := d.Token(); token {
					case json.Delim('['):
						depth++
					case json.Delim(']'):
						depth--
					}
				}
				isKey = true
			}
			continue
		case string:
			if isKey {
				path[len(path)-1] = v
				all = append(all, strings.Join(path, "."))
				isKey = false
				continue
			}
		}
		isKey = true
	}
}

func TestAReportIsWrittenBesideTheSummary(t *testing.T) {
	folder(t, map[string]string{"small.journal": small})
	quern("", "replay", "--report", "report.html", "small.journal").want(t, cli.Succeeded, "allocated", "")
	if page := read(t, "report.html"); !strings.HasPrefix(page, "<!doctype html>") || !strings.Contains(page, "small.journal – Quern report") {
		t.Errorf("the report begins with %.200s", page)
	}
	quern("", "replay", "--report", "-", "--json", "small.journal").want(t, cli.Succeeded, "<!doctype html>", `"allocated": 2`)
	quern("", "replay", "--report", "-", "--out", "-", "small.journal").want(t, cli.BadInput, "", "found it for more")
}

func TestCompare_SecondConfigurationOnTheSameJournal(t *testing.T) {
	folder(t, map[string]string{"small.journal": small, "queues.yaml": queues, "bad.yaml": badQueues})
	for _, journal := range []string{"small.journal", "-"} {
		r := quern(small, "replay", "--compare", "queues.yaml", journal)
		r.want(t, cli.Succeeded, "as recorded", "")
		if !strings.Contains(r.out, "queues.yaml") || !strings.Contains(r.out, "-1") {
			t.Errorf("expected both configurations and what changed:\n%s", r.out)
		}
	}
	r := quern("", "replay", "--json", "--compare", "queues.yaml", "small.journal")
	var o struct {
		Runs []struct {
			Config    string `json:"config"`
			Allocated int    `json:"allocated"`
		} `json:"runs"`
	}
	if err := json.Unmarshal([]byte(r.out), &o); err != nil || len(o.Runs) != 2 || o.Runs[0].Allocated != 2 || o.Runs[1].Allocated != 1 || o.Runs[1].Config != "queues.yaml" {
		t.Errorf("%v\n%s", err, r.out)
	}
	quern("", "replay", "--compare", "bad.yaml", "small.journal").want(t, cli.BadInput, "", "bad.yaml:8:")
}

func TestGraceIsADuration(t *testing.T) {
	folder(t, map[string]string{"small.journal": small})
	quern("", "replay", "--grace", "30s", "small.journal").want(t, cli.Succeeded, "allocated", "")
	for _, bad := range []string{"soon", "-1s", ""} {
		quern("", "replay", "--grace", bad, "small.journal").want(t, cli.BadInput, "", "--grace: expected a duration")
	}
}

func TestInterruptedRun_KeepsItsOutput(t *testing.T) {
	folder(t, map[string]string{"small.journal": small})
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var out, err bytes.Buffer
	code := run(ctx, []string{"replay", "--json", "small.journal"}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &err})
	result{code, out.String(), err.String()}.want(t, cli.Failed, "", "interrupted\n")

	slow := &stopping{Reader: strings.NewReader(small + strings.Repeat(`{"at":"3s","type":"tick"}`+"\n", 100_000))}
	ctx, slow.stop = context.WithCancel(context.Background())
	out.Reset()
	err.Reset()
	code = run(ctx, []string{"replay", "--json", "-"}, cli.Streams{In: slow, Out: &out, Err: &err})
	result{code, out.String(), err.String()}.want(t, cli.Failed, `"interrupted": true`, "interrupted")
}

// stopping interrupts the run after a while.
type stopping struct {
	io.Reader
	stop context.CancelFunc
	read int
}

func (s *stopping) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	if s.read += n; s.read > 1<<20 {
		s.stop()
	}
	return n, err
}

func TestADecisionOfTheSchedulerIsNoFailure(t *testing.T) {
	r := quern(`{"at":"0s","type":"app.add","id":"a","queue":"root.nowhere"}
{"at":"0s","type":"node.remove","id":"n"}
{"at":"0s","type":"config.set","config":"junk: ["}
`, "replay", "--out", "-", "-")
	r.want(t, cli.Succeeded, `"type":"app.rejected"`, "")
	r.want(t, cli.Succeeded, `"type":"config.rejected"`, "a configuration was refused")
}

// runsAlready restores twice as much as the second configuration of the test allows.
const runsAlready = `{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":8}}
{"at":"0s","type":"app.add","id":"a","queue":"root.apps.web"}
{"at":"0s","type":"app.add","id":"b","queue":"root.apps.batch"}
{"at":"0s","type":"allocation.restore","id":"a1","app":"a","placed_on":"n1","resources":{"vcore":2}}
{"at":"0s","type":"allocation.restore","id":"b1","app":"b","placed_on":"n1","resources":{"vcore":2}}
{"at":"0s","type":"allocation.restore","id":"b2","app":"b","placed_on":"n1","resources":{"vcore":2}}
{"at":"2m","type":"tick"}
`

func TestComparedRunsCountWhatQuotasTookByQueue(t *testing.T) {
	const queues = `{partitions: [{name: default, preemption: {quotapreemptionenabled: true}, queues: [{name: root, queues: [
{name: apps, resources: {max: {vcore: %d}}, properties: {quota.preemption.delay: 1m}, queues: [{name: web, resources: {guaranteed: {vcore: 2}}}, {name: batch}]}]}]}]}`
	folder(t, map[string]string{"wide.yaml": fmt.Sprintf(queues, 8), "low.yaml": fmt.Sprintf(queues, 3), "running.journal": runsAlready})
	args := []string{"replay", "--config", "wide.yaml", "--compare", "low.yaml", "running.journal"}
	r := quern("", args...)
	r.want(t, cli.Succeeded, "wait p50, p99, max  wide.yaml  low.yaml\n", "")
	for _, line := range []string{
		"root.apps +– +–\n", "root.apps.batch +– +–\n", "root.apps.web +– +–\n",
		"preempted +wide.yaml +low.yaml\n(.*\n)*  root.apps +0 +2\n  root.apps.batch +0 +2\n  root.apps.web +0 +0\n\n",
		"by quota +wide.yaml +low.yaml\n(.*\n)*  root.apps +0 +2\n  root.apps.batch +0 +2\n  root.apps.web +0 +0\n\n",
	} {
		if !regexp.MustCompile(line).MatchString(r.out) {
			t.Errorf("expected %q in\n%s", line, r.out)
		}
	}
	var o struct {
		Runs []struct {
			Queues map[string]struct {
				Preempted int `json:"preempted"`
				ByQuota   int `json:"preempted_by_quota"`
			} `json:"queues"`
		} `json:"runs"`
	}
	r = quern("", append(args, "--json")...)
	if err := json.Unmarshal([]byte(r.out), &o); err != nil || len(o.Runs) != 2 {
		t.Fatalf("%v in\n%s", err, r.out)
	}
	for queue, want := range map[string]int{"root": 2, "root.apps": 2, "root.apps.batch": 2, "root.apps.web": 0} {
		if a, b := o.Runs[0].Queues[queue], o.Runs[1].Queues[queue]; a.ByQuota != 0 || b.ByQuota != want || b.Preempted != want {
			t.Errorf("%s: expected %d by quota in the second run, found %+v and %+v", queue, want, a, b)
		}
	}
	if none := quern("", "replay", "--config", "wide.yaml", "--compare", "wide.yaml", "running.journal"); strings.Contains(none.out, "quota") {
		t.Errorf("no quota took anything, and yet there is\n%s", none.out)
	}
}
