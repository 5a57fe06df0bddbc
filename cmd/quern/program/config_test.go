package program

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestAConfigurationIsTriedAppliedAndRolledBack(t *testing.T) {
	withCluster(t)
	second := strings.Replace(fixtureQueues, "max: {vcore: 6}", "max: {vcore: 7}", 1) + "    - name: c\n"
	for name, text := range map[string]string{"second.yaml": second, "bad.yaml": "partitions: [{name: default, queues: [{name: root, colour: 3, queues: [{name: a, shape: 5}]}]}]",
		"implausible.yaml": strings.Replace(fixtureQueues, "max: {vcore: 6}", "max: {vcoer: 6}, colour: 3", 1)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	quern("", "config", "get").want(t, cli.Succeeded, fixtureQueues, "")
	quern("", "config", "validate", "second.yaml").want(t, cli.Succeeded, "second.yaml: valid\n", "")
	quern(second, "config", "validate", "-").want(t, cli.Succeeded, "stdin: valid\n", "")
	changes := "~ root.a resources.max.vcore: 6000m -> 7000m\n+ root.c\n"
	if r := quern("", "config", "diff", "second.yaml"); r.code != cli.Succeeded || r.out != changes {
		t.Errorf("expected\n%s\nfound\n%s%s", changes, r.out, r.err)
	}
	quern("", "config", "diff", "queues.yaml").want(t, cli.Succeeded, "nothing would change\n", "")
	quern("", "config", "apply", "second.yaml", "--expect", "7").want(t, cli.Failed, "", "expected configuration 7 to be the current one, found 1")
	quern("", "config", "apply", "second.yaml", "--expect", "1").want(t, cli.Succeeded, changes+"configuration 2 is in force\n", "")
	quern("", "config", "get").want(t, cli.Succeeded, second, "")
	quern("", "config", "get", "1").want(t, cli.Succeeded, fixtureQueues, "")
	quern("", "get", "queues", "-o", "name").want(t, cli.Succeeded, "root.c\n", "")
	if r := quern("", "config", "history"); strings.Count(r.out, "\n") != 3 || strings.Index(r.out, "     2  ") > strings.Index(r.out, "     1  ") {
		t.Errorf("found %v", r)
	}
	quern("", "config", "rollback").want(t, cli.Succeeded, "- root.c\nconfiguration 3 is in force\n", "")
	quern("", "config", "get").want(t, cli.Succeeded, fixtureQueues, "")
	quern("", "config", "rollback", "2").want(t, cli.Succeeded, "configuration 4 is in force\n", "")
	for _, command := range []string{"validate", "diff", "apply"} {
		r := quern("", "config", command, "bad.yaml")
		r.want(t, cli.BadInput, "", "bad.yaml:1:52: root: colour: expected ")
		r.want(t, cli.BadInput, "", "root.a: shape: expected ")
		r = quern("", "config", command, "implausible.yaml")
		r.want(t, cli.BadInput, "", "warning: implausible.yaml:7:")
		r.want(t, cli.BadInput, "", "is \"vcore\" meant?")
	}
	quern("", "config", "get", "99").want(t, cli.Failed, "", `no configuration has the number "99"`)
	quern("", "config", "get", "none").want(t, cli.BadInput, "", "expected a number from quern config history")
	quern("", "config", "apply", "nowhere.yaml").want(t, cli.BadInput, "", "nowhere.yaml")
	quern("", "config").want(t, cli.Succeeded, "rollback", "")
}

func TestConfig_FileNameSelectsTOML(t *testing.T) {
	withCluster(t)
	text := "[[partitions]]\nname = \"default\"\n[[partitions.queues]]\nname = \"root\"\n[[partitions.queues.queues]]\nname = \"only\"\n"
	if err := os.WriteFile("queues.toml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	quern("", "config", "apply", "queues.toml").want(t, cli.Succeeded, "+ root.only\n", "")
	quern("", "config", "get").want(t, cli.Succeeded, text, "")
}

func TestAFirstConfigurationHasNothingBeforeIt(t *testing.T) {
	dir := folder(t, nil)
	t.Setenv("XDG_CONFIG_HOME", dir)
	address, _ := hosted(t, "--ephemeral")
	t.Setenv("QUERN_SERVER", address)
	quern("", "config", "history").want(t, cli.Succeeded, "no configuration has been applied yet\n", "")
	quern("", "config", "rollback").want(t, cli.Failed, "", "there is no configuration before the current one")
}

func TestRace_FirstWriteStands(t *testing.T) {
	folder(t, map[string]string{"queues.yaml": fixtureQueues})
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "application/yaml")
			w.Header().Set("ETag", `"1"`)
			_, _ = io.WriteString(w, fixtureQueues)
		case r.URL.Query().Get("dry-run") == "true":
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"differences":[]}`)
		case r.Header.Get("If-Match") != `"1"` || r.Header.Get("Idempotency-Key") == "":
			t.Errorf("found %v", r.Header)
		default:
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusPreconditionFailed)
			_, _ = io.WriteString(w, `{"title":"The configuration has changed"}`)
		}
	}))
	defer host.Close()
	quern("", "config", "apply", "queues.yaml", "--server", host.URL).want(t, cli.Failed, "", "The configuration has changed in the meantime")
}
