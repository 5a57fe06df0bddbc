package program

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// sorted is a journal whose nodes are sorted by a module.
const sorted = `{"at":"0s","type":"config.set","config":"partitions: [{name: default, nodesortpolicy: {type: smallest}, queues: [{name: root, queues: [{name: a}]}]}]"}
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":8}}
{"at":"0s","type":"node.add","id":"n2","capacity":{"vcore":4}}
{"at":"0s","type":"app.add","id":"x","queue":"root.a"}
{"at":"0s","type":"ask.add","id":"first","app":"x","resources":{"vcore":1}}
`

const smallest = `#include "quern.h"
QUERN_MANIFEST({"name": "smallest", "version": "1", "abi": "1.0", "points": {"node.score": {"columns": ["capacity:vcore"], "keys": 1, "depends": "row"}}})
QUERN_NO_PARAMETERS
QUERN_POINT(node_score, 1, frame) {
  quern_column size = quern_column_at(frame, 0);
  QUERN_EACH(frame, row) quern_answer(frame, row, 0, -quern_value(size, row));
  return QUERN_OK;
}
`

// module builds a module of C into a folder, and returns its hash.
func module(t *testing.T, dir, name, source string) string {
	t.Helper()
	for _, tool := range []string{"clang", "wasm-ld"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped, because %s is missing: make toolchains", tool)
		}
	}
	header, err := filepath.Abs("../../../sdk/c")
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	in, object, out := filepath.Join(work, "m.c"), filepath.Join(work, "m.o"), filepath.Join(dir, name+".wasm")
	if err := os.WriteFile(in, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range [][]string{
		{"clang", "--target=wasm32", "-nostdlib", "-O2", "-I", header, "-c", in, "-o", object},
		{"wasm-ld", "--no-entry", "--stack-first", object, "-o", out},
	} {
		if text, err := exec.Command(line[0], line[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func TestModulesOfAFolderExistFromTheStart(t *testing.T) {
	modules := t.TempDir()
	hash := module(t, modules, "smallest", smallest)
	folder(t, map[string]string{"j": sorted})
	replay := func(args ...string) result {
		return quern("", append([]string{"replay", "--policy-cache", "none", "--out", "-", "j"}, args...)...)
	}
	replay("--policies", modules).want(t, cli.Succeeded, `"type":"allocation","id":"first","app":"x","queue":"root.a","node":"n2"`, "")
	replay().want(t, cli.Succeeded, `"type":"config.rejected"`, "nodesortpolicy.type: expected fair, binpacking or a loaded policy for node.score")
	replay("--policies", modules, "--no-policies").want(t, cli.Succeeded, `"type":"policy.fault","policy":"smallest","reason":"missing"`, "")
	quern("", "explain", "--policies", modules, "--policy-cache", "none", "j", "--ask", "first").want(t, cli.Succeeded, "n2", "")

	manifest := `{"name":"smallest","points":{"node.score":{"columns":["capacity:vcore"],"keys":1,"depends":"row"}}}`
	announced := `{"at":"0s","type":"policy.set","name":"smallest","sha256":"` + hash + `","manifest":` + manifest + "}\n" + sorted
	t.Run("a journal that announces it", func(t *testing.T) {
		folder(t, map[string]string{"j": announced})
		replay("--policies", modules).want(t, cli.Succeeded, `"node":"n2"`, "")
		lacks := `policy "smallest": expected a module with sha256 ` + hash + ", found none"
		replay().want(t, cli.BadInput, "", lacks)
		replay("--policies", t.TempDir()).want(t, cli.BadInput, "", lacks)
		replay("--policies-missing", "fallback").want(t, cli.Succeeded, `"reason":"missing"`, "")
		replay("--policies", t.TempDir(), "--policies-missing", "fallback").want(t, cli.Succeeded, `"reason":"missing"`, "")
	})
	t.Run("a journal that wants another version than the folder's", func(t *testing.T) {
		folder(t, map[string]string{"j": strings.Replace(announced, hash, strings.Repeat("ab", 32), 1)})
		replay("--policies", modules).want(t, cli.BadInput, "", strings.Repeat("ab", 32))
	})
}

func TestPolicyFolder_RefusedModuleLeavesTheRestServing(t *testing.T) {
	modules := t.TempDir()
	module(t, modules, "smallest", smallest)
	for name, text := range map[string]string{"junk.wasm": "junk", "alone.toml": "", "notes.txt": "x"} {
		if err := os.WriteFile(filepath.Join(modules, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder(t, map[string]string{"j": sorted})
	r := quern("", "replay", "--policies", modules, "--policy-cache", t.TempDir(), "--json", "j")
	r.want(t, cli.Succeeded, "", `warning: policy "junk" is refused: `+filepath.Join(modules, "junk.wasm"))
	r.want(t, cli.Succeeded, "", `warning: policy "alone" is refused: `)
	if r.count(t, "allocated") != 1 || strings.Contains(r.err, "notes") {
		t.Errorf("found %s%s", r.out, r.err)
	}
}

func TestARecordedRunIsReplayedWithoutItsProcess(t *testing.T) {
	modules := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(modules, "slow"), "../../../host/replay/testdata/modules/slow").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(modules, "slow.toml"), []byte("[process]\ncommand = \"slow\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	journal := strings.ReplaceAll(sorted, "smallest", "slow") // the node with 8 vcore has 7 left, which the process cannot bear
	journal += strings.ReplaceAll(`{"at":"0s","type":"ask.add","id":"second","app":"x","resources":{"vcore":1}}`+"\n", "second", "next")
	folder(t, map[string]string{"j": journal})
	quern("", "replay", "--policies", modules, "j", "--out", "first", "--record", "recorded").want(t, cli.Succeeded, "policy slow failed 1 times", "")
	quern("", "replay", "recorded", "--out", "second", "--record", "again").want(t, cli.Succeeded, "policy slow failed 1 times", "")
	if first := read(t, "first"); first != read(t, "second") || !strings.Contains(first, `"type":"policy.fault","policy":"slow","reason":"failed"`) {
		t.Errorf("the two runs differ:\n%s\n%s", first, read(t, "second"))
	}
	if read(t, "recorded") != read(t, "again") {
		t.Errorf("the two records differ:\n%s\n%s", read(t, "recorded"), read(t, "again"))
	}
	quern("", "replay", "j", "--out", "-", "--record", "-").want(t, cli.BadInput, "", "expected - for one of them")
}

func TestValidateChecksPoliciesAndWhatNamesThem(t *testing.T) {
	modules := t.TempDir()
	module(t, modules, "smallest", smallest)
	folder(t, map[string]string{
		"good.json": `{"name":"p","version":"1","abi":"1.0","points":{"app.order":{"columns":["tag:rank=1"],"keys":1,"depends":"row"}}}`,
		"bad.json":  `{"name":"p","version":"1","abi":"1.0","points":{"app.order":{"columns":["colour"],"keys":1,"depends":"row"}}}`,
		"q.yaml":    "partitions: [{name: default, nodesortpolicy: {type: smallest}, queues: [{name: root}]}]",
		"junk.wasm": "junk", "junk.toml": "[limits]\nfuel = -1",
	})
	validate := func(args ...string) result {
		return quern("", append([]string{"validate", "--policy-cache", "none"}, args...)...)
	}
	validate("good.json").want(t, cli.Succeeded, "good.json: valid", "")
	validate("bad.json").want(t, cli.BadInput, "", `bad.json: manifest:1:73: points: app.order: column "colour": "colour" is no kind of column`)
	validate("q.yaml").want(t, cli.BadInput, "", `found "smallest"`)
	validate("q.yaml", "--policies", modules).want(t, cli.Succeeded, "q.yaml: valid", "")
	validate(filepath.Join(modules, "smallest.wasm")).want(t, cli.Succeeded, "smallest.wasm: valid", "")
	validate("junk.toml").want(t, cli.BadInput, "", "junk.toml:2: limits.fuel: expected 1 to 10000000, found -1")
	validate("junk.wasm", "--json").want(t, cli.BadInput, `"text": "junk.wasm: junk.toml:2`, "")
}
