package metrics

import "testing"

const aging = `{"type":"config.set","config":"partitions: [{name: default, queues: [{name: root, properties: {fairness.half-life: 1h, fairness.look-ahead: 2562047h}, queues: [{name: a, resources: {guaranteed: {vcore: 2}}}, {name: b}]}]}]","format":"yaml"}
{"type":"node.add","id":"n1","capacity":{"vcore":8}}
{"type":"app.add","id":"x","queue":"root.a"}
{"type":"ask.add","id":"x1","app":"x","resources":{"vcore":1}}
`

func TestMetrics_AgedShares(t *testing.T) {
	c := start(t, Options{Queues: 10})
	c.say(aging)
	c.want(`quern_queue_aged_share{queue="root.b"} 0`, `!quern_queue_aged_share{queue="root"}`)
}
