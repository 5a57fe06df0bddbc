package journal

import (
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// decodeAll returns copies of all entries, and the error after them, or nil at the end.
func decodeAll(text string) ([]Entry, error) {
	d := NewDecoder(strings.NewReader(text), "dir/in.jsonl", func(path string) ([]byte, error) {
		if path == "dir/queues.toml" {
			return []byte("text of " + path), nil
		}
		return nil, os.ErrNotExist
	})
	var entries []Entry
	for {
		entry, err := d.Next()
		if err == io.EOF {
			return entries, nil
		}
		if err != nil {
			return entries, err
		}
		entries = append(entries, *entry)
	}
}

func set(quantities ...resource.Quantity) resource.Set { return resource.NewSet(quantities...) }

func TestEveryTypeOfInputIsDecoded(t *testing.T) {
	vcore := set(resource.Quantity{Type: "vcore", Value: 1500})
	for line, expected := range map[string]core.Input{
		`{"type":"node.add","id":"n","capacity":{"vcore":1.5},"attributes":{"a":"b"},"schedulable":false,"occupied":{}}`: {Event: &core.AddNode{
			ID: "n", Capacity: vcore, Attributes: map[string]string{"a": "b"}, Unschedulable: true, Occupied: resource.Set{},
		}},
		`{"type":"node.update","id":"n","attributes":{}}`: {Event: &core.UpdateNode{ID: "n", Attributes: map[string]string{}}},
		`{"type":"node.drain","id":"n"}`:                  {Event: &core.DrainNode{ID: "n"}},
		`{"type":"node.resume","id":"n"}`:                 {Event: &core.ResumeNode{ID: "n"}},
		`{"type":"node.remove","id":"n"}`:                 {Event: &core.RemoveNode{ID: "n"}},
		`{"type":"app.add","id":"x","queue":"","user":"u","groups":["g","h"],"tags":{"k":"\u00e4\ud83d\ude00"}}`: {Event: &core.AddApp{ID: "x",
			User: "u", Groups: []string{"g", "h"}, Tags: map[string]string{"k": "ä😀"}}},
		`{"type":"node.add","id":"n","capacity":{},"partition":"GPU","by":"root"}`: {By: "root", Event: &core.AddNode{ID: "n", Capacity: resource.Set{},
			Partition: "GPU"}},
		`{"type":"app.add","id":"x","partition":"gpu"}`: {Event: &core.AddApp{ID: "x", Partition: "gpu"}},
		`{"type":"app.add","id":"x","placeholder_ask":{"vcore":"1.5"},"gang_style":"hard","placeholder_timeout":"1m"}`: {Event: &core.AddApp{ID: "x",
			Placeholders: &core.Placeholders{Ask: vcore, Hard: true, Timeout: time.Minute}}},
		`{"type":"app.add","id":"x","placeholder_timeout":"0s","gang_style":"Soft"}`: {Event: &core.AddApp{ID: "x"}},
		`{"type":"app.add","id":"x","gang_disruption":"member"}`:                     {Event: &core.AddApp{ID: "x"}},
		`{"type":"app.add","id":"x","gang_disruption":"unit","placeholder_ask":{"vcore":1}}`: {Event: &core.AddApp{ID: "x",
			Placeholders: &core.Placeholders{Ask: resource.NewSet(resource.Quantity{Type: "vcore", Value: 1000}), Unit: true}}},
		`{"type":"app.move","id":"x","queue":"root.b"}`: {Event: &core.MoveApp{ID: "x", Queue: "root.b"}},
		`{"type":"ask.add","id":"a","app":"x","resources":{"vcore":1.5},"gang_timeout":"5m","gang":"g","gang_min":3}`: {Event: &core.AddAsk{ID: "a",
			App: "x", Resources: vcore, Ask: core.Ask{Gang: &core.Gang{ID: "g", Min: 3, Timeout: 5 * time.Minute}}}},
		`{"type":"allocation.restore","id":"a","app":"x","resources":{"vcore":1.5},"gang":"g","gang_min":1,"placed_on":"n"}`: {Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: "a", App: "x", Resources: vcore, Ask: core.Ask{Gang: &core.Gang{ID: "g", Min: 1}}}, PlacedOn: "n"}},
		`{"type":"ask.add","id":"a","app":"x","resources":{"vcore":1.5},"gang_fallback":"members","gang":"g","gang_min":3}`: {Event: &core.AddAsk{ID: "a",
			App: "x", Resources: vcore, Ask: core.Ask{Gang: &core.Gang{ID: "g", Min: 3, Fallback: true}}}},
		`{"type":"ask.add","id":"a","app":"x","resources":{"vcore":1.5},"gang_repair":"0s","gang_disruption":"whole","gang":"g","gang_min":3}`: {Event: &core.AddAsk{ID: "a",
			App: "x", Resources: vcore, Ask: core.Ask{Gang: &core.Gang{ID: "g", Min: 3, Disruption: core.DisruptWhole, Repair: core.Repair{Bounded: true}}}}},
		`{"type":"ask.add","id":"a","app":"x","resources":{"vcore":1.5},"movable":true,"gang_max":4,"gang":"g","gang_min":4}`: {Event: &core.AddAsk{ID: "a",
			App: "x", Resources: vcore, Ask: core.Ask{Movable: true, Gang: &core.Gang{ID: "g", Min: 4, Max: 4}}}},
		`{"type":"allocation.restore","id":"a","app":"x","resources":{"vcore":1.5},"gang":"g","gang_min":1,"gang_repair":"90s","gang_disruption":"member","placed_on":"n"}`: {
			Event: &core.RestoreAllocation{PlacedOn: "n", AddAsk: core.AddAsk{ID: "a", App: "x", Resources: vcore, Ask: core.Ask{
				Gang: &core.Gang{ID: "g", Min: 1, Disruption: core.DisruptMember, Repair: core.Repair{Bounded: true, Within: 90 * time.Second}}}}}},
		`{"type":"ask.add","id":"a","app":"x","resources":{"vcore":1.5},"topology_required":"rack"}`: {Event: &core.AddAsk{ID: "a", App: "x",
			Resources: set(resource.Quantity{Type: "vcore", Value: 1500}), Ask: core.Ask{Topology: core.Topology{Required: "rack"}}}},
		`{"type":"ask.add","id":"a","app":"x","resources":{"vcore":1.5},"gang":"g","gang_min":4,"topology_slice":{"size":2,"level":"rack"}}`: {Event: &core.AddAsk{ID: "a", App: "x",
			Resources: set(resource.Quantity{Type: "vcore", Value: 1500}), Ask: core.Ask{Gang: &core.Gang{ID: "g", Min: 4}, Topology: core.Topology{Slice: core.Slice{Level: "rack", Size: 2}}}}},
		`{"type":"allocation.restore","id":"a","app":"x","resources":{"vcore":1.5},"topology_preferred":"rack","placed_on":"n"}`: {Event: &core.RestoreAllocation{PlacedOn: "n",
			AddAsk: core.AddAsk{ID: "a", App: "x", Resources: set(resource.Quantity{Type: "vcore", Value: 1500}), Ask: core.Ask{Topology: core.Topology{Preferred: "rack"}}}}},
		`{"type":"ask.add","id":"a","app":"x","resources":{"vcore":1.5},"gang":"g","gang_min":3,"gang_disruption":"unit"}`: {Event: &core.AddAsk{ID: "a",
			App: "x", Resources: vcore, Ask: core.Ask{Gang: &core.Gang{ID: "g", Min: 3}}}},
		`{"type":"app.add","id":"x","succeeded":{"g":2,"h":1}}`: {Event: &core.AddApp{ID: "x", Succeeded: map[string]int{"g": 2, "h": 1}}},
		`{"type":"allocation.release","id":"a","failed":true}`:  {Event: &core.ReleaseAllocation{ID: "a", Failed: true}},
		`{"type":"allocation.release","failed":false,"id":"a"}`: {Event: &core.ReleaseAllocation{ID: "a"}},
		`{"type":"app.remove","id":"x"}`:                        {Event: &core.RemoveApp{ID: "x"}},
		`{"type":"ask.add","id":"a","app":"x","resources":{"vcore":"1500m"},"priority":-2147483648,"node":"n","constraints":{"z":["1","2"],"y":[]},` +
			`"originator":true,"preempt_others":false,"preemptable":false,"predicate":"p","task_group":"g","placeholder":true}`: {Event: &core.AddAsk{
			ID: "a", App: "x", Resources: vcore, Ask: core.Ask{Priority: -1 << 31, Node: "n", Originator: true, NoPreemptOthers: true,
				Constraints:    map[string][]string{"z": {"1", "2"}, "y": {}},
				NotPreemptable: true, Predicate: "p", TaskGroup: "g", Placeholder: true},
		}},
		`{"type":"ask.update","id":"a","priority":0}`:                {Event: &core.UpdateAsk{ID: "a", Priority: new(int32)}},
		`{"type":"ask.update","id":"a","preemptable":false}`:         {Event: &core.UpdateAsk{ID: "a", Preemptable: new(false)}},
		`{"type":"ask.update","id":"a","preemptable":true}`:          {Event: &core.UpdateAsk{ID: "a", Preemptable: new(true)}},
		`{"type":"ask.update","id":"a","resources":{"vcore":15e-1}}`: {Event: &core.UpdateAsk{ID: "a", Resources: vcore}},
		`{"type":"ask.remove","id":"a"}`:                             {Event: &core.RemoveAsk{ID: "a"}},
		`{"type":"allocation.release","id":"a"}`:                     {Event: &core.ReleaseAllocation{ID: "a"}},
		`{"type":"allocation.restore","id":"a","app":"x","resources":{"vcore":"1.5"},"placed_on":"n"}`: {Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: "a",
			App: "x", Resources: vcore}, PlacedOn: "n"}},
		`{"type":"config.set","config":"a\nb","format":"toml"}`: {Event: &core.SetConfig{Config: "a\nb", Format: "toml"}},
		`{"type":"config.set","file":"queues.toml"}`: {Event: &core.SetConfig{Config: "text of dir/queues.toml", Format: "toml",
			File: "dir/queues.toml"}},
		`{"type":"policy.set","name":"p","sha256":"00","manifest":{"a":[1,{"b":null}]}}`: {Event: &core.SetPolicy{
			PolicyModule: core.PolicyModule{Name: "p", SHA256: "00", Manifest: `{"a":[1,{"b":null}]}`},
		}},
		`{"type":"policy.set","name":"p","sha256":"00","manifest":"{}"}`: {Event: &core.SetPolicy{
			PolicyModule: core.PolicyModule{Name: "p", SHA256: "00", Manifest: `{}`},
		}},
		`{"type":"policy.remove","name":"p"}`: {Event: &core.RemovePolicy{Name: "p"}},
		`{"type":"policy.answers","policy":"p","point":"node.score","call":3,"digest":"d","fault":"timeout"}`: {Event: &core.RecordAnswers{
			Answers: core.Answers{Policy: "p", Point: "node.score", Call: 3, Digest: "d", Fault: "timeout"},
		}},
		`{"type":"state.set","part":2,"parts":3,"snapshot":"{\"a\":"}`: {Event: &core.SetState{StatePart: core.StatePart{Part: 2, Parts: 3, Snapshot: `{"a":`}}},
		`{"type":"tick"}`:            {Event: &core.Tick{}},
		`{"type":"tick","by":"bob"}`: {By: "bob", Event: &core.Tick{}},
	} {
		expected.At = 90 * time.Second
		line = strings.TrimSuffix(line, "}") + ` , "at" : "1m30s" } `
		entries, err := decodeAll("\n# comment\n" + line + "\r\n")
		if err != nil || len(entries) != 1 {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if !reflect.DeepEqual(entries[0].Input, expected) {
			t.Errorf("%s:\nexpected %+v\nfound    %+v", line, expected, entries[0].Input)
		}
		if entries[0].Line != 3 || entries[0].File != "dir/in.jsonl" {
			t.Errorf("%s: it is on line %d of %s", line, entries[0].Line, entries[0].File)
		}
	}
}

func TestABadLineNamesFileLineAndKey(t *testing.T) {
	const ask = `{"at":"0s","type":"ask.add","id":"a","app":"x","resources":{"vcore":1}`
	for line, expected := range map[string]string{
		`{"at":"1s","type":"tick"`:                                                              `expected "," or "}", found the end of the line`,
		`[]`:                                                                                    `expected an object, found "[]"`,
		"\xff\xfe\x00binary":                                                                    `expected UTF-8, found "\xff\xfe\x00binary"`,
		`{"at":"1s","type":"tick"} x`:                                                           `expected nothing after the object, found "x"`,
		"{\"at\":\"1s\",\"type\":\"tick\"}\x00":                                                 `expected nothing after the object, found "\x00"`,
		`{"at":"1s","type":"tick",}`:                                                            `expected a key in quotes, found "}"`,
		`{"at":"1s","type":"tock"}`:                                                             `type: expected a type of input, found "tock"; did you mean tick?`,
		`{"at":"1s","type":"ask.ad","id":"a"}`:                                                  `type: expected a type of input, found "ask.ad"; did you mean ask.add?`,
		`{"at":"1s","type":"app.add","id":"a","quue":"root.a"}`:                                 `quue: expected a key of the format, found an unknown key; did you mean queue?`,
		`{"resorces":{},"at":"1s","type":"ask.add"}`:                                            `resorces: expected a key of the format, found an unknown key; did you mean resources?`,
		`{"at":"1s"}`:                                                                           `type: expected a type, found none`,
		`{"type":"tick"}`:                                                                       `at: expected the key, which tick needs, found none`,
		`{"at":"1s","type":"tick","at":"1s"}`:                                                   `at: expected the key once, found it twice`,
		`{"at":"1s","type":"tick","id":"a"}`:                                                    `id: expected a key of tick, found one that it does not have`,
		`{"at":"1s","type":"tick","color":1}`:                                                   `color: expected a key of the format, found an unknown key`,
		`{"At":"1s","type":"tick"}`:                                                             `At: expected a key of the format, found an unknown key; did you mean at?`,
		`{"at":1,"type":"tick"}`:                                                                `at: expected a time in quotes, found "1,\"type\":\"tick\"}"`,
		`{"at":"soon","type":"tick"}`:                                                           `at: expected a Go duration such as 1m30s, or an RFC 3339 time, found "soon"`,
		`{"at":"-1s","type":"tick"}`:                                                            `at: expected a duration from 0s to 2540400h0m0s, found "-1s"`,
		`{"at":"2562047h","type":"tick"}`:                                                       `at: expected a duration from 0s to 2540400h0m0s, found "2562047h"`,
		`{"at":"2026-01-01","type":"tick"}`:                                                     `at: expected an RFC 3339 time such as 2026-03-01T09:00:00Z, found "2026-01-01"`,
		`{"at":"9999-01-01T00:00:00Z","type":"tick"}`:                                           `at: expected a time within 290 years of 1970, found "9999-01-01T00:00:00Z"`,
		`{"at":"1s","type":"node.drain","id":""}`:                                               `id: expected a name that is not empty, found ""`,
		`{"at":"1s","type":"node.drain","id":null}`:                                             `id: expected text, found "null}"`,
		`{"at":"1s","type":"node.drain","id":"a` + "\t" + `"}`:                                  `id: expected no control character in a string, found "\"}"`,
		`{"at":"1s","type":"node.drain","id":"\ud83d"}`:                                         `id: expected an escape that JSON knows, found "\\ud83d\"}"`,
		`{"at":"1s","type":"node.drain","id":"a`:                                                `id: expected '"' at the end of a string, found the end of the line`,
		`{"at":"1s","type":"app.move","id":"x"}`:                                                `queue: expected the key, which app.move needs, found none`,
		`{"at":"1s","type":"app.add","id":"x","gang_style":"Firm"}`:                             `gang_style: expected Soft or Hard, found "Firm"`,
		`{"at":"1s","type":"app.add","id":"x","placeholder_timeout":"-1s"}`:                     `placeholder_timeout: expected a Go duration of zero or more, such as 1m30s, found "-1s"`,
		`{"at":"1s","type":"app.add","id":"x","placeholder_ask":{"gpu":-1}}`:                    `placeholder_ask.gpu: expected a quantity of zero or more, found "-1"`,
		`{"at":"1s","type":"app.add","id":"x","gang":"g"}`:                                      `gang: expected a key of app.add, found one that it does not have`,
		`{"at":"1s","type":"app.remove","id":"x","partition":"gpu"}`:                            `partition: expected a key of app.remove, found one that it does not have`,
		`{"at":"1s","type":"tick","by":1}`:                                                      `by: expected text, found "1}"`,
		`{"type":"journal","version":1,"by":"bob"}`:                                             `by: expected a key of journal, found one that it does not have`,
		`{"at":"1s","type":"app.add","id":"x","queue":"q","groups":["a",1]}`:                    `groups: expected text, found "1]}"`,
		`{"at":"1s","type":"app.add","id":"x","queue":"q","tags":{"a":"b","a":"c"}}`:            `tags.a: expected the key once, found it twice`,
		`{"at":"1s","type":"app.add","id":"x","queue":"q","tags":{"a":true}}`:                   `tags.a: expected text, found "true}}"`,
		`{"at":"1s","type":"config.set"}`:                                                       `config: expected either config or file, found none`,
		`{"at":"1s","type":"config.set","config":"","file":"f"}`:                                `file: expected either config or file, found both`,
		`{"at":"1s","type":"config.set","config":"","format":"json"}`:                           `format: expected yaml or toml, found "json"`,
		`{"at":"1s","type":"config.set","file":"gone.yaml"}`:                                    `file: expected a file that can be read, found file does not exist`,
		`{"at":"1s","type":"policy.set","name":"p","sha256":"","manifest":{"a":{"b":1,"b":2}}}`: `manifest.b: expected the key once, found it twice`,
		`{"at":"1s","type":"policy.set","name":"p","sha256":"","manifest":` + strings.Repeat(`{"a":`, 100) + `}`: `manifest: expected no deeper nesting, found ` +
			`"{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":"…`,
		`{"at":"1s","type":"policy.answers","policy":"p","point":"q","call":1,"digest":"","keys":[NaN]}`: `keys: expected a number, "+Inf" or "-Inf", found "NaN]}"`,
		`{"at":"1s","type":"policy.answers","policy":"p","point":"q","call":0,"digest":"","keys":[]}`:    `call: expected an integer from 1, found "0"`,
		`{"at":"1s","type":"state.set","part":0,"parts":1,"snapshot":""}`:                                `part: expected an integer from 1 to 2147483647, found "0"`,
		`{"at":"1s","type":"state.set","part":1,"parts":1}`:                                              `snapshot: expected the key, which state.set needs, found none`,
		`{"type":"journal","version":2}`:                                                                 `version: expected version 1 of the format, found "2"`,
		`{"type":"journal"}`:                                                                             `version: expected the key, which journal needs, found none`,
		ask + `,"priority":2147483648}`:                                                                  `priority: expected an integer of 32 bits, found "2147483648"`,
		ask + `,"priority":1.0}`:                                                                         `priority: expected an integer of 32 bits, found "1.0"`,
		ask + `,"priority":01}`:                                                                          `priority: expected an integer of 32 bits, found "01}"`,
		ask + `,"gang":"g"}`:                                                                             `gang_min: expected the key, which gang needs, found none`,
		ask + `,"gang_min":2}`:                                                                           `gang: expected the key, which gang_min needs, found none`,
		ask + `,"gang":"g","gang_min":2,"gang_fallback":"Members"}`:                                      `gang_fallback: expected members, found "Members"`,
		ask + `,"gang":"g","gang_min":2,"gang_disruption":"some"}`:                                       `gang_disruption: expected unit, whole or member, found "some"`,
		ask + `,"gang":"g","gang_min":2,"gang_disruption":""}`:                                           `gang_disruption: expected unit, whole or member, found ""`,
		`{"at":"1s","type":"app.add","id":"x","placeholder_ask":{"vcore":1},"gang_disruption":"whole"}`:  `gang_disruption: expected unit or member, found "whole"`,
		ask + `,"gang_disruption":"unit"}`:                                                               `gang: expected the key, which gang_disruption needs, found none`,
		ask + `,"gang_repair":"0s"}`:                                                                     `gang: expected the key, which gang_repair needs, found none`,
		ask + `,"gang":"g","gang_min":2,"gang_repair":"-1s"}`:                                            `gang_repair: expected a Go duration of zero or more, such as 1m30s, found "-1s"`,
		ask + `,"gang_max":2}`:                                                                           `gang: expected the key, which gang_max needs, found none`,
		ask + `,"gang":"g","gang_min":3,"gang_max":2}`:                                                   `gang_max: expected at least gang_min, which is 3, found "2"`,
		ask + `,"gang_max":2,"gang":"g","gang_min":3}`:                                                   `gang_max: expected at least gang_min, which is 3, found "2"`,
		ask + `,"gang":"g","gang_min":3,"gang_max":0}`:                                                   `gang_max: expected an integer from 1 to 2147483647, found "0"`,
		ask + `,"movable":"yes"}`:                                                                        `movable: expected true or false, found "\"yes\"}"`,
		ask + `,"topology_required":""}`:                                                                 `topology_required: expected a name that is not empty, found ""`,
		ask + `,"topology_preferred":1}`:                                                                 `topology_preferred: expected text, found "1}"`,
		ask + `,"topology_slice":{"level":"rack","size":1}}`:                                             `gang: expected the key, which topology_slice needs, found none`,
		ask + `,"gang":"g","gang_min":1,"topology_slice":{"level":"rack","size":0}}`:                     `topology_slice.size: expected an integer from 1 to 2147483647, found "0"`,
		ask + `,"gang":"g","gang_min":1,"topology_slice":{"level":"","size":1}}`:                         `topology_slice.level: expected a name that is not empty, found ""`,
		ask + `,"gang":"g","gang_min":1,"topology_slice":{"size":1}}`:                                    `topology_slice.level: expected the key, which a slice needs, found none`,
		ask + `,"gang":"g","gang_min":1,"topology_slice":{"level":"rack"}}`:                              `topology_slice.size: expected the key, which a slice needs, found none`,
		ask + `,"gang":"g","gang_min":1,"topology_slice":{"level":"rack","size":1,"size":1}}`:            `topology_slice.size: expected the key once, found it twice`,
		ask + `,"gang":"g","gang_min":1,"topology_slice":{"level":"rack","count":1}}`:                    `topology_slice: expected level or size, found count`,
		ask + `,"gang":"g","gang_min":1,"topology_slice":"rack"}`:                                        `topology_slice: expected an object with level and size, found "\"rack\"}"`,
		ask + `,"gang_set":"s","gang_set_min":1}`:                                                        `gang: expected the key, which gang_set needs, found none`,
		ask + `,"gang":"g","gang_min":1,"gang_set":"s"}`:                                                 `gang_set_min: expected the key, which gang_set needs, found none`,
		ask + `,"gang":"g","gang_min":1,"gang_set_min":1}`:                                               `gang_set: expected the key, which gang_set_min needs, found none`,
		ask + `,"gang":"g","gang_min":1,"gang_set":"s","gang_set_min":0}`:                                `gang_set_min: expected an integer from 1 to 2147483647, found "0"`,
		ask + `,"topology_required":"a","topology_preferred":"a"}`:                                       `topology_preferred: expected either topology_required or topology_preferred, found both`,
		`{"at":"1s","type":"app.add","id":"x","topology_required":"a"}`:                                  `topology_required: expected a key of app.add, found one that it does not have`,
		`{"at":"1s","type":"app.add","id":"x","gang_repair":"1s"}`:                                       `gang_repair: expected a key of app.add, found one that it does not have`,
		ask + `,"gang_fallback":"members"}`:                                                              `gang: expected the key, which gang_fallback needs, found none`,
		`{"at":"1s","type":"app.add","id":"x","succeeded":{"g":0}}`:                                      `succeeded.g: expected an integer from 1 to 2147483647, found "0"`,
		`{"at":"1s","type":"app.add","id":"x","succeeded":3}`:                                            `succeeded: expected an object of integers, found "3}"`,
		`{"at":"1s","type":"ask.remove","id":"x","failed":true}`:                                         `failed: expected a key of ask.remove, found one that it does not have`,
		ask + `,"gang_timeout":"1s"}`:                                                                    `gang: expected the key, which gang_timeout needs, found none`,
		ask + `,"gang":"","gang_min":2}`:                                                                 `gang: expected a name that is not empty, found ""`,
		ask + `,"gang":"g","gang_min":0}`:                                                                `gang_min: expected an integer from 1 to 2147483647, found "0"`,
		ask + `,"count":0}`:                                                                              `count: expected an integer from 1 to 2147483647, found "0"`,
		ask + `,"run":"-1s"}`:                                                                            `run: expected a Go duration of zero or more, such as 1m30s, found "-1s"`,
		ask + `,"originator":"yes"}`:                                                                     `originator: expected true or false, found "\"yes\"}"`,
		ask + `,"constraints":{"a":"b"}}`:                                                                `constraints.a: expected a list of strings, found "\"b\"}}"`,
		ask + `,"placed_on":"n"}`:                                                                        `placed_on: expected a key of ask.add, found one that it does not have`,
		`{"at":"0s","type":"ask.add","id":"a","app":"x","resources":{"memory":1,"memory":1}}`:            `resources.memory: expected the key once, found it twice`,
		`{"at":"0s","type":"ask.add","id":"a","app":"x","resources":{"memory":true}}`:                    `resources.memory: expected a quantity, a string or a number, found "true}}"`,
		`{"at":"0s","type":"ask.add","id":"a","app":"x","resources":{"":1}}`:                             `resources: expected the name of a resource, found ""`,
		`{"at":"0s","type":"ask.add","id":"a","app":"x","resources":[]}`:                                 `resources: expected an object of quantities, found "[]}"`,
	} {
		before, place := `{"type":"journal","version":1}`+"\n"+`{"at":"0s","type":"tick"}`+"\n", "dir/in.jsonl:3: "
		if strings.Contains(line, "journal") {
			before, place = "", "dir/in.jsonl:1: "
		}
		entries, err := decodeAll(before + line + "\n" + `{"at":"5s","type":"tick"}`)
		if (len(entries) == 1) != (before != "") {
			t.Errorf("%s: %d entries, the one before was to come", line, len(entries))
		}
		if err == nil || err.Error() != place+expected {
			t.Errorf("%s:\nexpected %s\nfound    %v", line, place+expected, err)
		}
	}
}

func TestTimesNeverGoBackAndKeepTheirForm(t *testing.T) {
	for text, expected := range map[string]string{
		`"2s" "2s" "1s"`:                                       `expected a time not before "2s", found "1s"`,
		`"2s" "2026-01-01T00:00:00Z"`:                          `expected a duration since the start as in the lines before, found "2026-01-01T00:00:00Z"`,
		`"2026-01-01T00:00:00Z" "2s"`:                          `expected an RFC 3339 time as in the lines before, found "2s"`,
		`"2026-01-01T00:00:00Z" "2026-01-01T00:59:59.9+01:00"`: `expected a time not before "2026-01-01T00:00:00Z", found "2026-01-01T00:59:59.9+01:00"`,
	} {
		var lines strings.Builder
		for at := range strings.FieldsSeq(text) {
			lines.WriteString(`{"type":"tick","at":` + at + "}\n")
		}
		if _, err := decodeAll(lines.String()); err == nil || !strings.HasSuffix(err.Error(), "at: "+expected) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestTheFormatIsNamedOnTheFirstLineOnly(t *testing.T) {
	_, err := decodeAll(`{"at":"0s","type":"tick"}` + "\n" + `{"type":"journal","version":1}`)
	if err == nil || !strings.Contains(err.Error(), "in.jsonl:2: type: expected the journal's version on the first line only") {
		t.Error(err)
	}
	if _, err := decodeAll("# a comment first\n\n" + `{"version":1,"type":"journal"}`); err != nil {
		t.Error(err)
	}
}

// endless yields the same byte forever, and counts the bytes read.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	e.read += len(p)
	return len(p), nil
}

func TestDecoder_LongLineEndsItInBoundedMemory(t *testing.T) {
	var r endless
	_, err := NewDecoder(&r, "in", nil).Next()
	if err == nil || err.Error() != "in:1: expected at most 16 MiB, found a longer line" {
		t.Error(err)
	}
	if r.read > MaxLine+1<<20 {
		t.Errorf("%d bytes were read", r.read)
	}
}

func TestALineOfExactlyTheBoundIsRead(t *testing.T) {
	frame := `{"at":"0s","type":"config.set","config":""}`
	for extra, good := range map[int]bool{0: true, 1: false} {
		line := strings.Replace(frame, `:""`, `:"`+strings.Repeat("x", MaxLine-len(frame)+extra)+`"`, 1)
		for _, end := range []string{"", "\n"} {
			if _, err := decodeAll(line + end); (err == nil) != good {
				t.Errorf("%d bytes over: %v", extra, err)
			}
		}
	}
}

type failing struct{ text io.Reader }

func (f failing) Read(p []byte) (int, error) {
	n, err := f.text.Read(p)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func TestALineThatTheReaderCutsOffIsNotApplied(t *testing.T) {
	d := NewDecoder(failing{strings.NewReader(`{"at":"0s","type":"tick"}` + "\n" + `{"at":"0s","type":"tick"}`)}, "in", nil)
	if _, err := d.Next(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := d.Next(); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(err.Error(), "in:2: ") {
			t.Error(err)
		}
	}
}

func TestEveryKeyIsFoundByItsName(t *testing.T) {
	for k := range noKey {
		if found := keyOf([]byte(k.String())); found != k {
			t.Errorf("%s: expected key %d, found %d", k, k, found)
		}
	}
}

func TestDecoder_LineIndependentOfLinesBefore(t *testing.T) {
	lines := []string{
		`{"at":"0s","type":"ask.add","id":"x","app":"a","resources":{"vcore":1},"priority":3}`,
		`{"at":"0s","type":"ask.add","id":"y","app":"a","resources":{"vcore":1}}`,
		`{"at":"0s","type":"ask.add","app":"a","id":"z","resources":{"vcore":1},"priority":3,"node":"n"}`,
		`{"at":"0s","type":"ask.remove","id":"x"}`,
		`{ "at" : "0s", "type" : "ask.remove", "id" : "x" }`,
		`{"type":"app.add","at":"0s","id":"a","queue":"root.q"}`,
		`{"at":"0s","type":"tick"}`,
	}
	read := func(text string) Entry {
		d := NewDecoder(strings.NewReader(text), "", nil)
		var last Entry
		for {
			e, err := d.Next()
			if err == io.EOF {
				last.Line = 0
				return last
			}
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			last = *e
		}
	}
	for _, before := range lines {
		for _, line := range lines {
			if found, want := read(before+"\n"+line), read(line); !reflect.DeepEqual(found, want) {
				t.Errorf("after %s\nexpected %+v\nfound    %+v", before, want, found)
			}
		}
	}
	for _, bad := range []string{`{"at":"0s","type":"tick","at":"0s"}`, `{"at":"0s",,"type":"tick"}`, `{,"at":"0s","type":"tick"}`, `{"at":"0s" "type":"tick"}`} {
		d := NewDecoder(strings.NewReader(`{"at":"0s","type":"tick"}`+"\n"+bad), "", nil)
		_, _ = d.Next()
		if _, err := d.Next(); err == nil || err == io.EOF {
			t.Errorf("%s: expected an error, found %v", bad, err)
		}
	}
}

func TestByteOrderMark_SkippedAtTheStart(t *testing.T) {
	const tick = `{"at":"1s","type":"tick"}` + "\n"
	for _, text := range []string{tick, "\n" + tick, "# a comment\n" + tick, `{"type":"journal","version":1,"grace":"3s"}` + "\n" + tick} {
		d := NewDecoder(strings.NewReader("\ufeff"+text), "j", nil)
		for range 2 { // the second time after a reset
			if e, err := d.Next(); err != nil || e.Input.At != time.Second {
				t.Errorf("%q: found %+v, %v", text, e, err)
			}
			d.Reset(strings.NewReader("\ufeff"+text), "j")
		}
	}
	if _, err := NewInputDecoder(strings.NewReader("\ufeff{\"type\":\"tick\"}\n"), "body").Next(); err != nil {
		t.Error(err)
	}
	d := NewDecoder(strings.NewReader(tick+"\ufeff"+tick), "j", nil)
	_, _ = d.Next()
	if _, err := d.Next(); err == nil || !strings.Contains(err.Error(), "j:2: expected an object") {
		t.Errorf("a mark in the second line: %v", err)
	}
}
