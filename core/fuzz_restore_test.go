package core_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

// sealed puts the line with version and checksum above the content of a snapshot.
func sealed(body []byte) []byte {
	sum := sha256.Sum256(body)
	return append(fmt.Appendf(nil, "quern-snapshot 1 %s\n", hex.EncodeToString(sum[:])), body...)
}

// content is a snapshot without its first line.
func content(snapshot []byte) []byte {
	_, body, _ := bytes.Cut(snapshot, []byte("\n"))
	return body
}

// eventful is a scheduler with something of everything that a snapshot remembers.
func eventful(t testing.TB) *core.Scheduler {
	t.Helper()
	c := newCluster(t, unsteadyOptions(), "")
	c.say(core.Input{Type: core.PolicySet, Policy: reverseModule("1")})
	c.configure(`, queues: [{name: a, resources: {max: {vcore: 20}}}, {name: b, properties: {application.sort.policy: reverse}}, {name: p, parent: true, queues: [{name: c, resources: {guaranteed: {gpu: 1}}}]}]`)
	c.nodeWith("n1", 4, map[string]string{"zone": "x"})
	c.node("n2", 6)
	c.node("n3", 3)
	for app, queue := range map[string]string{"one": "root.a", "two": "root.b", "six": "root.p.c"} {
		c.app(app, queue)
	}
	c.askWith("filler1", "one", 2, core.Ask{Node: "n1"})
	c.askWith("filler2", "one", 3, core.Ask{Node: "n2", Originator: true})
	c.askWith("pinned", "two", 1, core.Ask{Constraints: map[string][]string{"zone": {"x", "y"}}, Predicate: "parity"})
	c.ask("gone", "six", 1)
	c.cycle()
	c.ask("wide", "one", 4)
	c.wait(3 * time.Second)
	c.askWith("wide-c", "six", 5, core.Ask{Priority: -3})
	c.wait(3 * time.Second)
	c.release("gone")
	c.wait(31 * time.Second)
	c.configure(`, queues: [{name: a}, {name: b, properties: {application.sort.policy: reverse}}]`)
	c.app("eight", "root.b")
	c.app("nine", "root.b")
	for i := range 4 {
		c.ask(fmt.Sprint("small", i), "two", 1)
	}
	c.cycle()
	c.say(core.Input{Type: core.AppRemove, ID: "nine"})
	c.say(core.Input{Type: core.PolicyAnswers, Answers: &core.Answers{Policy: "later", Point: string(policy.NodeFilter), Call: 1, Digest: "1", Keys: []float64{0}}})
	return c.Scheduler
}

func TestASnapshotRestoresToItself(t *testing.T) {
	before := eventful(t)
	snapshot := before.Snapshot()
	for _, part := range []string{`"Draining":`, `"BannedUntil":[1-9]`, `"Until":[1-9]`, `"Reserves":`, `"PlacedOn":`, `"Ended":\[`, `"State":"Completing"`, `"State":"Starting"`, `"Recorded":\[`} {
		if !regexp.MustCompile(part).Match(snapshot) {
			t.Errorf("the snapshot lacks %s, and so shows nothing about it", part)
		}
	}
	s, err := core.Restore(snapshot, unsteadyOptions())
	if err != nil {
		t.Fatal(err)
	}
	if again := s.Snapshot(); !bytes.Equal(again, snapshot) {
		t.Errorf("expected\n%s\nfound\n%s", snapshot, again)
	}
	if len(s.Take()) > 0 {
		t.Error("a restored scheduler has decisions to give")
	}
	if expected, found := before.Dump(), s.Dump(); !reflect.DeepEqual(expected, found) {
		t.Errorf("expected\n%+v\nfound\n%+v", expected, found)
	}
}

func TestADamagedSnapshotIsRefused(t *testing.T) {
	snapshot := eventful(t).Snapshot()
	refused := func(what string, data []byte) {
		t.Helper()
		if s, err := core.Restore(data, unsteadyOptions()); err == nil || s != nil || err.Error() == "" {
			t.Errorf("%s: expected an error alone, found %v", what, err)
		}
	}
	step := max(1, len(snapshot)/400)
	for i := 0; i < len(snapshot); i += step {
		damaged := bytes.Clone(snapshot)
		damaged[i] ^= 1 << (i % 8)
		refused(fmt.Sprintf("byte %d flipped", i), damaged)
		refused(fmt.Sprintf("cut at %d", i), snapshot[:i])
	}
	head, body, _ := strings.Cut(string(snapshot), "\n")
	words := strings.Fields(head)
	for what, data := range map[string]string{
		"nothing":        "",
		"other version":  words[0] + " 2 " + words[2] + "\n" + body,
		"version zero":   words[0] + " 0 " + words[2] + "\n" + body,
		"no number":      words[0] + " one " + words[2] + "\n" + body,
		"another name":   "other-snapshot 1 " + words[2] + "\n" + body,
		"no checksum":    words[0] + " 1\n" + body,
		"more words":     head + " more\n" + body,
		"no content":     string(sealed(nil)),
		"null":           string(sealed([]byte("null"))),
		"another type":   string(sealed([]byte("[]"))),
		"an unknown key": string(sealed([]byte(`{"Nows":1,` + body[1:]))),
		"more after it":  string(sealed([]byte(body + "{}"))),
		"bytes after it": string(snapshot) + "\n",
		"a wrong kind":   string(sealed([]byte(strings.Replace(body, `"Now":`, `"Now":"x`, 1)))),
	} {
		refused(what, []byte(data))
	}
}

// edit changes the content of a snapshot as JSON: path leads through objects and, by number, lists.
func edit(t *testing.T, snapshot []byte, value any, path ...any) []byte {
	t.Helper()
	var root any
	d := json.NewDecoder(bytes.NewReader(content(snapshot)))
	d.UseNumber()
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	at := root
	for i, p := range path {
		last := i == len(path)-1
		switch p := p.(type) {
		case string:
			object := at.(map[string]any)
			if last {
				object[p] = value
			}
			at = object[p]
		case int:
			list := at.([]any)
			if last {
				list[p] = value
			}
			at = list[p]
		}
	}
	body, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return sealed(body)
}

func TestASnapshotThatContradictsItselfIsRefused(t *testing.T) {
	snapshot := eventful(t).Snapshot()
	const top = 1 << 62
	for _, tc := range []struct {
		what  string
		value any
		path  []any
	}{
		{"an application in a queue that does not exist", "root.z", []any{"Apps", 0, "Queue"}},
		{"an application in a parent", "root", []any{"Apps", 0, "Queue"}},
		{"two applications of one ID", "two", []any{"Apps", 0, "ID"}},
		{"two applications of one number", 2, []any{"Apps", 0, "Seq"}},
		{"an application's number that is yet to come", top, []any{"Apps", 0, "Seq"}},
		{"an application of no state", "", []any{"Apps", 0, "State"}},
		{"a terminal application among the live", "Completed", []any{"Apps", 0, "State"}},
		{"a new application with asks", "New", []any{"Apps", 0, "State"}},
		{"an ask of nobody", "nobody", []any{"Asks", 0, "App"}},
		{"two asks of one ID", "wide", []any{"Asks", 0, "ID"}},
		{"two asks of one number", 2, []any{"Asks", 0, "Seq"}},
		{"an ask's number that is yet to come", top, []any{"Asks", 0, "Seq"}},
		{"an ask on no node", "n9", []any{"Asks", 0, "PlacedOn"}},
		{"an allocation with a reservation", "n3", []any{"Asks", 0, "Reserves"}},
		{"a reservation on no node", "n9", []any{"Asks", 4, "Reserves"}},
		{"two reservations of a leaf", "n3", []any{"Asks", 5, "Reserves"}},
		{"a negative amount asked", -5, []any{"Asks", 0, "Resources", 0, "Value"}},
		{"a pending ask of nothing", 0, []any{"Asks", 4, "Resources", 0, "Value"}},
		{"a placeholder", true, []any{"Asks", 0, "Ask", "Placeholder"}},
		{"two nodes of one ID", "n2", []any{"Nodes", 0, "ID"}},
		{"a node without a name", "", []any{"Nodes", 0, "ID"}},
		{"a negative capacity", -1, []any{"Nodes", 0, "Capacity", 0, "Value"}},
		{"two allocations of one number", 1, []any{"Asks", 1, "Placed"}},
		{"a draining queue of no parent", "root.z", []any{"Draining", 0, "Parent"}},
		{"a draining queue of a leaf", "root.a", []any{"Draining", 0, "Parent"}},
		{"a draining queue under another's name", "root.a", []any{"Draining", 0, "Conf", "Path"}},
		{"a draining queue with a policy that is not there", "none", []any{"Draining", 1, "Conf", "AppSort"}},
		{"a draining queue with another policy that is not there", "none", []any{"Draining", 1, "Conf", "AskSort"}},
		{"a draining parent with a policy that is not there", "none", []any{"Draining", 0, "Conf", "QueueSort"}},
		{"a draining queue that guarantees less than nothing", -7, []any{"Draining", 1, "Conf", "Guaranteed", 0, "Value"}},
		{"a configuration that is none", "partitions: 3", []any{"Config", "Text"}},
		{"a configuration without the policy it names", partition(", queues: [{name: a}, {name: b, properties: {application.sort.policy: none}}]", ""), []any{"Config", "Text"}},
		{"a configuration that lacks a queue in use", partition(", queues: [{name: b}]", ""), []any{"Config", "Text"}},
		{"a bad manifest", "{}", []any{"Modules", 2, "Set", "Manifest"}},
		{"a module that is announced under another name", "other", []any{"Modules", 2, "Name"}},
		{"a ban of no leaf", "root.z", []any{"Leaves", 0, "Queue"}},
	} {
		t.Run(tc.what, func(t *testing.T) {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("panic: %v", p)
				}
			}()
			data := edit(t, snapshot, tc.value, tc.path...)
			if bytes.Equal(content(data), content(edit(t, snapshot, "x", "Config", "File"))) {
				t.Fatal("nothing was changed")
			}
			s, err := core.Restore(data, unsteadyOptions())
			if err == nil {
				t.Error("it is taken")
				goOn(s)
			}
		})
	}
}

// goOn lets a scheduler live for a while: whatever it was restored from, it must not panic.
func goOn(s *core.Scheduler) {
	now := s.Now()
	s.Advance(now)
	s.Cycle(-1)
	s.Dump()
	for _, in := range []core.Input{
		{Type: core.NodeAdd, ID: "new", Capacity: vcores(5)},
		{Type: core.AppAdd, ID: "new", Queue: "root.a"},
		{Type: core.AskAdd, ID: "new", App: "new", Resources: vcores(1)},
		{Type: core.AllocationRelease, ID: "filler1"},
		{Type: core.ConfigSet, Config: partition(", queues: [{name: a}, {name: c}]", "")},
		{Type: core.NodeRemove, ID: "n2"},
		{Type: core.AppRemove, ID: "two"},
	} {
		in.At = now
		s.Apply(&in)
		s.Cycle(8)
	}
	for range 20 {
		at, ok := s.Deadline()
		if !ok || at < s.Now() {
			break
		}
		s.Advance(at)
		s.Cycle(8)
	}
	s.ExplainAsk("wide")
	s.Snapshot()
}

// FuzzRestore takes the content of a snapshot and seals it with its checksum. Whatever it says, Restore must answer
// with a scheduler that goes on, or with an error.
func FuzzRestore(f *testing.F) {
	f.Add(content(core.New(core.Options{}).Snapshot()))
	f.Add(content(eventful(f).Snapshot()))
	f.Fuzz(func(t *testing.T, body []byte) {
		if _, err := core.Restore(body, core.Options{}); err == nil && !bytes.HasPrefix(body, []byte("quern-snapshot")) {
			t.Fatal("a snapshot without its first line is taken")
		}
		s, err := core.Restore(sealed(body), core.Options{})
		if err != nil {
			return
		}
		first := s.Snapshot()
		again, err := core.Restore(first, core.Options{})
		if err != nil {
			t.Fatalf("what was restored once is refused: %v\n%s", err, first)
		}
		if second := again.Snapshot(); !bytes.Equal(first, second) {
			t.Fatalf("restored once\n%s\ntwice\n%s", first, second)
		}
		goOn(s)
	})
}
