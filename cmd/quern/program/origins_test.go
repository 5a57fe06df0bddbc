package program

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestErrorsSayWhichSettingTheyAreAbout(t *testing.T) {
	files := map[string]string{"small.journal": small, "bad.yaml": badQueues, "job.csv": "a\n"}
	for _, c := range []struct{ settings, variable, args, want string }{
		{"", "QUERN_CONFIG=none.yaml", "replay small.journal", "QUERN_CONFIG: none.yaml: no such file or directory\n"},
		{"", "QUERN_CONFIG=bad.yaml", "replay small.journal", "; --config comes from QUERN_CONFIG\n"},
		{"\nconfig = 'bad.yaml'", "", "replay small.journal", "bad.yaml:8:22: root.default: resources.max.vcore: "},
		{"\nconfig = 'bad.yaml'", "", "replay small.journal", "; --config comes from quern.toml:2: config\n"},
		{"speed = 'x'", "", "replay --trace openb --nodes a --pods b", "quern.toml:1: speed: expected recorded or fill, found \"x\"\n"},
		{"output = 'x'", "", "get nodes", "quern.toml:1: output: expected one of table"},
		{"", "QUERN_PRINT=true", "validate --json bad.yaml", "expected one of --print and --json, found both; --print comes from QUERN_PRINT\n"},
		{"server = '127.0.0.1:1'", "", "get nodes", "at this address; --server comes from quern.toml:1: server\n"},
		{"", "QUERN_OIDC_ISSUER=ftp://x", "serve --oidc-audience a --ephemeral", "QUERN_OIDC_ISSUER: expected an address that begins with https://, found \"ftp://x\"\n"},
		{"", "QUERN_LIMIT=x", "get nodes", "QUERN_LIMIT: expected a value for --limit, a whole number, found \"x\"\n"},
		{"", "", "replay --config none.yaml small.journal", "--config: none.yaml: no such file or directory\n"},
	} {
		t.Run(c.settings+c.variable, func(t *testing.T) {
			files[cli.SettingsFile] = c.settings
			folder(t, files)
			if name, value, ok := strings.Cut(c.variable, "="); ok {
				t.Setenv(name, value)
			}
			r := quern("", strings.Fields(c.args)...)
			r.want(t, r.code, "", c.want)
			if r.code == cli.Succeeded {
				t.Error("exit code 0")
			}
		})
	}
}

func TestASettingOfAContextIsNamed(t *testing.T) {
	folder(t, map[string]string{"token": ""})
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	quern("", "context", "add", "prod", "--server", "127.0.0.1:1", "--token-file", "token").want(t, cli.Succeeded, "", "")
	quern("", "get", "nodes").want(t, cli.BadInput, "", "context prod: token-file: ")
	quern("", "get", "nodes", "--token-file", "none").want(t, cli.BadInput, "", "--token-file: none: no such file or directory")
}
