package program

import (
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestLive_RemembersEndedWorkAndProposesNames(t *testing.T) {
	folder(t, map[string]string{"inputs.jsonl": `{"type":"node.add","id":"node-1","capacity":{"vcore":4}}
{"type":"node.add","id":"node-2","capacity":{"vcore":4}}
{"type":"app.add","id":"train","queue":"root.default"}
{"type":"ask.add","id":"train.1","app":"train","resources":{"vcore":2}}
{"type":"ask.add","id":"train.2","app":"train","resources":{"vcore":2}}
{"type":"ask.add","id":"train.3","app":"train","resources":{"vcore":9}}
{"type":"ask.add","id":"lost","app":"nobody","resources":{"vcore":9}}
`, "later.jsonl": `{"type":"allocation.release","id":"train.1"}
{"type":"ask.remove","id":"train.3"}
{"type":"node.remove","id":"node-2"}
`})
	address, _ := hosted(t, "--ephemeral")
	t.Setenv("QUERN_SERVER", address)
	quern("", "submit", "inputs.jsonl").want(t, cli.Succeeded, "allocation", "")
	quern("", "submit", "later.jsonl").want(t, cli.Succeeded, "", "")
	quern("", "explain", "--ask", "train.1").want(t, cli.Succeeded, "Ask train.1 of application train ran on node node-1 until ", "")
	quern("", "explain", "--ask", "train.3").want(t, cli.Succeeded, "Ask train.3 was removed at ", "")
	quern("", "explain", "--ask", "lost").want(t, cli.Succeeded, "Ask lost of application nobody was rejected at ", "")
	quern("", "explain", "--queue", "root.defualt").want(t, cli.Failed, "", "; did you mean root.default?")
	quern("", "get", "node", "node-2").want(t, cli.Failed, "", `found no "node-2". Node node-2 was removed at `)
	quern("", "describe", "node", "nodee-1").want(t, cli.Failed, "", `found no "nodee-1"; did you mean node-1?`)
	quern("", "describe", "app", "trian").want(t, cli.Failed, "", `found no "trian"; did you mean train?`)
	quern("", "get", "app", "something").want(t, cli.Failed, "", `found no "something"`)
}
