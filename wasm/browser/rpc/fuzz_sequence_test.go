package rpc

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/wasm/browser/journalgen"
)

// chooser is what a fuzzer writes: each byte decides one thing, and past its end everything is the first choice.
type chooser struct{ rest []byte }

func (s *chooser) next() int {
	if len(s.rest) == 0 {
		return 0
	}
	b := s.rest[0]
	s.rest = s.rest[1:]
	return int(b)
}

func choice[T any](s *chooser, of []T) T { return of[s.next()%len(of)] }

// Values that a caller could give, sensible or not, as JSON.
var (
	ids    = []string{"1", "1", "1", "2", "3", "0", "-1", "9223372036854775807", "9223372036854775808", `"1"`, "null", "1.5", `1,"id":2`}
	wholes = []string{"0", "1", "2", "7", "20", "300", "1000000000", "5000000000", "-1", "1048576", "1048577", "9007199254740993",
		"9176976000000000000", "9176976000000000001", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "18446744073709551616", "1e3", "1e400", "0.5", "null", `"5"`, "[]"}
	names = []string{"root", "root.prod.web", "ask3", "app1", "", "a\u0000b", "\ufffd", "__proto__", "constructor", "<img src=x onerror=alert(1)>", "\u202egnp.exe", "\u200b",
		strings.Repeat("x", 10_000), "root" + strings.Repeat(".a", 2000), `lone`, "a\nb", "\u2028", "é́", "-", "0"}
	goals = []string{`{"idle":true}`, `{"steps":%,"unit":"decision"}`, `{"steps":%,"unit":"instant"}`, `{"steps":%,"unit":"input"}`, `{"time":%}`, `{"steps":%}`, `{"time":%,"idle":true}`, `{}`, `null`, `{"unit":"week"}`}
	times = []string{"0s", "1ns", "1s", "2540400h", "2562047h", "-1s", "1e9s", "", "0.5", "2026-03-01T09:00:00Z", "1700-01-01T00:00:00Z", "1677-09-22T00:00:00Z", "2262-04-11T23:47:16Z",
		"2261-01-01T00:00:00.999999999+14:00", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z", "2026-02-30T00:00:00Z"}
	sums = []string{"1", "0", "-1", `"64Gi"`, `"1m"`, "9223372036854775807", "9223372036854775808", "1e18", "0.001", `"9E"`, "null", `""`, "{}"}
	// lines have an ID for @, a time for ~, a quantity for #.
	inputLines = []string{
		`{"at":"~","type":"tick"}`,
		`{"at":"~","type":"node.add","id":@,"capacity":{"vcore":#,@:#}}`,
		`{"at":"~","type":"node.add","id":@,"capacity":{"vcore":8},"attributes":{@:@}}`,
		`{"at":"~","type":"node.drain","id":@}`,
		`{"at":"~","type":"node.remove","id":@}`,
		`{"at":"~","type":"app.add","id":@,"queue":@,"user":@,"tags":{@:@}}`,
		`{"at":"~","type":"app.remove","id":@}`,
		`{"at":"~","type":"ask.add","id":@,"app":@,"resources":{"vcore":#,@:#},"priority":#}`,
		`{"at":"~","type":"ask.add","id":@,"app":@,"resources":{"vcore":#},"count":3000,"run":"~"}`,
		`{"at":"~","type":"ask.add","id":@,"app":@,"resources":{"vcore":#},"count":#}`,
		`{"at":"~","type":"ask.remove","id":@}`,
		`{"at":"~","type":"allocation.release","id":@}`,
		`{"at":"~","type":"allocation.restore","id":@,"app":@,"resources":{"vcore":#},"placed_on":@}`,
		`{"at":"~","type":"config.set","config":@}`,
		`{"at":"~","type":"config.set","config":"partitions: [{queues: [{name: root, queues: [{name: a, resources: {max: {vcore: 1}}}]}]}]"}`,
		`{"at":"~","type":"config.set","config":"partitions: &a [*a, *a]","format":"yaml"}`,
		`{"at":"~","type":"config.set","config":"a = [[[[","format":"toml"}`,
		`{"at":"~","type":"policy.set","name":@,"sha256":@}`,
		`{"at":"~","type":"policy.remove","name":@}`,
		`{"at":"~","type":"policy.answers","policy":@,"point":"node.score","call":3,"digest":"d","fault":"timeout"}`,
		`{"at":"~","at":"~","type":"tick","type":"node.add","id":@,"id":@,"capacity":{"a":1,"a":2}}`,
		`{"type":"journal","version":#}`,
		`{"type":"journal","version":1}`,
		`# a comment`, ``, `[`, `{"at":"~","type":`, "\xff\xfe{}", `{"at":"~","type":"tick"}{"at":"~","type":"tick"}`, `{"at":{"at":{}},"type":[]}`,
		`{"at":"~","type":"node.add","id":"\ud800","capacity":{"\udfff":1}}`,
		`{"at":"~","type":"app.add","id":"\u0000","queue":"root.\u0000"}`,
	}
)

func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// line writes one line of a journal, mostly one that could be used.
func (s *chooser) line() string {
	out := choice(s, inputLines)
	for strings.Contains(out, "@") {
		out = strings.Replace(out, "@", quoted(choice(s, names)), 1)
	}
	for strings.Contains(out, "~") {
		out = strings.Replace(out, "~", choice(s, times), 1)
	}
	for strings.Contains(out, "#") {
		out = strings.Replace(out, "#", choice(s, sums), 1)
	}
	return out
}

// lines writes a journal: made up, or of a cluster that works, from a time on that the session takes.
func (s *chooser) lines(server *Server) string {
	if s.next()%3 != 0 {
		var out []string
		for range 1 + s.next()%8 {
			out = append(out, s.line())
		}
		return strings.Join(out, "\n")
	}
	from := time.Duration(s.next()) * 100 * time.Millisecond
	if open := server.sessions[1]; open != nil {
		from += max(0, open.earliest()-open.base)
	}
	lines, err := decoded(journalgen.Journal(uint64(s.next()), 1+s.next()%60))
	if err != nil || from > latest {
		return ""
	}
	var out bytes.Buffer
	e := journal.NewEncoder(&out, journal.Relative)
	for i := range lines.entries {
		lines.entries[i].Input.At += from
		if err := e.Entry(&lines.entries[i]); err != nil {
			return ""
		}
	}
	if e.Flush() != nil {
		return ""
	}
	return out.String()
}

// request writes one request, of any kind.
func (s *chooser) request(server *Server) string {
	head := func(op string, members ...string) string {
		return `{"op":"` + op + `","id":` + choice(s, ids) + strings.Join(members, "") + "}"
	}
	n := func(key string) string { return `,"` + key + `":` + choice(s, wholes) }
	switch s.next() % 20 {
	case 0, 1:
		return head("session.feed") + "\n" + s.lines(server)
	case 2, 3, 4:
		return head("session.run", `,"to":`, strings.Replace(choice(s, goals), "%", choice(s, wholes), 1), n("most"))
	case 5:
		return head("session.seek", n("seq"))
	case 6:
		return head("session.seek", n("time"), n("most"))
	case 7:
		return head("session.seek", n("seq"), n("time"))
	case 8:
		return head("session.truncate")
	case 9:
		return head("session.decisions", n("from"), n("most"))
	case 10:
		return head("session.journal", `,"what":`, choice(s, []string{`"journal"`, `"decisions"`, `""`, `null`, `7`}), n("offset"), n("most"))
	case 11:
		return head("explain", `,"kind":`, choice(s, []string{`"ask"`, `"queue"`, `"application"`, `"preemption"`, `"x"`}), `,"name":`, quoted(choice(s, names)))
	case 12:
		return head("state", `,"parts":`, choice(s, []string{"null", "[]", `["nodes"]`, `["queues","queues"]`, `["x"]`, "{}"}))
	case 13:
		return head(choice(s, []string{"free", "snapshot", "session.status", "machine.take", "nothing", ""}))
	case 14:
		return `{"op":"session.new","grace":` + choice(s, wholes) + n("checkpointEvery") + "}"
	case 15:
		return choice(s, []string{`{"op":"machine.new"}`, head("machine.advance", n("to")), head("machine.cycle", n("limit"), `,"take":true`), head("machine.apply", `,"take":true`) + "\n" + s.line()})
	case 16:
		return `{"op":"check","format":` + choice(s, []string{`"yaml"`, `"toml"`, `""`, `"xml"`}) + "}\n" + choice(s, names) + string(s.rest)
	case 17:
		return `{"op":"replay","idle":true,"decisions":true` + n("until") + n("grace") + "}\n" + s.lines(server)
	case 18:
		return choice(s, []string{`{"op":"policy.load"}` + "\n\x00asm", `{"op":"policy.line","name":` + quoted(choice(s, names)) + "}", `{"op":"policy.drop","name":` + quoted(choice(s, names)) + "}",
			`{"op":"machine.restore"}` + "\n" + string(s.rest), strings.Repeat(`{"op":`, 12_000), `{"op":"session.status","id":1,"op":"free","id":1}`, `{"op":"\ud800"}`, "\x00", "{}\n{}"})
	}
	return string(s.rest)
}

// sound reports what a well-formed answer lacks: one line of JSON, then lines of JSON where lines are what was asked for.
func sound(answer []byte) string {
	head, body, found := bytes.Cut(answer, []byte("\n"))
	switch {
	case !found || !json.Valid(head) || !utf8.Valid(head) || head[0] != '{':
		return "the head is no object on a line of its own"
	case bytes.HasPrefix(body, []byte("quern-snapshot")):
		return ""
	}
	for line := range bytes.Lines(body) {
		if !json.Valid(line) || line[len(line)-1] != '\n' {
			return "a line of the body is no JSON: " + string(line)
		}
	}
	return ""
}

// FuzzSequence makes a session and has anything happen to it, in any order. What is refused changes nothing, nothing
// is our fault but where a session was closed, and what is left decides as a replay of its own journal does.
func FuzzSequence(f *testing.F) {
	for kind := range 20 {
		var script []byte
		for i := range 60 {
			script = append(script, byte(kind+i/9), byte(i*37), byte(i*i), byte(i*11+kind))
		}
		f.Add(script)
	}
	f.Add([]byte{2, 0, 4, 12, 0, 0, 0, 1, 0, 0, 10}) // 291 years pass, and then comes a line of the year 1700
	f.Fuzz(sequence)
}

// sequence plays one script.
func sequence(t *testing.T, bytes []byte) {
	b, s := New(nil), &chooser{bytes}
	call(t, b, object{"op": "session.new", "checkpointEvery": 1 + s.next()%30, "grace": 1_000_000_000}, "")
	call(t, b, object{"op": "session.feed", "id": 1}, string(journalgen.Journal(uint64(s.next()%16), 40)))
	before := everything(b)
	for moves := 0; len(s.rest) > 0 && moves < 40; moves++ {
		if s.next() == 77 {
			b.shut(1) // as a bug of ours would
			before = everything(b)
		}
		request := s.request(b)
		answer := b.Call([]byte(request))
		if lacks := sound(answer); lacks != "" {
			t.Fatalf("%.2000q: %s in %.2000q", request, lacks, answer)
		}
		var said struct{ Error *Error }
		if err := json.Unmarshal(answer[:strings.IndexByte(string(answer), '\n')], &said); err != nil {
			t.Fatal(err)
		}
		after := everything(b)
		switch {
		case said.Error == nil:
		case said.Error.Code == "" || said.Error.Message == "",
			said.Error.Code == Internal && said.Error.Message != isClosed(1).Message:
			t.Fatalf("%.2000q: %+v", request, said.Error)
		case after != before:
			t.Fatalf("%.2000q was refused (%v), and yet changed\n%.3000s\nto\n%.3000s", request, said.Error, before, after)
		}
		before = after
	}
	for _, id := range slices.Sorted(maps.Keys(b.sessions)) {
		if open := b.sessions[id]; !open.closed {
			decidesAsItsJournal(t, b, id, open)
		}
	}
}

// decidesAsItsJournal plays a session for two hours more, and its journal from the start up to there.
func decidesAsItsJournal(t *testing.T, server *Server, id int, open *session) {
	end := open.clock - open.base + 2*time.Hour
	if end > latest || open.base+end > latest || len(open.inputs.list) == 0 {
		return
	}
	toTheEnd(t, server, id, object{"time": int64(end)})
	until := end
	if first := open.inputs.list[0].Input.At; open.inputs.form == journal.Absolute {
		until = open.base + end - first
	}
	status, _ := call(t, server, object{"op": "session.status", "id": id}, "")
	_, text := call(t, server, object{"op": "session.journal", "id": id, "what": "journal", "most": math.MaxInt32}, "")
	replay, _ := call(t, server, object{"op": "replay", "until": int64(until), "grace": int64(open.grace)}, text)
	if replay["sha256"] != status["hash"] {
		t.Fatalf("session %d decided %v, its journal %v:\n%.3000s", id, status, replay, text)
	}
}
