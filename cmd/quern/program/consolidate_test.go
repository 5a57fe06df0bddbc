package program

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// scattered is a cluster in which 7 cores are free, but no node has room for 4.
const scattered = `{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":4}}
{"at":"0s","type":"node.add","id":"n2","capacity":{"vcore":4}}
{"at":"0s","type":"node.add","id":"n3","capacity":{"vcore":4}}
{"at":"0s","type":"app.add","id":"web","queue":"root.a"}
{"at":"0s","type":"allocation.restore","id":"w1","app":"web","resources":{"vcore":1},"movable":true,"placed_on":"n1"}
{"at":"0s","type":"allocation.restore","id":"w2","app":"web","resources":{"vcore":2},"movable":true,"placed_on":"n2"}
{"at":"0s","type":"allocation.restore","id":"w3","app":"web","resources":{"vcore":2},"placed_on":"n3"}
{"at":"1s","type":"app.add","id":"x","queue":"root.a"}
{"at":"1s","type":"ask.add","id":"big","app":"x","resources":{"vcore":4}}
{"at":"2s","type":"ask.add","id":"m","count":2,"app":"x","resources":{"vcore":3},"gang":"g","gang_min":2}
{"at":"2s","type":"ask.add","id":"huge","app":"x","resources":{"vcore":5}}
`

const oneQueue = "partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]\n"

func TestConsolidate_ProposesMoves(t *testing.T) {
	folder(t, map[string]string{"journal": scattered, "queues.yaml": oneQueue})
	for about, want := range map[string]string{
		"--ask big":        "Ask big of application x in root.a fits after 1 move: w1 of web (1 vcore) from n1 to n2. Then big goes to n1.\n",
		"--app x --gang g": "Gang g of application x in root.a fits after 1 move: w2 of web (2 vcore) from n2 to n3. Then m-1 goes to n1, m-2 goes to n2.\n",
		"--ask m-2":        "Gang g of application x in root.a fits after 1 move: w2 of web (2 vcore) from n2 to n3. Then m-1 goes to n1, m-2 goes to n2.\n",
		"--ask huge":       "Ask huge of application x in root.a does not fit, whichever of 2 movable allocations are moved.\n",
		"--ask w3":         "Ask w3 of application web in root.a waits for nothing: it is allocated.\n",
	} {
		quern("", append([]string{"consolidate", "--config", "queues.yaml", "journal"}, strings.Fields(about)...)...).want(t, cli.Succeeded, want, "")
	}
}

func TestConsolidate_WritesJSON(t *testing.T) {
	folder(t, map[string]string{"journal": scattered, "queues.yaml": oneQueue})
	r := quern("", "consolidate", "--config", "queues.yaml", "journal", "--ask", "big", "--json")
	var got struct {
		Verdict     string
		Moves       []struct{ ID, From, To string }
		Approximate bool
	}
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || got.Verdict != "moves" || got.Approximate || len(got.Moves) != 1 || got.Moves[0].To != "n2" {
		t.Errorf("%v: %s", err, r.out)
	}
}

func TestConsolidate_RefusesWhatItCannotAnswer(t *testing.T) {
	folder(t, map[string]string{"journal": scattered, "queues.yaml": oneQueue})
	for about, want := range map[string]string{
		"--ask nothing":      `there is no ask "nothing" at 2s`,
		"--app x --gang h":   `application "x" has no gang "h" at 2s`,
		"--app x":            "expected either --ask, or --app and --gang",
		"--ask big --gang g": "expected either --ask, or --app and --gang",
	} {
		r := quern("", append([]string{"consolidate", "--config", "queues.yaml", "journal"}, strings.Fields(about)...)...)
		if !strings.Contains(r.err, want) {
			t.Errorf("%s: found %q, want %q", about, r.err, want)
		}
	}
}
