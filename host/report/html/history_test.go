package html_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/report/html"
	"github.com/quern-project/quern/host/report/summary"
)

func TestChangesAreTheFiguresThatDiffer(t *testing.T) {
	before := &html.Record{Config: "a.yaml", Pending: 3, Allocated: 1200, Wait: html.WaitRecord{P99: 300}, Cluster: map[string]html.TypeRecord{"vcore": {Mean: 0.5, Peak: 1}},
		Queues: map[string]html.QueueRecord{"root": {Wait: html.WaitRecord{P99: 300}}, "root.a": {Wait: html.WaitRecord{P99: 1}}, "root.gone": {}}}
	after := &html.Record{Config: "b.yaml", Pending: 0, Allocated: 1200, Wait: html.WaitRecord{P99: 750}, Cluster: map[string]html.TypeRecord{"vcore": {Mean: 0.625, Peak: 1}},
		Queues: map[string]html.QueueRecord{"root": {Wait: html.WaitRecord{P99: 750}}, "root.a": {Wait: html.WaitRecord{P99: 2}}, "root.new": {}}}
	change := func(name, before, after string) summary.Change {
		return summary.Change{Name: name, Before: before, After: after}
	}
	want := []summary.Change{
		change("configuration", "a.yaml", "b.yaml"), change("pending", "3", "0"), change("wait p99", "5m", "12m30s"), change("vcore used, mean", "50.0 %", "62.5 %"),
		change("root wait p99", "5m", "12m30s"), change("root.a wait p99", "1s", "2s"), change("queues that are new", "", "1"), change("queues that are gone", "", "1"),
	}
	if got := html.Changes(before, after); !reflect.DeepEqual(got, want) {
		t.Errorf("found\n%v\nwant\n%v", got, want)
	}
	if got := html.Changes(before, before); len(got) > 0 {
		t.Errorf("a run differs from itself: %v", got)
	}
}

func TestAReportRemembersTheRunsOfTheOnesBefore(t *testing.T) {
	page, err := os.ReadFile(pageOf(t, "takings", takings(false)))
	if err != nil {
		t.Fatal(err)
	}
	found, err := html.ReadRecords(page)
	if err != nil || len(found) != 1 || found[0].Journal != "takings" || found[0].Preempted != 3 || found[0].Asks != 6 {
		t.Errorf("%v: found %+v", err, found)
	}
	summary := `{"asks": 7, "pending": 3, "wall_seconds": 0.1, "wait_seconds": {"p99": 2.5}, "queues": {"root.a": {"pending": 3, "used": {"vcore": "1m"}}}}`
	for _, text := range []string{summary, `{"runs": [` + summary + `, {}]}`} {
		found, err := html.ReadRecords([]byte(text))
		if err != nil || len(found) != 1 || found[0].Asks != 7 || found[0].Wait.P99 != 2.5 || found[0].Queues["root.a"].Pending != 3 {
			t.Errorf("%v: found %+v", err, found)
		}
	}
}

func TestWhatIsNoReportIsRefused(t *testing.T) {
	const page = `<script type="application/json" id="data">`
	for text, want := range map[string]string{
		"": "expected a report, or a summary", "{}": "expected a report, or a summary", "[1]": "expected a report, or a summary", "<html>": "expected a report, or a summary",
		page + "{}</script>": "found one without figures", page + `{"history": []}</script>`: "found one without figures", page: "found one without figures",
		page + `{"history": [{"makespan_seconds": 1e300}]}</script>`: "expected times from 0",
		`{"wall_seconds": 1, "wait_seconds": {"max": -1}}`:           "expected times from 0",
	} {
		if found, err := html.ReadRecords([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: expected %s, found %v, %v", text, want, found, err)
		}
	}
}

func FuzzReadRecords(f *testing.F) {
	f.Add([]byte(`{"wall_seconds": 1, "wait_seconds": {"max": 5}, "queues": {"root": {"wait_seconds": {"p99": 3}}}}`))
	f.Add([]byte(`<script type="application/json" id="data">{"history": [{"journal": "j", "cluster": {"vcore": {"utilization_mean": 0.5}}}, {}]}</script>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		found, err := html.ReadRecords(text)
		if err != nil {
			return
		}
		if len(found) == 0 {
			t.Fatal("nothing was found, and no error")
		}
		last := &found[len(found)-1]
		for i := range found {
			html.Changes(&found[i], last)
		}
		if changes := html.Changes(last, last); len(changes) > 0 {
			t.Fatalf("a run differs from itself: %v", changes)
		}
	})
}
