package journal

import (
	"strings"
	"testing"
)

func TestInputDecoder_LongIDs(t *testing.T) {
	name := func(n int) string { return strings.Repeat("x", n) }
	for line, want := range map[string]string{
		`{"type":"node.drain","id":"` + name(1024) + `"}`:                                     "",
		`{"type":"node.drain","id":"` + name(1025) + `"}`:                                     "body:1: id: expected at most 1024 bytes, found 1025",
		`{"type":"ask.add","id":"k","app":"` + name(2000) + `","resources":{"vcore":"1"}}`:    "body:1: app: expected at most 1024 bytes, found 2000",
		`{"type":"tick","by":"` + name(2000) + `"}`:                                           "body:1: by: expected at most 1024 bytes, found 2000",
		`{"type":"app.add","id":"a","queue":"q","user":"` + name(2000) + `"}`:                 "", // refused by decision
		`{"type":"node.add","id":"n","capacity":{},"attributes":{"a":"` + name(1<<17) + `"}}`: "",
	} {
		found := ""
		if _, err := NewInputDecoder(strings.NewReader(line), "body").Next(); err != nil {
			found = err.Error()
		}
		if found != want {
			t.Errorf("%.40s: expected %q, found %q", line, want, found)
		}
	}
	recorded := `{"at":"1s","type":"node.drain","id":"` + name(2000) + `"}`
	if _, err := NewDecoder(strings.NewReader(recorded), "j", nil).Next(); err != nil {
		t.Errorf("a file: found %v", err)
	}
}
