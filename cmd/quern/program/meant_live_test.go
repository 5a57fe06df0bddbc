package program

import "testing"

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
	quern("", "submit", "inputs.jsonl").want(t, succeeded, "allocation", "")
	quern("", "submit", "later.jsonl").want(t, succeeded, "", "")
	quern("", "explain", "--ask", "train.1").want(t, succeeded, "Ask train.1 of application train ran on node node-1 until ", "")
	quern("", "explain", "--ask", "train.3").want(t, succeeded, "Ask train.3 was removed at ", "")
	quern("", "explain", "--ask", "lost").want(t, succeeded, "Ask lost of application nobody was rejected at ", "")
	quern("", "explain", "--queue", "root.defualt").want(t, failed, "", "; did you mean root.default?")
	quern("", "get", "node", "node-2").want(t, failed, "", `found no "node-2". Node node-2 was removed at `)
	quern("", "describe", "node", "nodee-1").want(t, failed, "", `found no "nodee-1"; did you mean node-1?`)
	quern("", "describe", "app", "trian").want(t, failed, "", `found no "trian"; did you mean train?`)
	quern("", "get", "app", "something").want(t, failed, "", `found no "something"`)
}
