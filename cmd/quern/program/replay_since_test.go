package program

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestAReplayShowsWhatChangedSinceAnEarlierReport(t *testing.T) {
	_, inputs, _ := strings.Cut(uneven, "\n")
	folder(t, map[string]string{"uneven": uneven, "tight": `{"at":"0s","type":"config.set","config":"` + capped(2) + "\"}\n" + inputs})
	quern("", "replay", "--report", "first.html", "uneven").want(t, cli.Succeeded, "", "")
	r := quern("", "replay", "--since", "first.html", "--report", "second.html", "tight")
	found := strings.Join(strings.Fields(r.out), " ")
	for _, want := range []string{"since first.html before now ", " pending 1 3 ", " wait mean 1.67s 0s ", " makespan 40s 35s ", " vcore used, mean 40.0 % 10.0 %", " root.b wait p99 5s 0s"} {
		if !strings.Contains(found, want) {
			t.Errorf("expected %q in\n%s", want, r.out)
		}
	}
	if page := read(t, "second.html"); !strings.Contains(page, `"since":"first.html"`) || !strings.Contains(page, `"history":[{"journal":"uneven",`) {
		t.Error("the second report does not know the first")
	}
	quern("", "replay", "--json", "--since", "first.html", "tight").want(t, cli.Succeeded, `"since": {
    "file": "first.html",
    "changes": [
      {
        "name": "allocated",
        "before": "3",
        "after": "1"
      },
`, "")
	quern("", "replay", "--json", "--since", "first.html", "uneven").want(t, cli.Succeeded, `"changes": []`, "")
	quern("", "replay", "--since", "first.html", "uneven").want(t, cli.Succeeded, "No figure has changed since first.html.", "")
	folder(t, map[string]string{"uneven": uneven, "sum.json": quern("", "replay", "--json", "uneven").out})
	quern("", "replay", "--since", "sum.json", "uneven").want(t, cli.Succeeded, "No figure has changed since sum.json.", "")
}

func TestWhatIsNoEarlierReportIsBadInput(t *testing.T) {
	folder(t, map[string]string{"uneven": uneven, "other": "{}"})
	quern("", "replay", "--since", "other", "uneven").want(t, cli.BadInput, "", "--since: other: expected a report, or a summary that quern replay --json printed, found another file")
	quern("", "replay", "--since", "missing", "uneven").want(t, cli.BadInput, "", "--since: missing: no such file")
	quern("", "replay", "--report", "first.html", "uneven").want(t, cli.Succeeded, "", "")
	quern("", "replay", "--since", "first.html", "--report", "first.html", "uneven").want(t, cli.BadInput, "", "--report: first.html: expected a file of its own")
}

func TestTheReportNamesTheCommandThatShowsTheRun(t *testing.T) {
	folder(t, map[string]string{"it's uneven": uneven, "two.yaml": capped(2)})
	quern("", "replay", "--config", "two.yaml", "--report", "r.html", "it's uneven").want(t, cli.Succeeded, "", "")
	if page := read(t, "r.html"); !strings.Contains(page, `"command":"quern playground --config two.yaml 'it'\\''s uneven'"`) {
		_, rest, _ := strings.Cut(page, `"command":`)
		t.Errorf("the page names %.80s", rest)
	}
	quern(uneven, "replay", "--report", "r.html", "-").want(t, cli.Succeeded, "", "")
	if page := read(t, "r.html"); strings.Contains(page, `"command":`) {
		t.Error("standard input cannot be shown once more")
	}
}
