package program

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// refusals is a journal with inputs of each kind that the scheduler refuses or ignores, and with asks that end.
const refusals = `{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":4}}
{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":4}}
{"at":"0s","type":"app.add","id":"a","queue":"root.default"}
{"at":"0s","type":"app.add","id":"b","queue":"root.nowhere"}
{"at":"0s","type":"ask.add","id":"x","app":"a","resources":{"vcore":2},"run":"2s"}
{"at":"0s","type":"ask.add","id":"x","app":"a","resources":{"vcore":2}}
{"at":"0s","type":"ask.add","id":"lost","app":"b","resources":{"vcore":2}}
{"at":"0s","type":"ask.add","id":"lost-too","app":"b","resources":{"vcore":2}}
{"at":"0s","type":"ask.add","id":"empty","app":"a","resources":{}}
{"at":"0s","type":"ask.add","id":"big","app":"a","resources":{"vcore":9}}
{"at":"1s","type":"ask.remove","id":"big"}
{"at":"1s","type":"ask.remove","id":"stranger"}
{"at":"3s","type":"tick"}
`

func TestTheSummaryBreaksRejectionsDownByReason(t *testing.T) {
	folder(t, map[string]string{"refusals.journal": refusals})
	r := quern("", "replay", "refusals.journal")
	for _, want := range []string{
		"  nodes rejected:\n    1 duplicate, for example n\n  applications rejected:\n    1 unknown-queue, for example b\n",
		"  asks rejected:\n    2 unknown-application, for example lost\n    1 duplicate, for example x\n    1 no-resources, for example empty\n",
		"  inputs ignored:\n    1 unknown-ask, for example stranger\n",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("the summary lacks\n%s\nin\n%s", want, r.out)
		}
	}
	quern("", "replay", "refusals.journal", "--report", "report.html").want(t, cli.Succeeded, "", "")
	if page := read(t, "report.html"); !strings.Contains(page, `{"decision":"ask.rejected","reason":"unknown-application","count":2,"example":"lost"}`) {
		t.Error("the report does not list the rejections")
	}
}

func TestTheSummaryCountsRejectionsAndEndsForPrograms(t *testing.T) {
	type outcome struct {
		Decision, Reason, Example string
		Count                     int
	}
	folder(t, map[string]string{"refusals.journal": refusals})
	var o struct{ Rejections, Ended []outcome }
	if err := json.Unmarshal([]byte(quern("", "replay", "refusals.journal", "--json").out), &o); err != nil {
		t.Fatal(err)
	}
	if want := []outcome{
		{"node.rejected", "duplicate", "n", 1}, {"app.rejected", "unknown-queue", "b", 1}, {"ask.rejected", "unknown-application", "lost", 2},
		{"ask.rejected", "duplicate", "x", 1}, {"ask.rejected", "no-resources", "empty", 1}, {"ignored", "unknown-ask", "stranger", 1},
	}; !reflect.DeepEqual(o.Rejections, want) {
		t.Errorf("rejections: expected %v, found %v", want, o.Rejections)
	}
	if want := []outcome{{"", "finished", "x", 1}, {"", "withdrawn", "big", 1}}; !reflect.DeepEqual(o.Ended, want) {
		t.Errorf("ended: expected %v, found %v", want, o.Ended)
	}
}
