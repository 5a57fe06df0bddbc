package rpc

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

func TestEveryRefusalNamesItsReason(t *testing.T) {
	b := New(nil)
	call(t, b, object{"op": "machine.new"}, "")
	call(t, b, object{"op": "session.new"}, "")
	call(t, b, object{"op": "session.feed", "id": 2}, `{"at":"0s","type":"tick"}`+"\n"+`{"at":"5s","type":"tick"}`)
	call(t, b, object{"op": "session.run", "id": 2, "to": object{"time": 1}}, "")
	const tooMany = `{"at":"9s","type":"ask.add","id":"a","app":"x","resources":{"vcore":1},"count":2000000}`
	for _, c := range []struct {
		head object
		body string
		code Code
		key  string
	}{
		{object{"op": "brew"}, "", UnknownOp, "op"},
		{object{"op": "version", "colour": 1}, "", BadRequest, ""},
		{object{"op": "state", "id": "one"}, "", BadRequest, "id"},
		{object{"op": "state", "id": 7}, "", UnknownSession, "id"},
		{object{"op": "state", "id": 1, "parts": []string{"cats"}}, "", BadRequest, "parts"},
		{object{"op": "explain", "id": 1, "kind": "cat"}, "", BadRequest, "kind"},
		{object{"op": "placement", "id": 7}, "", UnknownSession, "id"},
		{object{"op": "placement", "id": 1, "groups": "dev"}, "", BadRequest, "groups"},
		{object{"op": "limits", "id": 7}, "", UnknownSession, "id"},
		{object{"op": "session.run", "id": 1}, "", UnknownSession, "id"},
		{object{"op": "session.run", "id": 2}, "", BadRequest, "to"},
		{object{"op": "session.run", "id": 2, "to": object{"idle": true, "time": 4}}, "", BadRequest, "to"},
		{object{"op": "session.run", "id": 2, "to": object{"time": -1}}, "", BadTime, ""},
		{object{"op": "session.seek", "id": 2}, "", BadRequest, "seek"},
		{object{"op": "session.feed", "id": 2}, `{"at":"0s","type":"tick"}`, BadTime, "at"},
		{object{"op": "session.feed", "id": 2}, `{"at":"2026-03-01T09:00:00Z","type":"tick"}`, BadJournal, "at"},
		{object{"op": "session.feed", "id": 2}, `{"at":"9s","type":"tick"}` + "\n" + `{"at":"8s","type":"tick"}`, BadJournal, "at"},
		{object{"op": "session.feed", "id": 2}, `{"at":"9s","type":"config.set","file":"a"}`, BadJournal, "file"},
		{object{"op": "session.feed", "id": 2}, tooMany, TooLarge, ""},
		{object{"op": "session.feed", "id": 2}, strings.Repeat(" ", maxRequest-50), TooLarge, ""},
		{object{"op": "machine.cycle", "id": 1}, "", BadTime, ""},
		{object{"op": "machine.restore"}, "junk", BadSnapshot, ""},
		{object{"op": "policy.load"}, "junk", NotThere, ""},
		{object{"op": "policy.line", "name": "x"}, "", NotThere, "name"},
		{object{"op": "replay", "config": "a: ["}, `{"at":"0s","type":"tick"}`, BadConfiguration, ""},
	} {
		before := everything(b)
		a, _ := try(t, b, c.head, c.body)
		e, _ := a["error"].(map[string]any)
		if e["code"] != string(c.code) || fmt.Sprint(e["key"]) != c.key && (e["key"] != nil || c.key != "") {
			t.Errorf("%v: expected %s of %q, found %v", c.head, c.code, c.key, a)
		}
		if everything(b) != before {
			t.Errorf("%v: something changed", c.head)
		}
	}
}

func TestAfterABugOfOursTheJournalCanStillBeRead(t *testing.T) {
	b := New(nil)
	call(t, b, object{"op": "session.new"}, "")
	call(t, b, object{"op": "session.feed", "id": 1}, `{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":1}}`)
	call(t, b, object{"op": "session.run", "id": 1, "to": object{"idle": true}}, "")
	b.sessions[1].scheduler = nil // whatever comes next breaks
	a, _ := try(t, b, object{"op": "session.run", "id": 1, "to": object{"steps": 1, "unit": "instant"}}, "")
	if e, _ := a["error"].(map[string]any); a["error"] != nil && e["code"] != string(Internal) {
		t.Fatalf("found %v", a)
	}
	a, _ = try(t, b, object{"op": "state", "id": 1}, "")
	if e, _ := a["error"].(map[string]any); e["code"] != string(Internal) {
		t.Fatalf("expected internal, found %v", a)
	}
	for _, op := range []string{"state", "session.run", "session.feed", "snapshot", "session.seek", "session.truncate"} {
		a, _ := try(t, b, object{"op": op, "id": 1}, "")
		if e, _ := a["error"].(map[string]any); e["code"] != string(Internal) {
			t.Errorf("%s of a closed session: found %v", op, a)
		}
	}
	if text := whole(t, b, 1, "journal"); !strings.Contains(text, "node.add") {
		t.Errorf("the journal is %q", text)
	}
	if text := whole(t, b, 1, "decisions"); !strings.Contains(text, "node.accepted") {
		t.Errorf("the decisions are %q", text)
	}
	if a, _ := call(t, b, object{"op": "session.status", "id": 1}, ""); a["closed"] != true || a.number("seq") != 1 {
		t.Errorf("the status is %v", a)
	}
}

func TestACheckSaysWhatIsWrongAndWhere(t *testing.T) {
	b := New(nil)
	a, _ := call(t, b, object{"op": "check", "file": "q.yaml"}, "partitions:\n- queues:\n  - name: root\n    colour: red\n")
	wrong, _ := a["errors"].([]any)
	if len(wrong) != 1 {
		t.Fatalf("found %v", a)
	}
	e := object(wrong[0].(map[string]any))
	if e["file"] != "q.yaml" || e.number("line") != 4 || e.number("column") != 5 || e["queue"] != "root" || e["key"] != "colour" || e["found"] != `"colour"` {
		t.Errorf("found %v", e)
	}
	a, _ = call(t, b, object{"op": "check", "format": "toml"}, "[[partitions]]\n[[partitions.queues]]\nname = \"prod\"\n")
	if found := fmt.Sprint(a["errors"], a["warnings"]); found != "[] []" || !strings.Contains(fmt.Sprint(a["configuration"]), "path:root.prod") {
		t.Errorf("found %v", a)
	}
}

func TestTimesOfASessionCountFromItsFirstInstant(t *testing.T) {
	b := New(nil)
	call(t, b, object{"op": "session.new"}, "")
	call(t, b, object{"op": "session.feed", "id": 1}, `{"at":"2026-03-01T09:00:10Z","type":"tick"}`)
	call(t, b, object{"op": "session.feed", "id": 1}, `{"at":"2026-03-01T09:00:00Z","type":"tick"}`)
	a, heard := call(t, b, object{"op": "session.run", "id": 1, "to": object{"time": 0}}, "")
	if a["start"] != "2026-03-01T09:00:00Z" || a.number("now") != 0 || a.number("next") != 10e9 || a.number("applied") != 1 || a.number("earliest") != 1 {
		t.Errorf("found %v", a)
	}
	if heard != `{"at":"2026-03-01T09:00:00Z","type":"tick"}`+"\n" {
		t.Errorf("heard %q", heard)
	}
	a, _ = call(t, b, object{"op": "session.run", "id": 1, "to": object{"time": 4e9}}, "")
	if a.number("now") != 4e9 || a.number("earliest") != 4e9 || a["done"] != true {
		t.Errorf("found %v", a)
	}
	a, _ = call(t, b, object{"op": "session.feed", "id": 1}, `{"at":"2026-03-01T09:00:04Z","type":"tick"}`)
	if fmt.Sprint(a["positions"]) != "[map[from:1 lines:1]]" {
		t.Errorf("found %v", a)
	}
}

func TestAFirstInstantLeavesRoomForTheTimeThatPassed(t *testing.T) {
	b := New(nil)
	call(t, b, object{"op": "session.new"}, "")
	call(t, b, object{"op": "session.run", "id": 1, "to": object{"time": int64(latest)}}, "")
	a, _ := try(t, b, object{"op": "session.feed", "id": 1}, `{"at":"1700-01-01T00:00:00Z","type":"tick"}`)
	if e, _ := a["error"].(map[string]any); e["code"] != string(BadTime) {
		t.Errorf("expected %s, found %v", BadTime, a)
	}
	call(t, b, object{"op": "session.feed", "id": 1}, `{"at":"2026-03-01T09:00:00Z","type":"tick"}`)
	a, _ = call(t, b, object{"op": "session.seek", "id": 1, "time": int64(time.Hour)}, "")
	if a.number("now") != int64(time.Hour) {
		t.Errorf("found %v", a)
	}
}

func TestNamesOfAnswersAreThoseOfTheirFields(t *testing.T) {
	for field, want := range map[string]string{"ID": "id", "AppSort": "appSort", "SHA256": "sha256", "HasPriority": "hasPriority", "Now": "now", "URLPath": "urlPath", "ForQueue": "forQueue"} {
		if found := jsonName(field); found != want {
			t.Errorf("%s: expected %s, found %s", field, want, found)
		}
	}
	w := writer{plans{}}
	d := core.AppDump{ID: "a\"\n€<", HasPriority: true, Priority: -1, Asks: []core.AskDump{{ID: "x"}}}
	const want = `{"id":"a\"\n€\u003c","hasPriority":true,"priority":-1,"asks":[{"id":"x"}]}` + "\n"
	if found := string(w.appendLine(nil, d)); found != want {
		t.Errorf("expected %s, found %s", want, found)
	}
	for name, op := range operations() {
		if line := w.appendLine(nil, reflect.New(op.answer).Interface()); line[0] != '{' {
			t.Errorf("%s answers with %s", name, line)
		}
	}
}
