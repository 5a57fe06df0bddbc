package rpc

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

const ruled = `{"at":"0s","type":"config.set","config":"partitions: [{placementrules: [{name: provided}, {name: user, create: true}], queues: [{name: root, limits: [{users: [ann], maxresources: {vcore: 4}, maxapplications: 2}], queues: [{name: a}]}]}]"}
{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":8}}
{"at":"0s","type":"app.add","id":"x","queue":"root.a","user":"ann"}
{"at":"0s","type":"ask.add","id":"x-1","app":"x","resources":{"vcore":3}}`

func TestPlacementIsAskedWithoutAChange(t *testing.T) {
	b := New(nil)
	call(t, b, object{"op": "session.new"}, "")
	call(t, b, object{"op": "session.feed", "id": 1}, ruled)
	toTheEnd(t, b, 1, object{"time": 1})
	before := everything(b)
	a, _ := call(t, b, object{"op": "placement", "id": 1, "queue": "root.nowhere", "user": "bob", "tags": object{"team": "blue"}}, "")
	if a["queue"] != "root.bob" || a.number("rule") != 2 || !reflect.DeepEqual(a["creates"], []any{"root.bob"}) {
		t.Errorf("expected root.bob, which rule 2 makes, found %v", a)
	}
	a, _ = call(t, b, object{"op": "placement", "id": 1, "partition": "gpu", "queue": "root.a"}, "")
	if a["reason"] != "unknown-partition" || a["queue"] != nil {
		t.Errorf("expected a refusal, found %v", a)
	}
	if everything(b) != before {
		t.Error("something changed")
	}
}

func TestLimits_ShowUsage(t *testing.T) {
	b := New(nil)
	call(t, b, object{"op": "session.new"}, "")
	if a, _ := call(t, b, object{"op": "limits", "id": 1}, ""); !reflect.DeepEqual(a["usage"], []any{}) {
		t.Errorf("expected no usage, found %v", a)
	}
	call(t, b, object{"op": "session.feed", "id": 1}, ruled)
	toTheEnd(t, b, 1, object{"time": 1})
	a, _ := call(t, b, object{"op": "limits", "id": 1}, "")
	list, _ := a["usage"].([]any)
	if len(list) != 1 {
		t.Fatalf("expected one user, found %v", list)
	}
	const want = "map[applications:1 max:map[vcore:4000] maxApplications:2 name:ann queue:root used:map[vcore:3000]]"
	if found := fmt.Sprint(list[0]); found != want {
		t.Errorf("expected %s, found %s", want, found)
	}
}

func TestNearestNames_AreReturned(t *testing.T) {
	b := New(nil)
	call(t, b, object{"op": "session.new"}, "")
	call(t, b, object{"op": "session.feed", "id": 1}, `{"at":"0s","type":"node.add","id":"node-1","capacity":{"vcore":1}}
{"at":"0s","type":"app.add","id":"nightly","queue":"root.default"}
{"at":"0s","type":"ask.add","id":"nightly-7","app":"nightly","resources":{"vcore":1}}
`)
	toTheEnd(t, b, 1, object{"time": 1})
	for kind, want := range map[string]string{"ask nightlyy-7": "[nightly-7]", "application nihgtly": "[nightly]", "queue root.defualt": "[root.default]", "node node-2": "[node-1]", "node zebra": "[]"} {
		of, name, _ := strings.Cut(kind, " ")
		a, _ := call(t, b, object{"op": "meant", "id": 1, "kind": of, "name": name}, "")
		if found := fmt.Sprint(a["meant"]); found != want {
			t.Errorf("%s: expected %s, found %s", kind, want, found)
		}
	}
}
