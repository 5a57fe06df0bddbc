package program

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestUnknownNamesBringSuggestions(t *testing.T) {
	folder(t, map[string]string{"small.journal": small, "queues.yaml": queues, "typo.yaml": "partitions:\n- queues:\n  - name: a\n    maxaplications: 5\n"})
	for line, want := range map[string]string{
		"explain small.journal --ask x-33":           `there is no ask "x-33" at`,
		"explain small.journal --ask xx-3":           `; did you mean x-3`,
		"explain small.journal --queue root.defualt": "; did you mean root.default?",
		"explain small.journal --polices here":       "unknown flag: --polices; did you mean --policies",
		"replay --configs queues.yaml small.journal": "unknown flag: --configs; did you mean --config?",
		"replya small.journal":                       `unknown command "replya"; did you mean replay?`,
		"policy inspekt x":                           `; did you mean inspect?`,
		"validate typo.yaml":                         `found "maxaplications"; did you mean maxapplications?`,
	} {
		r := quern("", strings.Fields(line)...)
		if r.code == cli.Succeeded {
			t.Errorf("%s: exit code 0", line)
		}
		r.want(t, r.code, "", want)
	}
	folder(t, map[string]string{"quern.toml": "polices = 'here'\n"})
	quern("", "version").want(t, cli.BadInput, "", "quern.toml:1: polices: expected the name of a flag such as grace, found something unknown; did you mean policies")
}

func TestExplainRemembersWhatEndedAndWhatWasRefused(t *testing.T) {
	folder(t, map[string]string{"refusals.journal": refusals + `{"at":"4s","type":"app.remove","id":"a"}` + "\n"})
	explain := func(args ...string) result {
		return quern("", append([]string{"explain", "refusals.journal"}, args...)...)
	}
	explain("--ask", "lost").want(t, cli.Succeeded, "Ask lost of application b was rejected at 0s (unknown-application): ", "")
	explain("--ask", "x").want(t, cli.Succeeded, "Ask x of application a ran on node n until 2s (finished).", "")
	explain("--ask", "big").want(t, cli.Succeeded, "Ask big of application a was removed at 1s, while it was pending.", "")
	explain("--app", "b").want(t, cli.Succeeded, "Application b was rejected at 0s (unknown-queue): ", "")
	explain("--app", "a").want(t, cli.Succeeded, "Application a ended at 4s in state Completed (app-removed).", "")
	explain("--ask", "x", "--at", "1s").want(t, cli.Succeeded, "Ask x runs on node n.", "")
	explain("--ask", "lots", "--preempt").want(t, cli.Failed, "", `there is no ask "lots" at 4s`)
	var o struct {
		Ask, App, Queue, Node, Text string
		Gone                        bool
		Ended                       struct {
			At, Reason string
			Rejected   bool
		}
	}
	if err := json.Unmarshal([]byte(explain("--ask", "x", "--json").out), &o); err != nil {
		t.Fatal(err)
	}
	if o.Ask != "x" || o.App != "a" || o.Queue != "root.default" || o.Node != "n" || !o.Gone || o.Ended.At != "2s" || o.Ended.Reason != "finished" || o.Ended.Rejected {
		t.Errorf("found %+v", o)
	}
}
