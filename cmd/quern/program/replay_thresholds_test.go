package program

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestAReplayFailsIfAConditionHolds(t *testing.T) {
	folder(t, map[string]string{"uneven": uneven})
	for condition, want := range map[string]string{
		"wait.p99 > 4s":                      "wait.p99 is 5s, above the limit of 4s",
		"wait.p99 >= 5s":                     "wait.p99 is 5s, at or above the limit of 5s",
		"wait.mean > 1.6s":                   "wait.mean is 1.67s, above the limit of 1.6s",
		"wait.mean > 1.666666665s":           "wait.mean is 1.666666666s, above the limit of 1.666666665s",
		"queue[root.b].wait.mean > 2s":       "wait.mean of queue root.b is 2.5s, above the limit of 2s",
		"queue[*].allocated < 3":             "allocated of queue root.a is 1, below the limit of 3 (the worst of 2 queues)",
		"queue[*].pending > 0":               "pending of queue root.b is 1, above the limit of 0",
		"queue[root.b].pending.oldest > 30s": "pending.oldest of queue root.b is 34s, above the limit of 30s",
		"priority[0].wait.max != 4s":         "wait.max of priority 0 is 5s, other than the limit of 4s",
		"priority[*].wait.max > 0s":          "wait.max of priority 0 is 5s, above the limit of 0s",
		"pending.mean > 0.779":               "pending.mean is 0.78, above the limit of 0.779",
		"utilization[vcore].mean <= 40%":     "utilization[vcore].mean is 40 %, at or below the limit of 40 %",
		"utilization[vcore].mean < 40.5%":    "utilization[vcore].mean is 40 %, below the limit of 40.5 %",
		"used[vcore].mean == 3200m":          "used[vcore].mean is 3.2, equal to the limit of 3.2",
		"queue[root.a].used[vcore].peak > 3": "used[vcore].peak of queue root.a is 4, above the limit of 3",
		"makespan > 39s":                     "makespan is 40s, above the limit of 39s",
		"rejected == 0":                      "rejected is 0, equal to the limit of 0",
	} {
		r := quern("", "replay", "--fail-if", condition, "uneven")
		if r.code != cli.Failed || r.err != "--fail-if: "+want+"\n" || !strings.Contains(r.out, "allocated") {
			t.Errorf("%s: exit code %d\nexpected %s\nfound    %s", condition, r.code, want, r.err)
		}
	}
}

func TestAReplaySucceedsIfNoConditionHolds(t *testing.T) {
	folder(t, map[string]string{"uneven": uneven})
	for _, condition := range []string{
		"wait.p99 > 5s", "wait.mean > 1.666666666s", "rejected > 0", "pending.mean > 0.78", "priority[7].wait.max > 0s", "used[gpu].peak > 0", "utilization[vcore].mean < 40%",
		"queue[root].used[vcore].peak > 8", "preempted.quota > 0", "gangs.timed_out > 0", "policy_faults != 0", "nodes < 1",
	} {
		if r := quern("", "replay", "--json", "--fail-if", condition, "uneven"); r.code != cli.Succeeded || r.err != "" {
			t.Errorf("%s: exit code %d, %s", condition, r.code, r.err)
		}
	}
}

func TestThresholds_EachOneCrossedIsPrinted(t *testing.T) {
	folder(t, map[string]string{"uneven": uneven, "quern.toml": "fail-if = ['asks > 3', 'pending > 0']"})
	r := quern("", "replay", "uneven")
	r.want(t, cli.Failed, "", "quern.toml:1: fail-if: asks is 4, above the limit of 3\nquern.toml:1: fail-if: pending is 1, above the limit of 0\n")
	quern("", "replay", "--fail-if", "asks > 4", "uneven").want(t, cli.Succeeded, "", "")
}

func TestAConditionThatCannotBeCheckedIsBadInput(t *testing.T) {
	folder(t, map[string]string{"uneven": uneven})
	r := quern("", "replay", "--fail-if", "wait.p9 > 5m", "uneven")
	r.want(t, cli.BadInput, "", `--fail-if: "wait.p9 > 5m", character 1: expected a figure, found "wait.p9"; did you mean`)
	if r.out != "" {
		t.Errorf("the run began with a bad condition:\n%s", r.out)
	}
	quern("", "replay", "--fail-if", "asks > 0", "--fail-if", "queue[root.aa].pending > 0", "uneven").want(t, cli.BadInput, "allocated",
		`--fail-if "queue[root.aa].pending > 0": there is no queue root.aa at the end of the run; did you mean root.a, root.b?`)
	t.Setenv("QUERN_FAIL_IF", "junk")
	quern("", "replay", "uneven").want(t, cli.BadInput, "", `QUERN_FAIL_IF: "junk", character 1: expected a figure`)
}
