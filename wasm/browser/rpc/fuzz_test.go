package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/wasm/browser/journalgen"
)

// requests are what the fuzzer begins with: one after the other, in each order that it likes.
func requests() []string {
	return []string{
		`{"op":"version"}`, `{"op":"keys"}`, `{"op":"machine.new"}`, `{"op":"machine.advance","id":2,"to":0}`,
		`{"op":"machine.apply","id":2,"take":true}` + "\n" + `{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":1}}`,
		`{"op":"machine.cycle","id":2,"limit":1}`, `{"op":"machine.take","id":2}`, `{"op":"snapshot","id":2}`, `{"op":"machine.restore"}` + "\nquern-snapshot 1 00\n{}",
		`{"op":"state","id":1,"parts":["queues"]}`, `{"op":"explain","id":1,"kind":"ask","name":"ask3"}`, `{"op":"check","format":"toml"}` + "\n[a",
		`{"op":"session.new","grace":-1}`, `{"op":"session.new","checkpointEvery":1}`, `{"op":"session.feed","id":1}` + "\n" + `{"at":"9h","type":"tick"}`,
		`{"op":"session.feed","id":1}` + "\n" + `{"at":"9h","type":"ask.add","id":"a","app":"x","resources":{"vcore":1},"count":2000000000}`,
		`{"op":"session.run","id":1,"to":{"idle":true},"most":9}`, `{"op":"session.run","id":1,"to":{"steps":9223372036854775807,"unit":"input"}}`,
		`{"op":"session.run","id":1,"to":{"time":9223372036854775807}}`, `{"op":"session.run","id":1,"to":{"time":1e99}}`, `{"op":"session.seek","id":1,"seq":18446744073709551615}`,
		`{"op":"session.seek","id":1,"time":5000000000}`, `{"op":"session.truncate","id":1}`, `{"op":"session.decisions","id":1,"from":0,"most":10}`,
		`{"op":"session.journal","id":1,"what":"journal","offset":9223372036854775807}`, `{"op":"session.journal","id":1,"what":"decisions","most":1}`,
		`{"op":"session.status","id":1}`, `{"op":"free","id":1}`, `{"op":"free","id":-1}`, `{"op":"replay","idle":true}` + "\n" + `{"at":"2026-03-01T09:00:00Z","type":"tick"}`,
		`{"op":"policy.load"}` + "\n\x00asm", `{"op":"policy.line","name":"x","parameters":{"a":[{}]}}`, `{"op":"policy.drop","name":""}`, `{"op":"policy.list"}`,
		`[]`, `null`, `{"op":1}`, `{"op":"state","id":"1"}`, `{"op":"state","id":1,"parts":null,"more":1}`, `{"op":"version"} {}`, strings.Repeat(`[`, 20000), "",
	}
}

// FuzzCall serves requests, one a part of the input, to a server with a session that was run half way. Every answer is
// an object, and one that is an error has changed nothing.
func FuzzCall(f *testing.F) {
	all := requests()
	for i := range all {
		f.Add([]byte(all[i]))
		f.Add([]byte(all[i] + "\x00" + all[(i*7+3)%len(all)] + "\x00" + all[(i*5+1)%len(all)]))
	}
	f.Add([]byte(strings.Join(all, "\x00")))
	journal := string(journalgen.Journal(3, 60))
	f.Fuzz(func(t *testing.T, script []byte) {
		b := New(nil)
		call(t, b, object{"op": "session.new", "checkpointEvery": 5}, "")
		call(t, b, object{"op": "session.feed", "id": 1}, journal)
		call(t, b, object{"op": "session.run", "id": 1, "to": object{"unit": "decision", "steps": 20}}, "")
		for request := range bytes.SplitSeq(script, []byte{0}) {
			before := everything(b)
			answer := b.Call(request)
			line, _, _ := bytes.Cut(answer, []byte("\n"))
			var said struct{ Error *Error }
			if err := json.Unmarshal(line, &said); err != nil || len(line) == 0 || line[0] != '{' {
				t.Fatalf("%q: %v in %q", request, err, line)
			}
			if said.Error == nil {
				continue
			}
			if said.Error.Code == Internal || said.Error.Code == "" || said.Error.Message == "" {
				t.Fatalf("%q: %+v", request, said.Error)
			}
			if after := everything(b); after != before {
				t.Fatalf("%q was refused (%v), and yet changed\n%s\nto\n%s", request, said.Error, before, after)
			}
		}
	})
}

// everything is all that a server holds, as far as it can be asked.
func everything(server *Server) string {
	var out bytes.Buffer
	for _, id := range slices.Sorted(maps.Keys(server.machines)) {
		fmt.Fprintf(&out, "%d %x\n", id, server.machines[id].Snapshot())
	}
	for _, id := range slices.Sorted(maps.Keys(server.sessions)) {
		for _, head := range []string{`{"op":"session.status","id":%d}`, `{"op":"session.journal","id":%d,"what":"journal","most":9999999}`, `{"op":"snapshot","id":%d}`} {
			out.Write(server.Call(fmt.Appendf(nil, head, id)))
			out.WriteByte('\n')
		}
	}
	return out.String()
}
