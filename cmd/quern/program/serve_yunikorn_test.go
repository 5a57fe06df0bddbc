package program

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestServe_AnswersYuniKornClientsAcrossARestart(t *testing.T) {
	dir := folder(t, map[string]string{"queues.yaml": "partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]"})
	data := filepath.Join(dir, "data")
	address, end := hosted(t, "--data", data, "--config", "queues.yaml")
	c := &client{key: "k", told: map[int]string{}, body: `{"type":"app.add","id":"x","queue":"root.a","user":"ann"}` + "\n" + `{"type":"ask.add","id":"x1","app":"x","resources":{"vcore":1}}`}
	if err := c.once(address); err != nil {
		t.Fatal(err)
	}
	application := address + "/ws/v1/partition/default/application/x"
	if body, _ := get(t, application); !strings.Contains(body, `"allocationKey":"x1"`) || !strings.Contains(body, `"applicationState":"Accepted"`) {
		t.Errorf("found %s", body)
	}
	if code := end(); code != cli.Succeeded {
		t.Errorf("exit code %d", code)
	}
	address, end = hosted(t, "--data", data, "--config", "queues.yaml")
	if body, _ := get(t, address+"/ws/v1/partition/default/application/x"); !strings.Contains(body, `"user":"ann"`) || !strings.Contains(body, `"stateLog":[{"time":`) {
		t.Errorf("after a restart: %s", body)
	}
	if body, _ := get(t, address+"/ws/v1/scheduler/healthcheck"); !strings.Contains(body, `"Healthy":true`) {
		t.Errorf("found %s", body)
	}
	end()
}
