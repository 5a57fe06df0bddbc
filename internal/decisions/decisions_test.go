package decisions

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var (
	update = flag.Bool("update", false, "record the decisions anew")
	write  = flag.String("write", "", "write the decisions of each run to `DIR`")
)

// root is the folder of the repository.
const root = "../.."

// recorded holds the hashes, one line for each run.
const recorded = "testdata/decisions.txt"

// run makes the scheduler decide about one fixed series of inputs.
type run struct {
	name   string
	decide func(t *testing.T, made *decisions)
}

func TestDecisionsAreTheRecordedOnes(t *testing.T) {
	before := readHashes(t)
	now := map[string]hashes{}
	for _, r := range append(append(journals(t), scenarios(t)...), workloads()...) {
		t.Run(r.name, func(t *testing.T) {
			var made decisions
			r.decide(t, &made)
			if *write != "" {
				writeDecisions(t, r.name, &made)
			}
			now[r.name] = made.hashes()
			if !*update {
				made.compare(t, before[r.name])
			}
		})
	}
	some := testing.Short() || flag.Lookup("test.run").Value.String() != ""
	for name := range before {
		switch _, made := now[name]; {
		case made:
		case some:
			now[name] = before[name]
		case !*update:
			t.Errorf("%s: recorded, but there is no such run; delete it with -update", name)
		}
	}
	if *update && !t.Failed() {
		writeHashes(t, now)
	}
}

func writeDecisions(t *testing.T, name string, made *decisions) {
	t.Helper()
	path := filepath.Join(*write, filepath.FromSlash(name)+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, made.text(), 0o644); err != nil {
		t.Fatal(err)
	}
}
