package config

import (
	"reflect"
	"testing"
)

func TestDynamicLeaf_TemplateThenInherited(t *testing.T) {
	const text = `
partitions:
- name: default
  queues:
  - name: root
    properties: {preemption.delay: 5s, priority.offset: "3", policy.of.mine: x}
    queues:
    - name: users
      parent: true
      properties: {application.sort.policy: fair, priority.offset: "7", preemption.policy: disabled}
      childtemplate:
        maxapplications: 4
        resources: {guaranteed: {vcore: 1}, max: {vcore: 2}}
        properties: {application.sort.policy: stateaware, priority.offset: "2"}
      queues:
      - name: written
        maxapplications: 4
        resources: {guaranteed: {vcore: 1}, max: {vcore: 2}}
        properties: {application.sort.policy: stateaware, priority.offset: "2"}
      - name: plain
        parent: true
`
	c, err := Decode([]byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	users := c.Partitions[0].Root.Children[0]
	if made := users.Dynamic("written", true, users.Template); !reflect.DeepEqual(made, users.Children[0]) {
		t.Errorf("expected %+v\nfound    %+v", users.Children[0], made)
	}
	if made := users.Dynamic("plain", false, users.Template); !reflect.DeepEqual(made, users.Children[1]) {
		t.Errorf("expected %+v\nfound    %+v", users.Children[1], made)
	}
}
