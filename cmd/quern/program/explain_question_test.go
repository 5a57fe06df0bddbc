package program

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// example makes a folder with some of the examples of the documents.
func example(t *testing.T, names ...string) {
	t.Helper()
	files := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join("../../../docs/examples", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	folder(t, files)
}

// explained runs a command with --json and reads what it prints.
func explained(t *testing.T, args ...string) map[string]any {
	t.Helper()
	r := quern("", append(args, "--json")...)
	var o map[string]any
	if err := json.Unmarshal([]byte(r.out), &o); err != nil || r.code != cli.Succeeded {
		t.Fatalf("%v: %v, exit code %d\n%s%s", args, err, r.code, r.out, r.err)
	}
	return o
}

// holds expects values at paths such as victims.0.id.
func holds(t *testing.T, o map[string]any, want map[string]any) {
	t.Helper()
	for path, value := range want {
		var at any = o
		for _, key := range strings.Split(path, ".") {
			switch v := at.(type) {
			case map[string]any:
				at = v[key]
			case []any:
				var i int
				if _, err := fmt.Sscan(key, &i); err != nil || i >= len(v) {
					at = nil
					continue
				}
				at = v[i]
			default:
				at = nil
			}
		}
		if !reflect.DeepEqual(at, value) {
			t.Errorf("%s: expected %v, found %v", path, value, at)
		}
	}
}

func TestExplainSaysWhereAnApplicationWouldGo(t *testing.T) {
	example(t, "placement.yaml", "placement.jsonl")
	base := []string{"explain", "--config", "placement.yaml", "--place"}
	quern("", append(base, "--user", "dave", "--groups", "students", "--tag", "namespace=labs")...).want(t, cli.Succeeded, "Placed in root.people.dave by rule 3 (user).", "")
	quern("", append(base, "--user", "mallory", "--to", "root.batch")...).want(t, cli.Succeeded, "Refused: no placement rule yields a queue", "")
	holds(t, explained(t, append(base, "--user", "dave", "--groups", "students,late", "--to", "root.batch", "--tag", "namespace=a=b")...), map[string]any{
		"at": "0s", "user": "dave", "groups": []any{"students", "late"}, "to": "root.batch", "tags": map[string]any{"namespace": "a=b"},
		"queue": "root.people.dave", "rule": 3., "recovery": false, "creates": []any{"root.people.dave"}, "reason": nil,
		"tried.0.fault": "filter", "tried.0.value": "namespace", "tried.1.fault": "no-access", "tried.1.yield": "root.batch", "tried.2.rule": 3., "tried.2.fault": nil,
	})
	holds(t, explained(t, append(base, "--user", "mallory")...), map[string]any{
		"queue": nil, "reason": "access-denied", "creates": []any{}, "groups": []any{}, "tags": map[string]any{},
		"tried.2.yield": "root.people.mallory", "tried.2.at": "root.people", "tried.3.rule": 0., "tried.3.yield": "root.default", "tried.3.fault": "absent",
	})
	holds(t, explained(t, append(base, "--tag", "application.create.force=true")...), map[string]any{"queue": "root.@recovery@", "recovery": true, "rule": 0.})
	holds(t, explained(t, append(base, "--partition", "gpu")...), map[string]any{"queue": nil, "reason": "unknown-partition"})
	holds(t, explained(t, append(base, "--partition", "DEFAULT", "--user", "carol", "--groups", "staff", "--to", "people.carol")...), map[string]any{"queue": "root.people.carol"})
}

func TestExplainPlacement_AtAMomentOfAJournal(t *testing.T) {
	example(t, "placement.yaml", "placement.jsonl")
	base := []string{"explain", "--config", "placement.yaml", "placement.jsonl", "--place", "--user", "carol", "--tag", "namespace=web.shop"}
	holds(t, explained(t, append(base, "--at", "30s")...), map[string]any{"at": "30s", "queue": "root.namespaces.web_dot_shop", "creates": []any{}})
	holds(t, explained(t, append(base, "--at", "75s")...), map[string]any{"queue": "root.namespaces.web_dot_shop", "creates": []any{"root.namespaces.web_dot_shop"}})
}

func TestPlacesInOtherPartitionsAreNamedWithThem(t *testing.T) {
	folder(t, map[string]string{"two.yaml": "partitions:\n- name: default\n  queues: [{name: root}]\n- name: GPU\n  placementrules: [{name: user, create: true, parent: {name: fixed, value: root.people}}]\n  queues: [{name: root, submitacl: alice, queues: [{name: people, parent: true}]}]\n"})
	holds(t, explained(t, "explain", "--config", "two.yaml", "--place", "--partition", "gpu", "--user", "alice"), map[string]any{
		"queue": "[gpu]root.people.alice", "creates": []any{"[gpu]root.people.alice"}, "tried.0.yield": "[gpu]root.people.alice",
	})
	holds(t, explained(t, "explain", "--config", "two.yaml", "--queue", "[gpu]root.people", "--user", "alice"), map[string]any{
		"queue": "[gpu]root.people", "submit": true, "submit_by.queue": "[gpu]root", "admin": false,
	})
	holds(t, explained(t, "explain", "--config", "two.yaml", "--queue", "root", "--user", ""), map[string]any{"open": true, "submit": true, "admin": true, "submit_by": nil})
}

func TestExplainSaysWhatAUserMayDoInAQueue(t *testing.T) {
	example(t, "placement.yaml", "placement.jsonl")
	base := []string{"explain", "--config", "placement.yaml", "--queue", "root.batch", "--user"}
	quern("", append(base, "alice")...).want(t, cli.Succeeded, `may submit to queue root.batch by the user in submitacl of root.batch, and may not administer it`, "")
	quern("", append(base, "mallory")...).want(t, cli.Succeeded, "may neither submit", "")
	holds(t, explained(t, append(base, "carol", "--groups", "staff,ops")...), map[string]any{
		"queue": "root.batch", "user": "carol", "groups": []any{"staff", "ops"}, "open": false, "submit": true, "admin": true,
		"admin_by": map[string]any{"queue": "root", "list": "adminacl", "name": "ops", "group": true},
	})
	holds(t, explained(t, append(base, "", "--groups", "")...), map[string]any{"user": "", "groups": []any{}, "submit": false, "submit_by": nil, "admin_by": nil})
	quern("", "explain", "--config", "placement.yaml", "--queue", "root.none", "--user", "alice").want(t, cli.Failed, "", `there is no queue "root.none" at 0s`)
	quern("", "explain", "--config", "placement.yaml", "placement.jsonl", "--at", "30s", "--queue", "root.people.dave", "--user", "dave").want(t, cli.Succeeded, "may neither submit", "")
}

func TestExplainListsWhatUsersAndGroupsUseOfTheirLimits(t *testing.T) {
	example(t, "limits.yaml", "limits.jsonl")
	base := []string{"explain", "--config", "limits.yaml", "limits.jsonl", "--at", "4s", "--limits"}
	quern("", base...).want(t, cli.Succeeded, "In root.lab, user bob uses 4 of 4 vcore.\nIn root.lab, user eve uses 2 of 4 vcore.\nIn root.lab, group course uses 6 of 6 vcore, 2 of 2 applications.\n", "")
	quern("", append(base, "--user", "eve")...).want(t, cli.Succeeded, "In root.lab, user eve uses 2 of 4 vcore.", "")
	quern("", append(base, "--user", "", "--groups", "other")...).want(t, cli.Succeeded, `No limit applies to a live application of user "", group other.`, "")
	all := explained(t, base...)
	if n := len(all["usage"].([]any)); n != 3 {
		t.Errorf("expected 3 entries, found %d", n)
	}
	holds(t, all, map[string]any{
		"at": "4s", "user": nil, "groups": []any{}, "usage.0.queue": "root.lab", "usage.0.kind": "user", "usage.0.name": "bob", "usage.0.used.vcore": "4000m",
		"usage.0.max.vcore": "4000m", "usage.2.kind": "group", "usage.2.name": "course", "usage.2.applications": 2., "usage.2.max_applications": 2.,
	})
	some := explained(t, append(base, "--user", "course", "--groups", "bob,course")...)
	if n := len(some["usage"].([]any)); n != 1 {
		t.Errorf("expected 1 entry, a group of that name, found %v", some["usage"])
	}
	holds(t, explained(t, append(base, "--user", "nobody")...), map[string]any{"usage": []any{}, "user": "nobody"})
}

func TestExplainOfAnAskListsLimitsAndGangs(t *testing.T) {
	example(t, "limits.yaml", "limits.jsonl", "gang.yaml", "gang.jsonl", "atomic.jsonl")
	holds(t, explained(t, "explain", "--config", "limits.yaml", "limits.jsonl", "--at", "4s", "--ask", "eve-late"), map[string]any{
		"limits.0": map[string]any{"reason": "group-limit", "queue": "root.lab", "name": "course", "type": "vcore", "limit": "6000m", "used": "6000m", "missing": "1000m"},
		"limits.1": map[string]any{"reason": "group-max-applications", "queue": "root.lab", "name": "course", "limit": 2., "used": 2., "missing": 1.},
	})
	holds(t, explained(t, "explain", "--config", "gang.yaml", "atomic.jsonl", "--at", "30s", "--ask", "red-1"), map[string]any{
		"atomic.id": "g", "atomic.pending": 4., "atomic.min": 4., "atomic.fits": 2., "atomic.barred": "red-3", "atomic.ends_at": nil,
		"atomic.lacks.0.missing": "2000m", "atomic.nodes.0.reason": "full", "atomic.limits": []any{},
	})
	holds(t, explained(t, "explain", "--config", "gang.yaml", "gang.jsonl", "--grace", "10s", "--at", "45s", "--ask", "worker-1"), map[string]any{
		"reasons": []any{"waits-for-release"}, "lacks": []any{}, "limits": []any{}, "nodes": []any{}, "member.bound": true, "member.node": "n2",
		"member.takes": "hold-worker-1", "gang.leaving": 3., "atomic": nil,
	})
}

func TestExplain_NamesSourcesOfApplicationAndQueue(t *testing.T) {
	example(t, "placement.yaml", "placement.jsonl", "limits.yaml", "limits.jsonl", "quota.yaml", "quota.jsonl", "quota-shrunk.yaml")
	holds(t, explained(t, "explain", "--config", "placement.yaml", "placement.jsonl", "--at", "30s", "--app", "thesis"), map[string]any{
		"placement.queue": "root.people.dave", "placement.rule": 3., "placement.recovery": false, "placement.tried.0.fault": "filter", "place": 0., "has_place": false,
	})
	holds(t, explained(t, "explain", "--config", "placement.yaml", "placement.jsonl", "--at", "30s", "--queue", "root.people.dave"), map[string]any{"dynamic": true, "template": "root.people"})
	holds(t, explained(t, "explain", "--config", "placement.yaml", "placement.jsonl", "--at", "30s", "--queue", "root.people"), map[string]any{"dynamic": false, "template": nil})
	holds(t, explained(t, "explain", "--config", "limits.yaml", "limits.jsonl", "--at", "4s", "--app", "eve-2"), map[string]any{
		"group": "course", "has_place": false, "limits.0.reason": "group-max-applications", "placement": nil, "queue": "root.lab.jobs",
	})
	holds(t, explained(t, "explain", "--config", "quota.yaml", "quota.jsonl", "--at", "90s", "--queue", "root.apps"), map[string]any{
		"quota.excess.vcore": "10000m", "quota.due": "2m0s", "quota.reason": nil, "dynamic": false,
	})
	holds(t, explained(t, "explain", "--config", "quota.yaml", "quota.jsonl", "--at", "30s", "--queue", "root.apps", "--max", "vcore=14"), map[string]any{
		"excess.vcore": "6000m", "delay": "1m0s", "stays": map[string]any{}, "victims.0.id": "web-4", "victims.0.kind": "quota", "reason": nil,
	})
}

func TestExplainRefusesFlagsThatDoNotGoTogether(t *testing.T) {
	folder(t, map[string]string{"small.journal": small, "queues.yaml": queues})
	for args, want := range map[string]string{
		"small.journal":                                     "expected one of --ask, --app, --queue, --window, --limits and --place, found 0",
		"small.journal --ask x --limits":                    "expected one of --ask, --app, --queue, --window, --limits and --place, found 2",
		"small.journal --place --queue root":                "expected one of --ask, --app, --queue, --window, --limits and --place, found 2",
		"small.journal --ask x --user a":                    "--user: expected --queue, --limits or --place beside it, found --ask",
		"small.journal --app x --groups a":                  "--groups: expected --queue, --limits or --place beside it, found --app",
		"small.journal --queue root --groups a":             "--groups: expected --user beside --queue, found none",
		"small.journal --queue root --user a --max vcore=1": "expected one of --max and --user beside --queue, found both",
		"small.journal --limits --groups a,,b":              `--groups: expected names joined by commas, found "a,,b"`,
		"small.journal --limits --to root.a":                "--to: expected --place beside it, found --limits",
		"small.journal --limits --tag a=b":                  "--tag: expected --place beside it, found --limits",
		"small.journal --queue root --partition a":          "--partition: expected --place beside it, found --queue",
		"small.journal --limits --preempt":                  "--preempt: expected --ask beside it, found --limits",
		"small.journal --place --max vcore=1":               "--max: expected --queue beside it, found --place",
		"small.journal --queue root --max ":                 `--max: expected type=amount, joined by commas, found ""`,
		"small.journal --queue root --max vcore=-1":         "--max: vcore: ",
		"small.journal --place --tag namespace":             `--tag: expected name=value, found "namespace"`,
		"small.journal --place --tag =a":                    `--tag: expected name=value, found "=a"`,
		"small.journal --place --tag a=1 --tag a=2":         `--tag: expected each name once, found "a" twice`,
		"--place --at 3s":                                   "expected a journal, - for standard input, --trace or --config; found none",
		"--queue root --user a --at 3s":                     "expected a journal, - for standard input, --trace or --config; found none",
		"--config queues.yaml --limits":                     "expected a journal, - for standard input, or --trace; found none",
		"--config queues.yaml --queue root":                 "expected a journal, - for standard input, or --trace; found none",
		"--config queues.yaml --place --at soon":            "--at: expected",
		"--config none.yaml --place":                        "none.yaml",
	} {
		quern("", append([]string{"explain"}, strings.Split(args, " ")...)...).want(t, cli.BadInput, "", want)
	}
	// A preempt that is switched off asks nothing.
	quern("", "explain", "small.journal", "--queue", "root.default", "--preempt=false").want(t, cli.Succeeded, "root.default", "")
}
