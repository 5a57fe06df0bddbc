package program

import (
	"encoding/json"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestExplainSaysWhyAnAskAnApplicationOrAQueueWaits(t *testing.T) {
	folder(t, map[string]string{"small.journal": small, "queues.yaml": queues})
	quern("", "explain", "small.journal", "--ask", "x-3").want(t, cli.Succeeded, "x-3", "")
	quern("", "explain", "small.journal", "--app", "a").want(t, cli.Succeeded, "root.default", "")
	quern("", "explain", "small.journal", "--queue", "root.default").want(t, cli.Succeeded, "root.default", "")
	quern("", "explain", "--config", "queues.yaml", "small.journal", "--ask", "x-2").want(t, cli.Succeeded, "lacks 1 vcore", "")
	quern(small, "explain", "-", "--ask", "x-3").want(t, cli.Succeeded, "x-3", "")
}

func TestAnExplanationIsTrueAtItsMoment(t *testing.T) {
	folder(t, map[string]string{"small.journal": small})
	for at, pending := range map[string]bool{"": true, "2s": true, "12s": false, "idle": false} {
		r := quern("", "explain", "small.journal", "--ask", "x-3", "--json", "--at", at)
		if r.code != cli.Succeeded {
			if pending {
				t.Errorf("at %q: %s", at, r.err)
			}
			continue
		}
		var o struct {
			Ask     string   `json:"ask"`
			Pending bool     `json:"pending"`
			Reasons []string `json:"reasons"`
		}
		if err := json.Unmarshal([]byte(r.out), &o); err != nil || o.Ask != "x-3" || o.Pending != pending || pending != (len(o.Reasons) > 0) {
			t.Errorf("at %q: %v, pending is to be %v in\n%s", at, err, pending, r.out)
		}
	}
	quern("", "explain", "small.journal", "--ask", "x-3", "--at", "later").want(t, cli.BadInput, "", "--at: expected")
}

func TestExplainOfApplicationsAndQueuesHasAnObjectEach(t *testing.T) {
	folder(t, map[string]string{"small.journal": small})
	for _, c := range [][]string{{"--app", "a"}, {"--queue", "root"}} {
		r := quern("", append([]string{"explain", "small.journal", "--json"}, c...)...)
		var o map[string]any
		if err := json.Unmarshal([]byte(r.out), &o); err != nil || o["text"] == "" {
			t.Errorf("%v: %v\n%s", c, err, r.out)
		}
	}
}

func TestExplainOfSomethingUnknownFails(t *testing.T) {
	folder(t, map[string]string{"small.journal": small, "bad": small + "junk\n"})
	for _, c := range [][]string{{"--ask", "nobody"}, {"--app", "nobody"}, {"--queue", "root.nowhere"}} {
		if r := quern("", append([]string{"explain", "small.journal"}, c...)...); r.code == cli.Succeeded || r.out != "" || r.err == "" {
			t.Errorf("%v: exit code %d\n%s%s", c, r.code, r.out, r.err)
		}
	}
	quern("", "explain", "bad", "--ask", "x-1").want(t, cli.BadInput, "", "bad:7:")
}

func TestExplainSaysWhatAnotherMaxOfAQueueWouldTake(t *testing.T) {
	folder(t, map[string]string{"small.journal": small, "queues.yaml": queues})
	quern("", "explain", "small.journal", "--queue", "root", "--max", "vcore=1k,memory=1Ei").want(t, cli.Succeeded, "Queue root uses no more than that.", "")
	quern("", "explain", "small.journal", "--queue", "root.none", "--max", "vcore=1").want(t, cli.Failed, "", `there is no queue "root.none"`)
	for amounts, want := range map[string]string{"4": "type=amount", "=4": "type=amount", "vcore=x": "vcore: expected", "vcore=1,vcore=2": "vcore twice"} {
		quern("", "explain", "small.journal", "--queue", "root", "--max", amounts).want(t, cli.BadInput, "", want)
	}
	quern("", "explain", "small.journal", "--ask", "x-3", "--max", "vcore=1").want(t, cli.BadInput, "", "--max: expected --queue beside it")
}
