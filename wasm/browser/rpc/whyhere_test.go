package rpc

import (
	"fmt"
	"strings"
	"testing"
)

// A page says why an ask went to its node by a look at the decision before: the session stops between any two allocations of a cycle.
func TestSession_ExplainsAnAllocation(t *testing.T) {
	server := New(nil)
	call(t, server, object{"op": "session.new"}, "")
	call(t, server, object{"op": "session.feed", "id": 1}, `{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":4}}
{"at":"0s","type":"node.add","id":"n2","capacity":{"vcore":8}}
{"at":"0s","type":"app.add","id":"a","queue":"root.default"}
{"at":"0s","type":"ask.add","id":"x","app":"a","resources":{"vcore":2},"count":3}
`)
	call(t, server, object{"op": "session.run", "id": 1, "to": object{"idle": true}}, "")
	_, decisions := call(t, server, object{"op": "session.decisions", "id": 1}, "")
	const placed = `{"seq":9,"at":"0s","type":"allocation","id":"x-3"`
	if !strings.Contains(decisions, placed) {
		t.Fatalf("expected %s in\n%s", placed, decisions)
	}
	call(t, server, object{"op": "session.seek", "id": 1, "seq": 8}, "")
	a, _ := call(t, server, object{"op": "explain", "id": 1, "kind": "ask", "name": "x-3"}, "")
	e := a["explanation"].(map[string]any)
	if e["pending"] != true || e["nodePolicy"] != "fair" || fmt.Sprint(e["fits"]) != "2" {
		t.Fatalf("found %v", e)
	}
	first, second := e["candidates"].([]any)[0].(map[string]any), e["candidates"].([]any)[1].(map[string]any)
	if first["node"] != "n2" || fmt.Sprint(first["score"]) != "-0.25" || second["node"] != "n1" || fmt.Sprint(second["score"]) != "-0.5" || first["fits"] != true {
		t.Errorf("found %v and %v", first, second)
	}
}

func TestAnExplanationOfAnUnknownNameProposesOthers(t *testing.T) {
	server := New(nil)
	call(t, server, object{"op": "session.new"}, "")
	a, _ := call(t, server, object{"op": "explain", "id": 1, "kind": "queue", "name": "root.defualt"}, "")
	if a["found"] != false || fmt.Sprint(a["meant"]) != "[root.default]" {
		t.Errorf("found %v", a)
	}
}
