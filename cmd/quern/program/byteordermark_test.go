package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// TestByteOrderMark_SkippedInEveryText reads each example with a byte-order mark, as some editors leave it, and without.
func TestByteOrderMark_SkippedInEveryText(t *testing.T) {
	examples, err := filepath.Abs("../../../docs/examples")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(examples)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"quern.toml": "\ufeffgrace = \"1s\"\n", "packed": gzipped(t, "\ufeff"+small), "bare.json": "\ufeff" + `{"name":"x","abi":"1.0","points":["node.score"]}`}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(examples, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = "\ufeff" + string(text)
	}
	folder(t, files)
	for _, line := range []string{
		"validate queues.yaml", "validate queues.toml", "validate --from yunikorn yunikorn-configs.yaml", "replay --config queues.yaml journal.jsonl", "replay packed", "test our.feature",
		"replay --trace openb --nodes nodes.csv --pods pods.csv --config queues.yaml --map qos.toml", "import csv --map sacct.toml --nodes sinfo.csv -o o sacct.csv",
		"import swf -o o log.swf", "import kubernetes -o o cluster.json", "import history -o o history.journal", "explain journal.jsonl --config queues.yaml --ask eval-big",
	} {
		if r := quern("", strings.Fields(line)...); r.code != cli.Succeeded {
			t.Errorf("%s: exit code %d\n%s%s", line, r.code, r.out, r.err)
		}
	}
	quern("", "validate", "bare.json").want(t, cli.BadInput, "", "manifest")
	if r := quern("", "validate", "bare.json"); strings.Contains(r.err, "invalid character") {
		t.Errorf("a manifest: %s", r.err)
	}
	report := "\ufeff" + quern(small, "replay", "--json", "-").out
	if err := os.WriteFile("before.json", []byte(report), 0o600); err != nil {
		t.Fatal(err)
	}
	quern(small, "replay", "-", "--since", "before.json").want(t, cli.Succeeded, "since before.json", "")
}
