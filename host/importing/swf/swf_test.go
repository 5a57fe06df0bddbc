package swf

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/importing"
	"github.com/quern-project/quern/host/importing/importtest"
)

func imported(t testing.TB, log string, o Options, dates bool) (text, tally string, err error) {
	t.Helper()
	o.Dates = dates
	return importtest.Journal(t, importing.Options{}, importing.Layout{Dates: dates}, func(s *importing.Sink) error {
		return Read(strings.NewReader(log), "l.swf", s, o)
	})
}

// job is a line with the fields that matter.
func job(number, submit, run, processors, status int) string {
	return fmt.Sprintf("%d %d 5 %d -1 1.5 -1 %d 100 -1 %d 7 8 9 2 3 -1 -1\n", number, submit, run, processors, status)
}

const top = "; MaxNodes: 4\n;MaxProcs: 32 (of which 2 are broken)\n; UnixStartTime: 1000000000\n; Note: none\n"

func TestSWF_LargeJobBecomesAGang(t *testing.T) {
	log := top + job(1, 0, 60, 8, 1) + job(2, 10, 0, 16, 0) + job(3, 20, 60, 20, 1)
	text, tally, err := imported(t, log, Options{NodeMemory: 1 << 30, QueueBy: ByPartition}, true)
	const app = `"queue":"root.partition-3","user":"user-7","groups":["group-8"],"tags":{"partition":"3"}}`
	want := `{"at":"2001-09-09T01:46:40Z","type":"node.add","id":"node-1","capacity":{"memory":1073741824,"vcore":"8000m"}}
{"at":"2001-09-09T01:46:40Z","type":"node.add","id":"node-2","capacity":{"memory":1073741824,"vcore":"8000m"}}
{"at":"2001-09-09T01:46:40Z","type":"node.add","id":"node-3","capacity":{"memory":1073741824,"vcore":"8000m"}}
{"at":"2001-09-09T01:46:40Z","type":"node.add","id":"node-4","capacity":{"memory":1073741824,"vcore":"8000m"}}
{"at":"2001-09-09T01:46:40Z","type":"app.add","id":"1",` + app + `
{"at":"2001-09-09T01:46:40Z","type":"ask.add","id":"1","app":"1","resources":{"vcore":"8000m"},"walltime":"1m40s","run":"1m0s"}
{"at":"2001-09-09T01:46:50Z","type":"app.add","id":"2",` + app + `
{"at":"2001-09-09T01:46:50Z","type":"ask.add","id":"2","app":"2","resources":{"vcore":"8000m"},"gang":"2","gang_min":2,"walltime":"1m40s","run":"0s","count":2}
{"at":"2001-09-09T01:47:00Z","type":"app.add","id":"3",` + app + `
{"at":"2001-09-09T01:47:00Z","type":"ask.add","id":"3","app":"3","resources":{"vcore":"8000m"},"gang":"3","gang_min":3,"walltime":"1m40s","run":"1m0s","count":2}
{"at":"2001-09-09T01:47:00Z","type":"ask.add","id":"3-rest","app":"3","resources":{"vcore":"4000m"},"gang":"3","gang_min":3,"walltime":"1m40s","run":"1m0s"}
`
	if err != nil || text != want {
		t.Errorf("%v\n%s", err, text)
	}
	if tally != "taken: 4 nodes, 3 applications, 6 asks" {
		t.Error(tally)
	}
}

func TestSWF_FormOfJobs(t *testing.T) {
	const each, two = `"resources":{"vcore":"1000m"},"gang":"1","gang_min":`, `"resources":{"vcore":"8000m"},"gang":"1","gang_min":`
	for _, c := range []struct {
		form       string
		processors int
		asks       []string // what the asks say
		never      string
	}{
		{AsNodes, 1, []string{`"resources":{"vcore":"1000m"},"walltime":"1m40s","run"`}, ""},
		{AsNodes, 8, []string{`"resources":{"vcore":"8000m"},"walltime":"1m40s","run"`}, ""},
		{AsNodes, 16, []string{two + `2,"walltime":"1m40s","run":"1m0s","count":2`}, ""},
		{AsNodes, 17, []string{two + `3,"walltime":"1m40s","run":"1m0s","count":2`, `"1-rest","app":"1",` + each + `3,"walltime":"1m40s","run"`}, ""},
		{AsProcessors, 1, []string{`"resources":{"vcore":"1000m"},"walltime":"1m40s","run"`}, ""},
		{AsProcessors, 8, []string{each + `8,"walltime":"1m40s","run":"1m0s","count":8`}, ""},
		{AsProcessors, 17, []string{each + `17,"walltime":"1m40s","run":"1m0s","count":17`}, ""},
		{AsProcessors, 33, []string{each + `33,"walltime":"1m40s","run":"1m0s","count":33`}, "more processors than all nodes have"},
		{AsAsk, 8, []string{`"resources":{"vcore":"8000m"},"walltime":"1m40s","run"`}, ""},
		{AsAsk, 17, []string{`"resources":{"vcore":"17000m"},"walltime":"1m40s","run"`}, "one ask of more processors than any node has"},
		{AsAsk, 33, []string{`"resources":{"vcore":"33000m"},"walltime":"1m40s","run"`}, "more processors than all nodes have"},
	} {
		text, tally, err := imported(t, top+job(1, 0, 60, c.processors, 1), Options{JobAs: c.form}, false)
		if err != nil || strings.Count(text, "ask.add") != len(c.asks) {
			t.Errorf("%s, %d: %v\n%s", c.form, c.processors, err, text)
		}
		for _, ask := range c.asks {
			if !strings.Contains(text, ask) {
				t.Errorf("%s, %d: %s is not in\n%s", c.form, c.processors, ask, text)
			}
		}
		if strings.Contains(tally, "never starts") != (c.never != "") || !strings.Contains(tally, c.never) {
			t.Errorf("%s, %d: %s", c.form, c.processors, tally)
		}
	}
}

// The requested time of a job is its walltime. One that ran longer is reported.
func TestRequestedTimeIsTheWalltime(t *testing.T) {
	for _, c := range []struct {
		requested, run int
		walltime       string
		longer         bool
	}{{3600, 60, `"walltime":"1h0m0s","run":"1m0s"`, false}, {60, 60, `"walltime":"1m0s"`, false}, {60, 61, `"walltime":"1m0s","run":"1m1s"`, true}, {-1, 60, "", false}, {0, 60, "", false}} {
		line := fmt.Sprintf("1 0 -1 %d 1 -1 -1 1 %d -1 1 7 8 -1 -1 3 -1 -1\n", c.run, c.requested)
		text, tally, err := imported(t, "; MaxNodes: 1\n"+line, Options{}, false)
		if err != nil || !strings.Contains(text, c.walltime) || (c.walltime == "") == strings.Contains(text, "walltime") {
			t.Errorf("%+v: %v\n%s", c, err, text)
		}
		if strings.Contains(tally, "longer than its requested time") != c.longer {
			t.Errorf("%+v: %s", c, tally)
		}
	}
}

func TestTheMachineIsWorkedOutOfWhatIsKnown(t *testing.T) {
	for _, c := range []struct {
		top          string
		o            Options
		count        int
		first, last  string // processors
		fiveBecomes  string // of a job of five processors
		neverStarts5 bool
	}{
		{"; MaxNodes: 4\n; MaxProcs: 32\n", Options{}, 4, "8000m", "8000m", `"resources":{"vcore":"5000m"},"walltime":"1m40s","run"`, false},
		{"; MaxNodes: 4\n; MaxProcs: 18\n", Options{}, 4, "5000m", "4000m", `"resources":{"vcore":"1000m"},"gang":"1","gang_min":5`, false},
		{"; MaxProcs: 6\n; MaxNodes: -1\n", Options{NodeProcessors: 4}, 2, "4000m", "4000m", `"gang_min":2`, false},
		{"; MaxNodes: 6\n", Options{}, 6, "1000m", "1000m", `"gang_min":5`, false},
		{"; MaxNodes: 9\n; MaxProcs: 3\n", Options{}, 3, "1000m", "1000m", `"gang_min":5`, true},
		{"", Options{NodeCount: 2, NodeProcessors: 2}, 2, "2000m", "2000m", `"gang_min":3`, true},
	} {
		text, tally, err := imported(t, c.top+job(1, 0, 1, 5, 1), c.o, false)
		lines := strings.Split(text, "\n")
		if err != nil || strings.Count(text, "node.add") != c.count || !strings.Contains(lines[0], c.first) || !strings.Contains(lines[c.count-1], c.last) || !strings.Contains(text, c.fiveBecomes) {
			t.Errorf("%q %+v: %v\n%s", c.top, c.o, err, text)
		}
		if strings.Contains(tally, "never starts") != c.neverStarts5 {
			t.Errorf("%q: %s", c.top, tally)
		}
	}
}

func TestMemoryIsThatOfEachProcessor(t *testing.T) {
	line := "1 0 -1 10 4 -1 100 -1 -1 %d 1 -1 -1 -1 -1 -1 -1 -1\n"
	for requested, want := range map[int]string{200: `"memory":819200,`, -1: `"memory":409600,`} {
		if text, _, err := imported(t, top+fmt.Sprintf(line, requested), Options{NodeMemory: 1}, false); err != nil || !strings.Contains(text, want) {
			t.Errorf("%d: %v\n%s", requested, err, text)
		}
	}
	if text, _, _ := imported(t, top+fmt.Sprintf(line, 200), Options{}, false); strings.Contains(text, "memory") {
		t.Errorf("without the memory of nodes there is some:\n%s", text)
	}
}

func TestQueuesAreMadeOfWhatIsAskedFor(t *testing.T) {
	for by, want := range map[string]string{
		ByQueue: "root.queue-2", ByPartition: "root.partition-3", ByUser: "root.user-7", ByGroup: "root.group-8", ByNothing: "root.default",
	} {
		if text, _, err := imported(t, top+job(1, 0, 1, 1, 1), Options{QueueBy: by}, false); err != nil || !strings.Contains(text, `"queue":"`+want+`"`) {
			t.Errorf("%s: %v\n%s", by, err, text)
		}
	}
}

func TestWhatCannotBeInAJournalIsCounted(t *testing.T) {
	log := top + job(1, 0, 5, 1, 2) + job(2, 0, -1, 1, 5) + job(3, 0, 0, 1, 5) + job(4, 0, -1, 1, 1) + job(5, 0, 5, -1, 1) + job(6, 0, 5, 1, 5) + "\n" + job(7, 0, 5, 33, 1)
	text, tally, err := imported(t, log, Options{}, false)
	if err != nil || strings.Count(text, "app.add") != 2 {
		t.Errorf("%v\n%s", err, text)
	}
	const want = `taken: 4 nodes, 2 applications, 6 asks
left out: 1 job: part of a job that has a line of its own (status 2 to 4)
left out: 2 jobs: cancelled before running
left out: 1 job: run time unknown
left out: 1 job: number of processors unknown
note: 1 job: more processors than all nodes have; never starts`
	if tally != want {
		t.Errorf("got\n%s", tally)
	}
}

func TestSWF_StatusOfJobs(t *testing.T) {
	const withdrawn = `{"at":"15s","type":"app.remove","id":"4"}`
	log := top + job(1, 0, 1, 1, 0) + job(2, 0, 1, 1, 1) + job(3, 0, 1, 1, 5) + job(4, 10, -1, 9, 5) + "5 0 -1 -1 1 -1 -1 1 -1 -1 5 7 8 9 2 3 -1 -1\n"
	for _, c := range []struct {
		failed, cancelled string
		apps              int
		removed           bool
		tally             string
	}{
		{"", "", 3, false, "left out: 2 jobs: cancelled before running"},
		{KeepJobs, LeaveOut, 3, false, "left out: 2 jobs: cancelled before running"},
		{LeaveOut, LeaveOut, 1, false, "left out: 1 job: failed\nleft out: 1 job: cancelled while running\nleft out: 2 jobs: cancelled before running"},
		{KeepJobs, Withdraw, 4, true, "left out: 1 job: cancelled before running, at an unknown time\nnote: 1 job: cancelled before running; withdrawn after the time that it waited"},
		{LeaveOut, Withdraw, 2, true, "left out: 1 job: failed\nleft out: 1 job: cancelled while running"},
	} {
		text, tally, err := imported(t, log, Options{Failed: c.failed, Cancelled: c.cancelled}, false)
		if err != nil || strings.Count(text, "app.add") != c.apps || strings.Contains(text, withdrawn) != c.removed || !strings.Contains(tally, c.tally) {
			t.Errorf("%+v: %v\n%s\n%s", c, err, tally, text)
		}
		if strings.Contains(text, `"id":"4","app":"4","resources":{"vcore":"8000m"},"gang":"4","gang_min":2,"walltime":"1m40s","count":1}`) != c.removed {
			t.Errorf("%+v: job 4 has no end of its own:\n%s", c, text)
		}
	}
}

func TestABadLogNamesFileLineAndField(t *testing.T) {
	for log, want := range map[string]string{
		"":                               "l.swf: MaxNodes: expected a header line with the number of nodes, or --node-count or --node-processors, found none",
		job(1, 0, 1, 1, 1):               "l.swf: MaxNodes: expected a header line",
		"; MaxNodes: many\n":             `l.swf:1: MaxNodes: expected a whole number from 0 to 1000000, or -1, found "many"`,
		top + "1 2 3\n":                  "l.swf:5: expected 18 numbers, found 3 fields",
		top + job(-1, 0, 1, 1, 1):        `l.swf:5: job number: expected a number from 0, or -1 if unknown, found "-1"`,
		top + job(1, -1, 1, 1, 1):        `l.swf:5: submit time: expected a number from 0`,
		top + job(1, 0, -2, 1, 1):        `l.swf:5: run time: expected a number from 0, or -1 if unknown, found "-2"`,
		top + strings.Repeat("1", 2<<20): "l.swf:5: expected at most 1 MiB, found a longer line",
		top + strings.Replace(job(1, 0, 1, 1, 1), "1.5", "NaN", 1): `l.swf:5: average CPU time: expected a number from 0`,
	} {
		if _, _, err := imported(t, log, Options{}, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q:\ngot  %v\nwant %s", log, err, want)
		}
	}
	if _, _, err := imported(t, "; MaxNodes: 1\n"+job(1, 0, 1, 1, 1), Options{}, true); err == nil || !strings.Contains(err.Error(), "UnixStartTime: expected a header line that says when the log begins") {
		t.Errorf("dates without a beginning: %v", err)
	}
}

func FuzzLog(f *testing.F) {
	f.Add(top+job(1, 0, 60, 8, 1)+job(2, 10, 0, 20, 0), uint8(0), uint8(0), uint8(0))
	f.Add("; MaxProcs: 7\n"+job(1, 5, 60, 9, 5)+"1 2\n", uint8(3), uint8(2), uint8(1))
	f.Add(job(1, 1<<40, 1<<40, 1<<20, -1), uint8(1), uint8(1), uint8(2))
	f.Fuzz(func(t *testing.T, log string, nodes, processors, form uint8) {
		as := JobForms()[int(form)%len(JobForms())]
		if regexp.MustCompile(`:\s*[0-9]{5}`).MatchString(log) {
			return // as many nodes as a log says are made
		}
		text, _, err := imported(t, log, Options{NodeCount: int(nodes), NodeProcessors: int(processors), NodeMemory: 1 << 40, JobAs: as}, false)
		if err != nil {
			return
		}
		importtest.Readable(t, text)
	})
}
