package program

import (
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestWindows_AreListedAndExplained(t *testing.T) {
	withCluster(t)
	t.Chdir(folder(t, map[string]string{"windows.jsonl": `{"type":"window.add","id":"patch","from":"2100-01-01T00:00:00Z","until":"2100-01-01T02:00:00Z","nodes":["n1"]}
{"type":"window.add","id":"class","from":"2020-01-01T00:00:00Z","nodes":["n2"],"queues":["root.a"],"users":["ann"]}
`}))
	quern("", "submit", "windows.jsonl").want(t, cli.Succeeded, "window.opened", "")
	quern("", "get", "windows", "-o", "name").want(t, cli.Succeeded, "class\npatch\n", "")
	quern("", "get", "windows").want(t, cli.Succeeded, "root.a, ann", "")
	quern("", "get", "window", "class", "-o", "wide").want(t, cli.Succeeded, "yes", "")
	quern("", "describe", "window", "patch").want(t, cli.Succeeded, "It names no application: it is a maintenance.", "")
	quern("", "explain", "--window", "class").want(t, cli.Succeeded, "Window class is open, and stays open until it is removed.", "")
	quern("", "explain", "--window", "clss").want(t, cli.Failed, "", "class")
}
