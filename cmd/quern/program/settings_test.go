package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// loadGrace runs a command with the flag --grace in a folder whose settings have a text.
func loadGrace(t *testing.T, text string) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), cli.SettingsFile)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := &cobra.Command{Use: "quern"}
	grace := cmd.Flags().String("grace", "", "")
	err := cli.LoadSettings(cmd, file)
	return *grace, err
}

func TestSettingsFillInFlags(t *testing.T) {
	if grace, err := loadGrace(t, "# [[[ a.b.c\ngrace = '10s'\n"); err != nil || grace != "10s" {
		t.Errorf("found %q, %v", grace, err)
	}
}

func TestSettings_UsersDifferByCase(t *testing.T) {
	if grace, err := loadGrace(t, "grace = '10s'\n[roles.users]\nann = 'viewer'\nAnn = 'admin'\n"); err != nil || grace != "10s" {
		t.Errorf("found %q, %v", grace, err)
	}
}

func TestSettings_UnreadableOnesRefusedWithTheirPlace(t *testing.T) {
	for text, expected := range map[string]string{
		"grace = ":                             "quern.toml:1:",
		"\ngrace = [":                          "quern.toml:2:",
		strings.Repeat("a.", 10_000) + "a = 1": "quern.toml:1:33: expected at most 100000 values, and 16 levels of them, found more",
		"a.b.c = 1":                            "quern.toml:1: a.b.c: expected the name of a flag",
		"\nGrace = [3]":                        "quern.toml:2: grace: expected a value for --grace, found",
		"GRACE = '10s'\ngrace = '5s'":          "quern.toml:2:1: grace: expected each key once, in any case, found grace after GRACE in line 1, column 1",
		"[roles.users]\n[Roles.users]":         "quern.toml:2:2: Roles: expected each key once, in any case, found Roles after roles in line 1, column 2",
		"[roles.users]\nann='viewer'\nAnn='admin'\n[roles]\nUsers={}": "quern.toml:5:1: roles.Users: expected each key once, in any case, found Users after users in line 1",
		strings.Repeat("#", 2<<20):                                    "quern.toml: expected at most 1048576 bytes, found more",
	} {
		began := time.Now()
		if _, err := loadGrace(t, text); err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("%.40q: expected %q, found %v", text, expected, err)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%.40q: expected a refusal at once, it took %v", text, took)
		}
	}
}
