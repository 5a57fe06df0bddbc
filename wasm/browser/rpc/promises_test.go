package rpc

import (
	"fmt"
	"testing"
)

// ahead has an allocation with a promised end, a blocked ask with a planned start, and a maintenance that comes again.
const ahead = `{"at":"0s","type":"config.set","config":"partitions: [{backfill: {depth: all}, queues: [{name: root, queues: [{name: a, properties: {walltime.default: 1h}}]}]}]"}
{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":2}}
{"at":"0s","type":"window.add","id":"w","from":"10h","until":"11h","every":"24h","nodes":["n"]}
{"at":"0s","type":"window.add","id":"late","from":"100h","nodes":["n"],"queues":["root.a"]}
{"at":"1m","type":"app.add","id":"x","queue":"root.a","user":"ann"}
{"at":"1m","type":"ask.add","id":"first","app":"x","resources":{"vcore":2},"walltime":"2h"}
{"at":"1m","type":"ask.add","id":"last","app":"x","resources":{"vcore":1}}`

func TestPromises_AreOfTheTimeToCome(t *testing.T) {
	b := New(nil)
	call(t, b, object{"op": "session.new"}, "")
	if a, _ := call(t, b, object{"op": "promises", "id": 1}, ""); fmt.Sprint(a["ends"], a["plans"], a["windows"]) != "[] [] []" {
		t.Errorf("expected nothing to come, found %v", a)
	}
	call(t, b, object{"op": "session.feed", "id": 1}, ahead)
	toTheEnd(t, b, 1, object{"time": 60_000_000_000})
	a, _ := call(t, b, object{"op": "promises", "id": 1}, "")
	for key, want := range map[string]string{
		"ends":    "[map[ends:7260000000000 id:first]]",
		"plans":   "[map[ends:10860000000000 id:last node:n start:7260000000000]]",
		"windows": "[map[from:360000000000000 id:late nodes:[n] queues:[root.a]] map[every:86400000000000 from:36000000000000 id:w nodes:[n] until:39600000000000]]",
	} {
		if found := fmt.Sprint(a[key]); found != want {
			t.Errorf("%s: expected %s, found %s", key, want, found)
		}
	}
}
