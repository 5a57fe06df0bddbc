package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// moduleOf is smallest with something else done in each call, and other columns.
func moduleOf(statement, column string) string {
	source := strings.Replace(smallest, "  QUERN_EACH", "  static int calls; calls++; "+statement+"\n  QUERN_EACH", 1)
	return strings.Replace(source, "capacity:vcore", column, 1)
}

// named is a journal that sorts nodes by a module.
func named(journal, module string) string {
	return strings.Replace(journal, "{name: default,", "{name: default, nodesortpolicy: {type: "+module+"},", 1)
}

func TestWhatWasLoadedInVainIsSaid(t *testing.T) {
	modules := t.TempDir()
	for name, column := range map[string]string{"smallest": "capacity:vcore", "typo": "capacity:gpuu", "idle": "capacity:gpuu", "beside": "capacity:qpu", "aside": "free:vcore"} {
		module(t, modules, name, moduleOf("", column))
	}
	for name, of := range map[string]string{"beside": "smallest", "aside": "idle"} {
		if err := os.WriteFile(filepath.Join(modules, name+".toml"), []byte("shadow_of = \""+of+"\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder(t, map[string]string{"j": sorted, "typo": strings.ReplaceAll(sorted, "smallest", "typo"), "other.yaml": "partitions: [{name: default, nodesortpolicy: {type: typo}, queues: [{name: root, queues: [{name: a}]}]}]"})
	replay := func(args ...string) result {
		return quern("", append([]string{"replay", "--policies", modules, "--policy-cache", "none"}, args...)...)
	}
	idle := "policy idle was never called: no configuration names it, and it is not a shadow\n"
	for _, r := range []result{replay("j"), quern("", "explain", "--policies", modules, "--policy-cache", "none", "j", "--ask", "first")} {
		r.want(t, cli.Succeeded, "", "warning: "+idle)
		r.want(t, cli.Succeeded, "", "warning: policy typo was never called")
		r.want(t, cli.Succeeded, "", "warning: policy aside was never called: it is the shadow of idle, which was not called either\n")
		r.want(t, cli.Succeeded, "", `warning: policy beside reads the resource type "qpu", which no node, ask or queue has`+"\n")
		if strings.Contains(r.err, "policy smallest") {
			t.Errorf("smallest was asked: %s", r.err)
		}
	}
	replay("j").want(t, cli.Succeeded, "  "+idle, "")
	replay("--json", "j").want(t, cli.Succeeded, `"policy_warnings": [`, "")
	replay("typo").want(t, cli.Succeeded, "", `warning: policy typo reads the resource type "gpuu", which no node, ask or queue has`+"\n")
	both := replay("--compare", "other.yaml", "j")
	both.want(t, cli.Succeeded, "", "warning: "+idle)
	if strings.Contains(both.err, "smallest was never") || strings.Contains(both.err, "typo was never") {
		t.Errorf("each was asked in one of the runs: %s", both.err)
	}
}

func TestCalls_MadeTwiceReportedTooManyAFault(t *testing.T) {
	modules := t.TempDir()
	module(t, modules, "seldom", moduleOf("if (calls % 200 == 0) __builtin_trap();", "capacity:vcore"))
	module(t, modules, "often", moduleOf("if (calls % 40 == 0) __builtin_trap();", "capacity:vcore"))
	module(t, modules, "counting", strings.Replace(moduleOf("", "capacity:vcore"), "-quern_value(size, row)", "calls", 1))
	folder(t, map[string]string{"seldom": named(comingAndGoing(600), "seldom"), "often": named(comingAndGoing(600), "often"), "counting": named(comingAndGoing(600), "counting")})
	replay := func(args ...string) result {
		return quern("", append([]string{"replay", "--policies", modules, "--policy-cache", "none"}, args...)...)
	}
	replay("seldom").want(t, cli.Succeeded, "  policy seldom: ", "")
	replay("--json", "seldom").want(t, cli.Succeeded, `"policy_repeats": {`, "")
	replay("--out", "-", "often").want(t, cli.Succeeded, `"reason":"unstable"`, "")
	replay("--out", "a", "often")
	replay("--out", "b", "often")
	if read(t, "a") != read(t, "b") {
		t.Error("two runs with a module that is not well differ")
	}
	replay("--out", "-", "counting").want(t, cli.Succeeded, `"type":"policy.fault","policy":"counting","reason":"impure","message":"impure: expected the answer `, "")
}

func TestTheMemoryOfAllModulesIsBounded(t *testing.T) {
	modules := t.TempDir()
	module(t, modules, "smallest", smallest)
	module(t, modules, "unnamed", smallest) // it takes no room, since nobody asks it
	module(t, modules, "filter", strings.NewReplacer("node.score", "node.filter", "node_score", "node_filter", "-quern_value(size, row)", "0").Replace(smallest))
	folder(t, map[string]string{"j": sorted})
	replay := func(args ...string) result {
		return quern("", append([]string{"replay", "--policies", modules, "--policy-cache", "none", "j"}, args...)...)
	}
	replay("--policy-memory", "64MiB").want(t, cli.Succeeded, "", "")
	full := `memory: expected at most 63 MiB for the instances of all modules, found 32 MiB taken and 32 MiB more needed`
	replay("--policy-memory", "63MiB").want(t, cli.BadInput, "", full)
	replay("--policy-memory", "63MiB", "--policies-missing", "fallback", "--out", "-").want(t, cli.Succeeded, full, "")
	replay("--policy-memory", "31MiB").want(t, cli.Succeeded, "", `is refused: `+filepath.Join(modules, "filter.wasm")+`: memory: expected at most 31 MiB`)
	replay("--policy-memory", "plenty").want(t, cli.BadInput, "", `--policy-memory: expected a size such as 512MiB or 2GiB, found "plenty"`)
	replay("--policy-memory", "64MiB").want(t, cli.Succeeded, "", "policy unnamed was never called")
}
