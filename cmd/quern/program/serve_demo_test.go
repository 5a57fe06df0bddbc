package program

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestDemo_ServesAtOnceAndContinues(t *testing.T) {
	folder(t, nil)
	address, end := hosted(t, "--demo")
	late := time.Now().Add(10 * time.Second) // half a second, where nothing else runs
	for pending := ""; !strings.Contains(pending, `"ask"`); pending, _ = get(t, address+"/v1/asks?state=pending") {
		if time.Now().After(late) {
			t.Fatal("nothing waits after 10 seconds")
		}
	}
	if nodes, _ := get(t, address+"/v1/nodes/cpu-01"); !strings.Contains(nodes, `"demo":"true"`) {
		t.Errorf("the node is not marked as simulated: %s", nodes)
	}
	if version, _ := get(t, address+"/v1/version"); !strings.Contains(version, `"demo":true`) {
		t.Errorf("the host does not say that it is a demonstration: %s", version)
	}
	if code := end(); code != cli.Succeeded {
		t.Errorf("exit code %d", code)
	}
	quern("", "journal", "stat", "quern-demo-data").want(t, cli.Succeeded, "batches    1 to", "")
	_, end = hosted(t, "--demo", "--demo-speed", "120")
	if code := end(); code != cli.Succeeded {
		t.Errorf("exit code %d", code)
	}
}

func TestADemonstrationLeavesOtherRecordsAlone(t *testing.T) {
	dir := folder(t, map[string]string{"queues.yaml": queues})
	data := filepath.Join(dir, "data")
	address, end := hosted(t, "--data", data)
	c := &client{key: "k", told: map[int]string{}, body: `{"type":"node.add","id":"n1","capacity":{"vcore":1}}`}
	if err := c.once(address); err != nil {
		t.Fatal(err)
	}
	end()
	for name, c := range map[string]struct {
		args []string
		err  string
	}{
		"another record":  {[]string{"--demo", "--data", data}, "the record belongs to another cluster"},
		"a configuration": {[]string{"--demo", "--config", "queues.yaml", "--ephemeral"}, "--demo or --config"},
		"no demo":         {[]string{"--demo-speed", "2", "--ephemeral"}, "expected --demo"},
		"standing still":  {[]string{"--demo", "--demo-speed", "0", "--ephemeral"}, "from 1 to 1000"},
		"too fast":        {[]string{"--demo", "--demo-speed", "Inf", "--ephemeral"}, "from 1 to 1000"},
		"no number":       {[]string{"--demo", "--demo-speed", "NaN", "--ephemeral"}, "from 1 to 1000"},
	} {
		t.Run(name, func(t *testing.T) {
			quern("", append([]string{"serve", "--http", "127.0.0.1:0"}, c.args...)...).want(t, cli.BadInput, "", c.err)
		})
	}
}
