package rpc

import (
	"fmt"
	"testing"
)

// TestAmountsOfDevicesAreReadByTheConfiguration is about inputs that come apart from the configuration that names the types of devices.
func TestAmountsOfDevicesAreReadByTheConfiguration(t *testing.T) {
	const (
		config = `{"at":"0s","type":"config.set","config":"devices: {gpu: {}}\npartitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]"}` + "\n"
		broken = `{"at":"0s","type":"config.set","config":"devices: ["}` + "\n"
		node   = `{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":8},"devices":{"gpu":{"count":2}}}` + "\n"
		asks   = `{"at":"0s","type":"app.add","id":"x","queue":"root.a"}` + "\n" + `{"at":"0s","type":"ask.add","id":"k","app":"x","resources":{"vcore":1,"gpu":"500m"}}`
		alone  = `{"at":"0s","type":"ask.add","id":"k","app":"x","resources":{"vcore":1,"gpu":"500m"}}`
	)
	for name, feeds := range map[string][]string{"at once": {config + node + asks}, "apart": {config, node, asks},
		"behind a refused configuration": {config + node + broken + asks}, "apart from a refused configuration": {config + node, broken, asks},
	} {
		b := New(nil)
		call(t, b, object{"op": "session.new"}, "")
		call(t, b, object{"op": "machine.new"}, "")
		call(t, b, object{"op": "machine.advance", "id": 2, "to": 0}, "")
		for _, lines := range feeds {
			call(t, b, object{"op": "session.feed", "id": 1}, lines)
			call(t, b, object{"op": "machine.apply", "id": 2}, lines)
		}
		call(t, b, object{"op": "machine.cycle", "id": 2}, "")
		toTheEnd(t, b, 1, object{"idle": true})
		for id := 1; id <= 2; id++ {
			a, _ := call(t, b, object{"op": "state", "id": id}, "")
			if used := a["nodes"].([]any)[0].(map[string]any)["used"].(map[string]any)["gpu"]; fmt.Sprint(used) != "500" {
				t.Errorf("%s: %d: %v thousandths of gpu are used, expected 500", name, id, used)
			}
			if types := a["deviceTypes"].([]any); len(types) != 1 || types[0] != "gpu" {
				t.Errorf("%s: %d: the types of devices are %v, expected gpu", name, id, types)
			}
		}
	}
	b := New(nil)
	call(t, b, object{"op": "session.new"}, "")
	if a, _ := try(t, b, object{"op": "session.feed", "id": 1}, alone); a["error"] == nil {
		t.Error("a share of what has no devices was taken")
	}
}
