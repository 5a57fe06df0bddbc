package program

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/plugins"
)

func TestThePoliciesOfAHostAreListed(t *testing.T) {
	dir := folder(t, nil)
	t.Setenv("XDG_CONFIG_HOME", dir)
	if err := os.Mkdir("policies", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, ending := range []string{".wasm", ".toml"} {
		data, err := plugins.Shipped.ReadFile(demoModule + "/" + demoModule + ending)
		if err == nil {
			err = os.WriteFile(filepath.Join("policies", demoModule+ending), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	address, end := hosted(t, "--ephemeral", "--policies", "policies", "--policy-cache", "none")
	t.Setenv("QUERN_SERVER", address)
	quern("", "get", "policies").want(t, cli.Succeeded, demoModule+"  serving  no        node.score", "")
	quern("", "get", "policies", "-o", "name").want(t, cli.Succeeded, demoModule+"\n", "")
	quern("", "get", "policy", demoModule, "-o", "json").want(t, cli.Succeeded, `"policy": "`+demoModule+`"`, "")
	quern("", "describe", "policy", demoModule).want(t, cli.Succeeded, "points", "")
	quern("", "get", "policies", "--state", "serving").want(t, cli.BadInput, "", "--state: this list cannot be filtered by it")
	quern("", "get", "policy", "nothing").want(t, cli.Failed, "", `found no "nothing"`)
	if found := completed(t, "get", "policy", ""); found != demoModule {
		t.Errorf("found %q", found)
	}
	end()
}
