package check

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/coreos/go-systemd/v22/unit"
)

func TestTheUnitStartsQuernHardened(t *testing.T) {
	list, err := unit.DeserializeOptions(strings.NewReader(read(t, "../quern.service")))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, o := range list {
		if !slices.Contains([]string{"Unit", "Service", "Install"}, o.Section) {
			t.Errorf("there is no section %s", o.Section)
		}
		if o.Name != "SystemCallFilter" && found[o.Name] != "" {
			t.Errorf("%s stands there twice", o.Name)
		}
		found[o.Name] = o.Value
	}
	for name, value := range map[string]string{
		"Type": "exec", "DynamicUser": "yes", "NoNewPrivileges": "yes", "ProtectSystem": "strict", "PrivateTmp": "yes", "PrivateDevices": "yes",
		"CapabilityBoundingSet": "", "Restart": "on-failure", "RestartPreventExitStatus": "2", "KillSignal": "SIGTERM", "WantedBy": "multi-user.target",
	} {
		if got, ok := found[name]; !ok || got != value {
			t.Errorf("%s: expected %q, found %q", name, value, got)
		}
	}
	words := strings.Fields(found["ExecStart"])
	if len(words) < 2 || words[0] != "/usr/local/bin/quern" {
		t.Fatalf("found ExecStart=%s", found["ExecStart"])
	}
	checkCommand(t, words[1:])
}

// checkCommand complains about flags that `quern serve` does not have.
func checkCommand(t *testing.T, words []string) {
	t.Helper()
	if words[0] != "serve" {
		t.Errorf("expected quern serve, found %s", words)
	}
	text := read(t, "../../commands/serve.md")
	for _, w := range words[1:] {
		if strings.HasPrefix(w, "--") && !regexp.MustCompile("`"+w+"[` ]").MatchString(text) {
			t.Errorf("quern serve has no flag %s", w)
		}
	}
}

func TestSystemdTakesTheUnit(t *testing.T) {
	path, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("skipped, because systemd-analyze is not installed")
	}
	out, err := exec.Command(path, "verify", "../quern.service").CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "Unknown") || strings.Contains(line, "Failed to parse") {
			t.Errorf("%s (%v)", line, err)
		}
	}
}
