package program

import (
	"os"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestNothing_IsNotCompared(t *testing.T) {
	modules := t.TempDir()
	module(t, modules, "smallest", smallest)
	lost := strings.ReplaceAll(small, "root.default", "root.lost")
	folder(t, map[string]string{
		"empty": "", "comment": "# nothing\n", "head": `{"type":"journal","version":1}` + "\n", "lost": lost, "j": small, "queues.yaml": queues,
		"apps": `{"at":"0s","type":"app.add","id":"a","queue":"root.lost"}` + "\n", "named.yaml": "partitions:\n- name: default\n  queues:\n  - name: lost\n",
	})
	const rejected = "all 3 asks were rejected (1 unknown-queue, such as a; 3 unknown-application, such as x-1); the only queue is root.default: is a configuration missing?"
	for journal, why := range map[string]string{
		"empty": "there are no inputs", "comment": "there are no inputs", "head": "there are no inputs", "lost": rejected,
		"apps": "the only input was rejected (1 unknown-queue, such as a); the only queue is root.default: is a configuration missing?",
	} {
		r := quern("", "policy", "try", "--policy-cache", "none", modules+"/smallest.wasm", journal, "--report", "page.html", "--json")
		if r.code != cli.BadInput || r.out != "" || r.err != "there is nothing to compare: "+why+"\n" {
			t.Errorf("try %s: exit code %d\n%s%s", journal, r.code, r.out, r.err)
		}
		r = quern("", "replay", journal, "--compare", "queues.yaml")
		if r.code != cli.BadInput || !strings.Contains(r.err, "there is nothing to compare: "+why+"\n") {
			t.Errorf("compare %s: exit code %d\n%s%s", journal, r.code, r.out, r.err)
		}
		r = quern("", "replay", journal)
		if r.code != cli.Succeeded || r.err != "warning: nothing was scheduled: "+why+"\n" {
			t.Errorf("replay %s: exit code %d\n%s%s", journal, r.code, r.out, r.err)
		}
	}
	if _, err := os.Stat("page.html"); err == nil {
		t.Error("there is a report about nothing")
	}
	quern("", "replay", "lost", "--compare", "named.yaml").want(t, cli.Succeeded, "leaves 1 pending instead of 0", "")
	if r := quern("", "replay", "j"); r.err != "" {
		t.Errorf("a run with asks is warned about: %s", r.err)
	}
}

func TestNothing_IsNotImported(t *testing.T) {
	folder(t, map[string]string{"none.json": `{"apiVersion":"v1","kind":"List","items":[]}`, "empty": "", "old": "old"})
	for _, args := range []string{"kubernetes -o old none.json", "kubernetes -o old empty", "history -o old empty"} {
		r := quern("", append([]string{"import"}, strings.Fields(args)...)...)
		r.want(t, cli.BadInput, "", "expected nodes, applications or asks, found none: no journal is written\n")
		if strings.Contains(r.err, "replay it with") || read(t, "old") != "old" {
			t.Errorf("%s: %s", args, r.err)
		}
	}
}
