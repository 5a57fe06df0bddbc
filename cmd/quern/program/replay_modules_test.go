package program

import (
	"os"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestARecordedRunCanCarryItsModules(t *testing.T) {
	modules := t.TempDir()
	module(t, modules, "smallest", smallest)
	rewrite(t, modules+"/refused.wasm", emptyModule)
	binary := read(t, modules+"/smallest.wasm")
	rewrite(t, modules+"/smallest.toml", "[limits]\nfuel = 2000000\n")
	folder(t, map[string]string{"j": sorted})
	record := []string{"replay", "--policy-cache", "none", "--policies", modules, "--record", "run.journal", "--out", "first", "j"}
	quern("", append(record, "--record-modules", "carried/deep")...).want(t, cli.Succeeded, "policy smallest was asked", "")
	entries, err := os.ReadDir("carried/deep")
	if err != nil || len(entries) != 2 || entries[0].Name() != "smallest.toml" || entries[1].Name() != "smallest.wasm" || read(t, "carried/deep/smallest.wasm") != binary {
		t.Fatalf("found %v, %v", entries, err)
	}
	quern("", "replay", "--policy-cache", "none", "run.journal").want(t, cli.BadInput, "", "expected a module with sha256")
	quern("", "replay", "--policy-cache", "none", "--policies", "carried/deep", "--out", "second", "run.journal").want(t, cli.Succeeded, "policy smallest was asked", "")
	if first, second := read(t, "first"), read(t, "second"); first != second || !strings.Contains(first, `"allocation"`) {
		t.Errorf("decided first\n%s\nand then\n%s", first, second)
	}
	quern("", append(record, "--record-modules", modules)...).want(t, cli.BadInput, "", "--record-modules")
	quern("", append(record, "--record-modules", "j")...).want(t, cli.BadInput, "", "--record-modules: j: expected a folder")
	quern("", "replay", "--record-modules", "x", "j").want(t, cli.BadInput, "", "--record-modules: expected --record and --policies beside it")
	if read(t, modules+"/smallest.wasm") != binary {
		t.Error("a module was replaced")
	}
}
