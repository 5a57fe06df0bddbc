package rest

import (
	"encoding/json"
	"testing"

	"github.com/quern-project/quern/core/config"
)

func read(t *testing.T, text string) *config.Config {
	t.Helper()
	c, err := config.Decode([]byte(text), config.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const before = `
partitions:
  - name: default
    nodesortpolicy: {type: fair}
    queues:
      - name: root
        queues:
          - name: a
            resources: {max: {vcore: 4, memory: 1Gi}}
            limits: [{users: [ann], maxapplications: 2}]
          - name: gone
  - name: gpu
    queues: [{name: root, queues: [{name: a}]}]
`

func TestDifferencesAreListedByQueueAndKey(t *testing.T) {
	const after = `
partitions:
  - name: default
    nodesortpolicy: {type: binpacking}
    queues:
      - name: root
        queues:
          - name: a
            resources: {guaranteed: {vcore: 1}, max: {vcore: 6000m, memory: 1024Mi}}
            limits: [{users: [ann, bob], maxapplications: 3}]
          - {name: new, maxapplications: 5}
  - name: gpu
    queues: [{name: root, queues: [{name: a, properties: {priority.offset: "3"}}]}]
`
	found, err := differences(read(t, before), read(t, after))
	if err != nil {
		t.Fatal(err)
	}
	want := []Difference{
		{Key: "nodesortpolicy.type", Change: isChanged, From: "fair", To: "binpacking"},
		{Queue: "[gpu]root.a", Key: "properties.priority.offset", Change: isAdded, To: "3"},
		{Queue: "root.a", Key: "limits", Change: isChanged, From: "{maxapplications=2 users=ann}", To: "{maxapplications=3 users=ann, bob}"},
		{Queue: "root.a", Key: "resources.guaranteed.vcore", Change: isAdded, To: "1000m"},
		{Queue: "root.a", Key: "resources.max.vcore", Change: isChanged, From: "4000m", To: "6000m"},
		{Queue: "root.gone", Change: isRemoved},
		{Queue: "root.new", Change: isAdded},
		{Queue: "root.new", Key: "maxapplications", Change: isAdded, To: "5"},
	}
	a, _ := json.Marshal(found)
	b, _ := json.Marshal(want)
	if string(a) != string(b) {
		t.Errorf("found\n%s\nwant\n%s", a, b)
	}
}

func TestAnotherSpellingIsNoDifference(t *testing.T) {
	const spelt = `
partitions:
  - name: Default
    preemption: {enabled: true}
    queues:
      - name: a
        resources: {max: {memory: 1024Mi, vcore: 4000m}}
        limits: [{users: [ann], maxapplications: 2}]
      - name: gone
  - name: gpu
    queues: [{name: a}]
`
	found, err := differences(read(t, before), read(t, spelt))
	if err != nil || len(found) > 0 {
		t.Errorf("found %v, %v", found, err)
	}
}
