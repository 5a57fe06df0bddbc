//go:build linux

package program

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/policy/process/sandbox"
)

// programs is a folder with a program as a policy.
func programs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "slow"), "../../../host/replay/testdata/modules/slow").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "slow.toml"), []byte("[limits]\ndeadline = \"1m\"\n[process]\ncommand = \"slow\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestSandbox_ProtectionsAreListed(t *testing.T) {
	dir := programs(t)
	folder(t, map[string]string{"j": strings.NewReplacer("smallest", "slow", `{"vcore":1}`, `{"vcore":2}`).Replace(sorted)}) // no node has what it dawdles about
	refusesMissingGrants(t, dir)
	lacks := sandbox.New(sandbox.Auto).Report().Lacks()
	file := filepath.Join(dir, "slow.toml")
	quern("", "policy", "test", file).want(t, cli.Succeeded, "\nsandbox\n  privileges no_new_privs", "")
	quern("", "policy", "inspect", file).want(t, cli.Succeeded, "\nsandbox\n  privileges no_new_privs", "")
	quern("", "policy", "inspect", "--policy-sandbox", "off", file).want(t, cli.Succeeded, "\nsandbox\n  all        none: the sandbox is off\n", "")
	var o struct{ Sandbox sandbox.Report }
	told := quern("", "policy", "inspect", "--json", file)
	if err := json.Unmarshal([]byte(told.out), &o); err != nil || len(o.Sandbox) != 6 || o.Sandbox[0].Name != "privileges" {
		t.Errorf("found %v, %v", o, err)
	}

	replayed := quern("", "replay", "--policies", dir, "j")
	strict := quern("", "replay", "--policies", dir, "--policy-sandbox", "strict", "j")
	if len(lacks) == 0 {
		replayed.want(t, cli.Succeeded, "", "")
		strict.want(t, cli.Succeeded, "", "")
		return
	}
	replayed.want(t, cli.Succeeded, "", "warning: the sandbox of programs is incomplete: "+lacks[0])
	strict.want(t, cli.Succeeded, "", `warning: policy "slow" is refused: `+file+": process policy ")
	strict.want(t, cli.Succeeded, "", "sandbox: expected every protection, since it is strict: "+lacks[0])
	r := quern("", "replay", "--policies", dir, "--policy-sandbox", "off", "j")
	if r.want(t, cli.Succeeded, "", ""); strings.Contains(r.err, "sandbox") {
		t.Errorf("expected nothing about the sandbox that was turned off, found %s", r.err)
	}
}

func TestASandboxIsAutoStrictOrOff(t *testing.T) {
	folder(t, map[string]string{"j": sorted, "quern.toml": "policy-sandbox = \"loose\"\n", "a.toml": "[process]\ncommand = \"a\"\n"})
	for _, args := range [][]string{{"replay", "--policies", ".", "j"}, {"policy", "inspect", "a.toml"}, {"policy", "test", "a.toml"}, {"policy", "bench", "a.toml"}, {"serve", "--ephemeral"}} {
		quern("", args...).want(t, cli.BadInput, "", `quern.toml:1: policy-sandbox: expected auto, strict or off, found "loose"`)
	}
	quern("", "policy", "inspect", "--policy-sandbox", "tight", "a.toml").want(t, cli.BadInput, "", `--policy-sandbox: expected auto, strict or off, found "tight"`)
}

func refusesMissingGrants(t *testing.T, dir string) {
	t.Helper()
	missing, file := filepath.Join(dir, "prices"), filepath.Join(dir, "granted.toml")
	if err := os.WriteFile(file, []byte("[process]\ncommand = \"slow\"\nread = [\"prices\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	quern("", "policy", "inspect", file).want(t, cli.Failed, "open "+missing+": no such file or directory", "")
	if err := os.Mkdir(missing, 0o700); err != nil {
		t.Fatal(err)
	}
	quern("", "policy", "inspect", file).want(t, cli.Succeeded, "policy     slow 1.0.0", "")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
}
