package program

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// placements is a journal in which an ask waits for a reason after another, and then has a choice of nodes.
const placements = `{"at":"0s","type":"config.set","config":"partitions: [{queues: [{name: a, resources: {max: {vcore: 8}}}]}]"}
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":8}}
{"at":"0s","type":"node.add","id":"n2","capacity":{"vcore":8}}
{"at":"0s","type":"node.add","id":"n3","capacity":{"vcore":2}}
{"at":"0s","type":"app.add","id":"a","queue":"root.a"}
{"at":"0s","type":"ask.add","id":"first","app":"a","resources":{"vcore":6},"run":"10s"}
{"at":"1s","type":"ask.add","id":"small","app":"a","resources":{"vcore":1}}
{"at":"1s","type":"ask.add","id":"late","app":"a","resources":{"vcore":4}}
{"at":"5s","type":"node.drain","id":"n2"}
{"at":"5s","type":"node.drain","id":"n1"}
{"at":"12s","type":"node.resume","id":"n1"}
{"at":"12s","type":"node.resume","id":"n2"}
{"at":"12s","type":"tick"}
`

func TestExplainAllocation_ItsWaitAndNodesAtThatTime(t *testing.T) {
	folder(t, map[string]string{"placements.journal": placements})
	r := quern("", "explain", "placements.journal", "--ask", "late")
	r.want(t, cli.Succeeded, "Ask late runs on node n1. It was submitted at 1s and allocated at 12s, after 11s. From 1s on it waited, since a queue on its way to the root had too little left below its max (headroom). "+
		"From 5s on it waited, since a queue on its way to the root had too little left below its max (headroom) and no node could take it (no-node-fits). From 10s on it waited, since no node could take it (no-node-fits). "+
		"2 nodes would take it, and policy fair prefers n1 (0 % used) to n2 (12.5 % used).", "")
	if again := quern(placements, "explain", "-", "--ask", "late"); again.out != r.out || again.code != cli.Succeeded {
		t.Errorf("from standard input: %s%s", again.out, again.err)
	}
	quern("", "explain", "placements.journal", "--ask", "first").want(t, cli.Succeeded, "Ask first of application a ran on node n1 until 10s (finished). It was submitted and allocated at 0s.", "")
	quern("", "explain", "placements.journal", "--ask", "small").want(t, cli.Succeeded, "3 nodes would take it, and policy fair prefers n2 (0 % used) to n3 (0 % used), n1 (75 % used).", "")
	if r := quern("", "explain", "placements.journal", "--ask", "late", "--at", "6s"); strings.Contains(r.out, "allocated at") {
		t.Errorf("before its allocation: %s", r.out)
	}
}

func TestExplainGang_TogetherAndByMember(t *testing.T) {
	folder(t, map[string]string{"gang.journal": `{"at":"0s","type":"config.set","config":"partitions: [{queues: [{name: a}]}]"}
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":2},"attributes":{"zone":"a"}}
{"at":"0s","type":"node.add","id":"n2","capacity":{"vcore":2}}
{"at":"0s","type":"app.add","id":"x","queue":"root.a"}
{"at":"1s","type":"ask.add","id":"anywhere","app":"x","resources":{"vcore":2},"gang":"g","gang_min":2}
{"at":"1s","type":"ask.add","id":"zoned","app":"x","resources":{"vcore":2},"constraints":{"zone":["a"]},"gang":"g","gang_min":2}
`})
	const together = "It belongs to gang g, of which 2 members run and 2 are needed: it can be preempted only as a whole. It was submitted and allocated at 1s. It was placed by one decision with other members of its gang, on nodes that hold all of them. "
	for id, want := range map[string]struct{ node, itself string }{ // alone, both would go to n1
		"anywhere": {"n2", "By itself, it would have gone to another node: 2 nodes would take it, and policy fair prefers n1 (0 % used) to n2 (0 % used).\n"},
		"zoned":    {"n1", "Only node n1 (0 % used) would take it.\n"},
	} {
		if r := quern("", "explain", "gang.journal", "--ask", id); r.out != "Ask "+id+" runs on node "+want.node+". "+together+want.itself {
			t.Errorf("%s: found %s%s", id, r.out, r.err)
		}
	}
}

func TestAnAllocationIsExplainedForPrograms(t *testing.T) {
	folder(t, map[string]string{"placements.journal": placements})
	var o struct {
		Submitted, Node string
		Resources       map[string]string
		Placement       struct {
			Waited     float64 `json:"waited_seconds"`
			Policy     string  `json:"node_policy"`
			Fits       int
			Waits      []struct{ From string }
			Candidates []struct {
				Node  string
				Fits  bool
				Score *float64
			}
		}
	}
	r := quern("", "explain", "placements.journal", "--ask", "late", "--json")
	if err := json.Unmarshal([]byte(r.out), &o); err != nil {
		t.Fatal(err)
	}
	p := &o.Placement
	if o.Submitted != "1s" || o.Node != "n1" || o.Resources["vcore"] != "4000m" || p.Waited != 11 || p.Policy != "fair" || p.Fits != 2 || len(p.Waits) != 3 || p.Waits[2].From != "10s" {
		t.Errorf("found %+v", o)
	}
	if len(p.Candidates) != 2 || p.Candidates[0].Node != "n1" || !p.Candidates[0].Fits || p.Candidates[0].Score == nil || *p.Candidates[0].Score != 0 {
		t.Errorf("found %+v", p.Candidates)
	}
}
