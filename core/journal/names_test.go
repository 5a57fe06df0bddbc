package journal

import (
	"fmt"
	"runtime"
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
		`{"type":"app.add","id":"a","queue":"q","user":"` + name(2000) + `"}`:                 "", // refused by a decision
		`{"type":"node.add","id":"n","capacity":{},"attributes":{"a":"` + name(1<<17) + `"}}`: "",
		`{"type":"app.add","id":"a","queue":"q","user":"` + name(1<<20) + `"}`:                "body:1: expected at most 1048576 bytes for app.add, found 1048625",
		`{"type":"config.set","config":"` + name(1<<20) + `"}`:                                "",
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

// spent returns the number of bytes that are allocated by a call, including freed ones.
func spent(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestDecoder_ManyMembers(t *testing.T) {
	var members, list strings.Builder
	for i := range 1 << 20 {
		fmt.Fprintf(&members, `"%x":"",`, i)
		list.WriteString(`"",`)
	}
	object, items := strings.TrimSuffix(members.String(), ","), strings.TrimSuffix(list.String(), ",")
	for _, c := range []struct{ line, key string }{
		{`{"at":"0s","type":"app.add","id":"a","queue":"q","tags":{` + object + `}}`, "tags"},
		{`{"at":"0s","type":"app.add","id":"a","queue":"q","groups":[` + items + `]}`, "groups"},
		{`{"at":"0s","type":"node.add","id":"a","attributes":{` + object + `},"capacity":{}}`, "attributes"},
		{`{"at":"0s","type":"node.add","id":"a","capacity":{` + strings.ReplaceAll(object, `""`, "1") + `}}`, "capacity"},
		{`{"at":"0s","type":"ask.add","id":"a","app":"b","resources":{},"constraints":{"zone":[` + items + `]}}`, "constraints.zone"},
	} {
		var err error
		taken := spent(func() { _, err = NewDecoder(strings.NewReader(c.line), "j", nil).Next() })
		if want := "j:1: " + c.key + ": expected at most 32768 members, found more"; err == nil || err.Error() != want {
			t.Errorf("expected %s, found %.200v", want, err)
		}
		if most := uint64(64<<20 + 2*len(c.line)); taken > most {
			t.Errorf("%s: %d MiB for %d MiB of text", c.key, taken>>20, len(c.line)>>20)
		}
	}
}
