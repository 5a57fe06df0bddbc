package hostmodules_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// workload is a journal of several teams that ask for more than a cluster has, with a module that is announced, and
// asked at all of its points.
func workload(announced []byte, name string, points []string, nodes, asks int) []byte {
	dice := rand.New(rand.NewPCG(7, 7))
	var out strings.Builder
	out.WriteString("{\"type\":\"journal\",\"version\":1}\n")
	out.Write(announced)
	say := func(line map[string]any) {
		text, err := json.Marshal(line)
		if err != nil {
			panic(err)
		}
		out.Write(append(text, '\n'))
	}
	say(map[string]any{"at": "0s", "type": "config.set", "format": "yaml", "config": queues(name, points)})
	for i := range nodes {
		say(map[string]any{"at": "0s", "type": "node.add", "id": fmt.Sprint("n", i), "attributes": map[string]string{"zone": []string{"north", "south", "east"}[dice.IntN(3)]},
			"capacity": map[string]any{"vcore": 8 + 8*dice.IntN(3), "memory": fmt.Sprintf("%dGi", 16<<dice.IntN(3)), "gpu_milli": 1000 * dice.IntN(5)}})
	}
	for i := range 16 {
		say(map[string]any{"at": "0s", "type": "app.add", "id": fmt.Sprint("app", i), "queue": []string{"root.a", "root.b", "root.c.x", "root.c.y"}[i%4],
			"tags": map[string]string{"deadline": fmt.Sprint(1000 + dice.IntN(5000)), "duration": fmt.Sprint(10 + dice.IntN(100)), "weight": fmt.Sprint(1 + dice.IntN(4))}})
	}
	for i := range asks {
		wants := map[string]any{"vcore": 1 + dice.IntN(4), "memory": fmt.Sprintf("%dGi", 1+dice.IntN(6))}
		if dice.IntN(4) == 0 {
			wants["gpu_milli"] = 250 * (1 + dice.IntN(4))
		}
		say(map[string]any{"at": fmt.Sprintf("%ds", i/8), "type": "ask.add", "id": fmt.Sprint("ask", i), "app": fmt.Sprint("app", dice.IntN(16)),
			"resources": wants, "priority": dice.IntN(3), "run": fmt.Sprintf("%ds", 20+dice.IntN(200))})
	}
	return []byte(out.String())
}

// queues asks a module at the points that it serves.
func queues(name string, points []string) string {
	sorts, parent, nodes := "fifo", "{}", ""
	if slices.Contains(points, "app.order") {
		sorts = name
	}
	if slices.Contains(points, "queue.order") {
		parent = "{queue.sort.policy: " + name + "}"
	}
	if slices.Contains(points, "node.score") {
		nodes = "  nodesortpolicy: {type: " + name + "}\n"
	}
	leaf := func(queue string, weight, vcore int) string {
		return fmt.Sprintf(`{name: %s, properties: {application.sort.policy: %s, weight: "%d"}, resources: {guaranteed: {vcore: %d}}}`, queue, sorts, weight, vcore)
	}
	return "partitions:\n- name: default\n" + nodes + "  queues:\n  - name: root\n    properties: " + parent + "\n    queues:\n" +
		"    - " + leaf("a", 1, 40) + "\n    - " + leaf("b", 3, 60) + "\n" +
		"    - {name: c, queues: [" + leaf("x", 2, 20) + ", " + leaf("y", 1, 10) + "]}\n"
}
