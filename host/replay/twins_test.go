package replay_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/replay"
	"github.com/quern-project/quern/host/report/compare"
	"github.com/quern-project/quern/host/workload"
)

// twins are modules that answer like a built-in: whatever the journal, whoever runs them decides the same.
var twins = map[string][]string{
	"fair":       {"node.score", "app.order", "queue.order"},
	"binpacking": {"node.score"},
}

// TestModulesThatAnswerLikeABuiltInDecideLikeIt holds every language's version of the built-ins against them, on every
// journal that there is.
func TestModulesThatAnswerLikeABuiltInDecideLikeIt(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped, because it takes long: the run without -short has it")
	}
	journals, days := everyJournal(t), 2
	for builtin, points := range twins {
		for _, lang := range []string{"c", "rust", "assemblyscript", "go", "process"} {
			t.Run(builtin+"-"+lang, func(t *testing.T) {
				modules := built(t, builtin+"-"+lang, lang == "process")
				list := journals
				if lang == "process" { // which takes a millisecond an allocation
					list = list[:len(list)-days]
				}
				for _, name := range list {
					expected := decisions(t, name, compare.Override{Name: builtin, Points: points}, nil)
					found := decisions(t, name, compare.Override{Name: builtin + "-" + lang, Points: points}, modules)
					found = bytes.ReplaceAll(found, []byte(" by "+builtin+"-"+lang+": "), []byte(" by "+builtin+": ")) // a refused gang is told how its queue sorts
					if !bytes.Equal(expected, found) {
						t.Fatalf("%s: %s", name, firstDifference(expected, found))
					}
				}
			})
		}
	}
}

// built opens one module of those that were built.
func built(t *testing.T, name string, process bool) *replay.Policies {
	t.Helper()
	file, err := filepath.Abs(filepath.Join("../../build/policies", name+".wasm"))
	if process {
		file = strings.TrimSuffix(file, ".wasm")
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Skipf("skipped, because %s is not built: make plugins", file)
	}
	if process { // with time, since a busy machine must not decide
		settings := filepath.Join(t.TempDir(), name+".toml")
		if err := os.WriteFile(settings, fmt.Appendf(nil, "[process]\ncommand = %q\n[limits]\ndeadline = \"1m\"\n", file), 0o600); err != nil {
			t.Fatal(err)
		}
		file = settings
	}
	var told bytes.Buffer
	p, err := replay.OpenPolicies(t.Context(), replay.PolicyOptions{Files: []string{file}}, &told)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if err := p.Refused(name); err != nil {
		t.Fatal(err)
	}
	return p
}

// everyJournal lists the journals of the tests and the examples, and two days of the demonstration.
func everyJournal(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{"../../docs/examples/*.jsonl", "../../core/journal/testdata/replay/*.jsonl", "../../core/oracle/testdata/rules/*.jsonl"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no journals, %v", pattern, err)
		}
		list = append(list, found...)
	}
	for seed := range uint64(2) {
		name := filepath.Join(t.TempDir(), "demo.jsonl")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := workload.Demo(f, seed); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		list = append(list, name)
	}
	return list
}

// decisions runs a journal whose orders are all by one policy, with the weights that modules have unless they are told.
func decisions(t *testing.T, name string, o compare.Override, modules *replay.Policies) []byte {
	t.Helper()
	w, err := stream.Journals([]string{name}, stream.Env{Context: t.Context()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }() // it was read
	options := replay.Options{Source: &evenly{compare.Source{Source: w.Source, Override: o}}, Form: w.Form, Books: ledger.New()}
	options.Config = o.Default()
	scheduler := scheduler.New(core.Options{})
	if modules != nil {
		scheduler = modules.Scheduler(t.Context())
		options.Policies = modules.Inputs()
	}
	var out bytes.Buffer
	encoder := journal.NewEncoder(&out, w.Form)
	options.Decisions = encoder.Decision
	if _, err := replay.Run(scheduler, options); err != nil && !strings.Contains(err.Error(), "jsonl:") { // a bad line of the journal ends both runs alike
		t.Fatal(err)
	}
	if err := encoder.Flush(); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), `"policy.fault","policy":"`+o.Name) {
		t.Fatalf("%s: %s failed:\n%s", name, o.Name, out.String())
	}
	return out.Bytes()
}

// evenly is a source whose configurations weigh types as the default does.
type evenly struct{ compare.Source }

func (s *evenly) Next() (*journal.Entry, error) {
	e, err := s.Source.Next()
	if err != nil || e.Input.Type() != core.ConfigSet {
		return e, err
	}
	c, bad := config.Decode([]byte(e.Input.Event.(*core.SetConfig).Config), config.Options{Policies: func(string, string) bool { return true }})
	if bad == nil {
		c.Partitions[0].NodeSort.Weights = config.Default().Partitions[0].NodeSort.Weights
		e.Input.Event.(*core.SetConfig).Config = string(c.Print())
	}
	return e, nil
}

// firstDifference is the first line in which two runs differ.
func firstDifference(expected, found []byte) string {
	a, b := strings.Split(string(expected), "\n"), strings.Split(string(found), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "expected " + a[i] + "\nfound    " + b[i]
		}
	}
	return "one of the two is longer"
}
