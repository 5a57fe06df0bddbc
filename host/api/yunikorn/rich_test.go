package yunikorn

import (
	"strings"
	"testing"
	"time"
)

// richConfig has all that a configuration can have an effect on here.
const richConfig = `partitions:
- name: default
  preemption: {enabled: true, quotapreemptionenabled: true}
  placementrules:
  - {name: provided, create: true}
  - name: user
    create: true
    filter: {type: deny, users: [root], groups: ["^dev"]}
    parent: {name: fixed, value: people}
  - {name: user, filter: {users: ["^svc-"], groups: [ops]}}
  limits:
  - {limit: everybody, users: ["*"], maxresources: {vcore: 40}, maxapplications: 20}
  queues:
  - name: prod
    resources: {guaranteed: {vcore: 8}, max: {vcore: 10, memory: 64Gi}}
    properties: {preemption.delay: 10s, priority.offset: "5", priority.policy: fence}
  - name: batch
    maxapplications: 3
    properties: {preemption.policy: fence, quota.preemption.delay: 1m, note: kept}
    limits:
    - {limit: ann, users: [ann], maxresources: {vcore: 12}, maxapplications: 2}
    - {limit: vision, groups: [vision], maxresources: {vcore: 16}, maxapplications: 3}
  - {name: gangs, properties: {application.sort.policy: fifo}}
  - name: people
    parent: true
    childtemplate: {maxapplications: 7, resources: {guaranteed: {vcore: 1}, max: {vcore: 6}}, properties: {application.sort.policy: fair}}
- name: gpu
  nodesortpolicy: {type: binpacking, resourceweights: {gpu: 2.5}}
  queues: [{name: big}]
`

// rich is a scheduler with some of everything that there can be.
func rich(t *testing.T) *live {
	l := begin(t)
	l.submit(`{"type":"config.set","config":` + quoted(richConfig) + `}`)
	l.submit(`
{"type":"node.add","id":"n1","capacity":{"vcore":8,"memory":"32Gi","pods":110},"attributes":{"si/hostname":"host-1","si/rackname":"rack-1","si/instance-type":"m5"}}
{"type":"node.add","id":"n2","capacity":{"vcore":8,"memory":"32Gi","pods":110},"occupied":{"vcore":"500m","memory":"1Gi"}}
{"type":"node.add","id":"n3","capacity":{"vcore":4,"memory":"8Gi"}}
{"type":"node.drain","id":"n3"}
{"type":"node.add","id":"g1","partition":"gpu","capacity":{"vcore":4,"gpu":8}}`)
	l.after(time.Minute)
	l.submit(`
{"type":"app.add","id":"batch-1","queue":"root.batch","user":"ann","groups":["vision","staff"],"tags":{"x":"y"}}
{"type":"ask.add","id":"b1","app":"batch-1","resources":{"vcore":4,"memory":"4Gi"},"originator":true,"priority":-3}
{"type":"ask.add","id":"b2","app":"batch-1","resources":{"vcore":4,"memory":"4Gi"}}
{"type":"app.add","id":"batch-2","queue":"root.batch","user":"bob","groups":["vision"]}
{"type":"ask.add","id":"b3","app":"batch-2","resources":{"vcore":2}}
{"type":"app.add","id":"gang","queue":"root.gangs","user":"eve","placeholder_ask":{"vcore":3}}
{"type":"ask.add","id":"p1","app":"gang","resources":{"vcore":1},"placeholder":true,"task_group":"workers"}
{"type":"ask.add","id":"p2","app":"gang","resources":{"vcore":1},"placeholder":true,"task_group":"workers"}
{"type":"ask.add","id":"p3","app":"gang","resources":{"vcore":1},"placeholder":true,"task_group":"driver"}
{"type":"app.add","id":"half","queue":"root.gangs","user":"eve","placeholder_ask":{"vcore":30}}
{"type":"ask.add","id":"h1","app":"half","resources":{"vcore":"100m"},"placeholder":true,"task_group":"workers"}
{"type":"ask.add","id":"h2","app":"half","resources":{"vcore":29},"placeholder":true,"task_group":"workers"}
{"type":"app.add","id":"late","queue":"root.gangs","user":"eve","placeholder_ask":{"vcore":30},"placeholder_timeout":"20s"}
{"type":"ask.add","id":"l1","app":"late","resources":{"vcore":"100m"},"placeholder":true,"task_group":"workers"}
{"type":"ask.add","id":"l2","app":"late","resources":{"vcore":29},"placeholder":true,"task_group":"workers"}
{"type":"app.add","id":"mine","queue":"","user":"zoe"}
{"type":"ask.add","id":"z1","app":"mine","resources":{"vcore":"500m"}}
{"type":"app.add","id":"lost","queue":"","user":"root"}
{"type":"app.add","id":"brief","queue":"root.batch","user":"bob"}
{"type":"ask.add","id":"s1","app":"brief","resources":{"vcore":"100m"}}
{"type":"app.add","id":"models","partition":"gpu","queue":"root.big","user":"ann"}
{"type":"ask.add","id":"m1","app":"models","resources":{"gpu":2},"originator":true}
{"type":"ask.add","id":"m2","app":"models","resources":{"gpu":7},"node":"g1"}
{"type":"ask.add","id":"m3","app":"models","resources":{"gpu":6}}`)
	l.after(time.Minute)
	l.submit(`
{"type":"ask.add","id":"t1","app":"gang","resources":{"vcore":1},"task_group":"workers"}
{"type":"allocation.release","id":"s1"}
{"type":"app.add","id":"online","queue":"root.prod","user":"dan"}
{"type":"ask.add","id":"o1","app":"online","resources":{"vcore":4,"memory":"1Gi"},"priority":7}
{"type":"ask.add","id":"o2","app":"online","resources":{"vcore":4,"memory":"1Gi"},"priority":7}
{"type":"app.add","id":"huge","queue":"root.gangs","user":"eve","placeholder_ask":{"vcore":300}}`)
	l.after(30 * time.Second)
	l.submit(`
{"type":"allocation.release","id":"p1"}
{"type":"app.remove","id":"brief"}`)
	l.after(5 * time.Second)
	l.after(time.Minute)
	return l
}

func quoted(text string) string {
	return `"` + strings.NewReplacer("\\", `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}
