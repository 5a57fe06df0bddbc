package program

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestRun_BadLineEndsItAfterTheLinesBefore(t *testing.T) {
	folder(t, map[string]string{
		"quantity":  small + `{"at":"3s","type":"ask.add","id":"y","app":"a","resources":{"vcore":"one"}}` + "\n",
		"key":       small + `{"at":"3s","type":"tick","colour":"red"}` + "\n",
		"type":      small + `{"at":"3s","type":"tock"}` + "\n",
		"backwards": small + `{"at":"1s","type":"tick"}` + "\n",
		"twice":     small + `{"at":"3s","at":"4s","type":"tick"}` + "\n",
		"junk":      small + "\x00\x01\xff\xfe{}\n",
		"cut":       gzipped(t, small+strings.Repeat(`{"at":"3s","type":"tick"}`+"\n", 9))[:150],
	})
	for name, expected := range map[string]string{
		"quantity": "quantity:7: ", "key": "key:7: colour", "type": "type:7: ", "backwards": "backwards:7: at",
		"twice": "twice:7: at", "junk": "junk:7: ", "cut": "incomplete",
	} {
		t.Run(name, func(t *testing.T) {
			r := quern("", "replay", "--json", "--out", "decisions", "--report", "report.html", name)
			r.want(t, cli.BadInput, `"nodes":`, expected)
			if name != "cut" && (r.count(t, "allocated") != 2 || !strings.Contains(read(t, "decisions"), `"id":"x-2"`)) {
				t.Errorf("what came before the bad line is to be kept:\n%s", r.out)
			}
			if !strings.Contains(read(t, "report.html"), `"partial":"Partial: `) {
				t.Error("the report does not say that the run ended early")
			}
		})
	}
}

func TestWhatCannotBeOpenedIsBadInput(t *testing.T) {
	dir := folder(t, map[string]string{"journal": small, "noise": "\x1f\x8bnot gzip at all"})
	quern("", "replay", "missing").want(t, cli.BadInput, "", "missing")
	quern("", "replay", dir).want(t, cli.BadInput, "", "expected a file, found a folder")
	quern("", "replay", "noise").want(t, cli.BadInput, "", "gzip")
	quern("", "replay", "--json", "noise").want(t, cli.BadInput, "", "noise")
}

// endless is a line that never ends, up to a size.
type endless struct{ left int64 }

func (e *endless) Read(b []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(b)), e.left))
	for i := range n {
		b[i] = 'x'
	}
	e.left -= int64(n)
	return n, nil
}

func TestALineOfAGigabyteIsRefusedInBoundedMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var out, err bytes.Buffer
	in := io.MultiReader(strings.NewReader(small), &endless{1 << 30})
	code := run(context.Background(), []string{"replay", "--json", "-"}, cli.Streams{In: in, Out: &out, Err: &err})
	runtime.ReadMemStats(&after)
	r := result{code, out.String(), err.String()}
	r.want(t, cli.BadInput, `"allocated": 2`, "stdin:7: ")
	if grown := (after.TotalAlloc - before.TotalAlloc) >> 20; grown > 256 {
		t.Errorf("%d MiB were allocated for it, want at most 256", grown)
	}
}

func TestWrongCommandLinesAreBadInput(t *testing.T) {
	folder(t, map[string]string{"journal": small})
	for _, c := range []struct {
		args     string
		expected string
	}{
		{"grind", `unknown command "grind"`},
		{"replay", "expected a journal"},
		{"replay --colour journal", "unknown flag: --colour"},
		{"replay - -", "expected - once"},
		{"replay --trace openb", "expected --nodes and --pods"},
		{"replay --trace borg --nodes a --pods b", "expected openb"},
		{"replay --trace openb --nodes a --pods b journal", "found both"},
		{"replay --nodes a journal", "expected --trace openb"},
		{"replay --trace openb --nodes a --pods b --speed light", "--speed: expected"},
		{"replay --policies dir journal", "no such file or directory"},
		{"replay --policies-missing perhaps journal", "expected error or fallback, found \"perhaps\""},
		{"validate", "expected FILE..., found none"},
		{"explain journal", "expected one of --ask, --app, --queue, --window, --limits and --place"},
		{"explain journal --ask a --app b", "found 2"},
		{"validate --from slurm journal", "--from: expected yunikorn, found \"slurm\""},
		{"validate --from yunikorn --format toml journal", "--format: expected yaml with --from yunikorn, found toml"},
		{"validate --print --json journal", "expected one of --print and --json"},
		{"version now", `quern version: expected no argument, found "now"`},
		{"policy grind", `unknown command "grind"; there are: bench, inspect`},
		{"help replya", `unknown command "replya"; did you mean replay?`},
		{"completion bsh", `unknown command "bsh"; did you mean bash or zsh?`},
		{"get nodes a b", `expected queues|apps|nodes|asks|gangs|windows|policies|decisions [NAME], found 3 arguments: "nodes" "a" "b"`},
		{"context add --server a", "expected NAME, found none"},
		{"replay -grace 3s journal", "unknown flag: -grace; did you mean --grace?"},
		{"replay --grace", "--grace: expected a value (DURATION), found none"},
		{"replay --=x", `expected a flag such as --help or --flag=value, found "--=x"`},
		{"get nodes --limit x", `--limit: expected a whole number, found "x"`},
		{"get nodes --limit 99999999999999999999", "--limit: expected a whole number that fits in 64 bits, found"},
		{"top --interval soon", `--interval: expected a duration such as 72h, found "soon"`},
		{"replay --json=perhaps journal", `--json: expected true or false, found "perhaps"`},
		{"replay --policies dir journal", "--policies: dir: no such file or directory"},
		{"serve --config journal/x --data d", "--config: journal/x: a part of this path is a file, not a folder"},
		{"serve --data journal", "--data: journal: expected a folder, found a file"},
		{"test --format loud", "format"},
	} {
		t.Run(c.args, func(t *testing.T) {
			quern("", strings.Fields(c.args)...).want(t, cli.BadInput, "", c.expected)
		})
	}
}
