package scheduler_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/quern-project/quern/core/scheduler"
)

func TestADamagedSnapshotIsRefused(t *testing.T) {
	snapshot := eventful(t).Snapshot()
	refused := func(what string, data []byte) {
		t.Helper()
		if s, err := scheduler.Restore(data, unsteadyOptions()); err == nil || s != nil || err.Error() == "" {
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
	lines := strings.Split(string(snapshot), "\n")
	name, body, sum := "quern-snapshot", lines[1], lines[2]
	before := string(sealedBefore([]byte(body)))
	for what, data := range map[string]string{
		"nothing":        "",
		"later version":  reversioned(string(snapshot), name+" 4"),
		"version zero":   reversioned(string(snapshot), name+" 0"),
		"no number":      reversioned(string(snapshot), name+" one"),
		"no version":     reversioned(string(snapshot), name),
		"another name":   reversioned(string(snapshot), "other-snapshot 3"),
		"more words":     reversioned(string(snapshot), name+" 3 more"),
		"no checksum":    name + " 3\n" + body + "\n",
		"short checksum": name + " 3\n" + body + "\n" + sum[1:] + "\n",
		"first line":     name + " 3\n",
		"only checksum":  sum + "\n",
		"two lines":      string(sealed([]byte("{}\n{}"))),
		"2: no checksum": name + " 2\n" + body,
		"2: more words":  strings.Replace(before, "\n", " more\n", 1),
		"2: as 3":        strings.Replace(before, name+" 2", name+" 3", 1),
		"2: damaged":     strings.Replace(before, `"Now"`, `"now"`, 1),
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

// reversioned is a snapshot with another first line, and the checksum for it.
func reversioned(snapshot, first string) string {
	all := first + "\n" + string(content([]byte(snapshot))) + "\n"
	return fmt.Sprintf("%s%x\n", all, sha256.Sum256([]byte(all)))
}

// edit sets a value in the content of a snapshot. The path has keys of objects, and for lists the ID, name or index of an item.
func edit(t testing.TB, snapshot []byte, value any, path ...any) []byte {
	t.Helper()
	var root any
	d := json.NewDecoder(bytes.NewReader(content(snapshot)))
	d.UseNumber()
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	at := root
	for i, step := range path {
		p := placeOf(t, at, step)
		if i == len(path)-1 {
			p.set(value)
		}
		at = p.value()
	}
	body, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return sealed(body)
}

func placeOf(t testing.TB, v, step any) place {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		return place{object: v, key: step.(string)}
	case []any:
		for i, item := range v {
			object, _ := item.(map[string]any)
			inner, _ := object["Conf"].(map[string]any)
			if step == i || object["ID"] == step || object["Name"] == step || object["Queue"] == step || inner["Name"] == step {
				return place{list: v, index: i}
			}
		}
	}
	t.Fatalf("there is no %v in %v", step, v)
	return place{}
}

// yetToCome is larger than every counter.
const yetToCome = 1 << 62

// contradictions are edits of an eventful snapshot, each of which makes it invalid.
var contradictions = []struct {
	what  string
	value any
	path  []any
}{
	{"an application in a queue that does not exist", "root.z", []any{"Apps", "one", "Queue"}},
	{"an application in a parent", "root", []any{"Apps", "one", "Queue"}},
	{"an application that was preempted less than never", -1, []any{"Apps", "one", "Preempted"}},
	{"two applications of one ID", "two", []any{"Apps", "one", "ID"}},
	{"two applications of one number", 2, []any{"Apps", "one", "Seq"}},
	{"an application's number that is yet to come", yetToCome, []any{"Apps", "one", "Seq"}},
	{"an application of no state", "", []any{"Apps", "one", "State"}},
	{"a terminal application among the live", "Completed", []any{"Apps", "one", "State"}},
	{"a new application with asks", "New", []any{"Apps", "one", "State"}},
	{"an ask of nobody", "nobody", []any{"Asks", "filler1", "App"}},
	{"two asks of one ID", "wide", []any{"Asks", "filler1", "ID"}},
	{"two asks of one number", 2, []any{"Asks", "filler1", "Seq"}},
	{"an ask's number that is yet to come", yetToCome, []any{"Asks", "filler1", "Seq"}},
	{"an ask on no node", "n9", []any{"Asks", "filler1", "PlacedOn"}},
	{"an allocation with a reservation", "n3", []any{"Asks", "filler1", "Reserves"}},
	{"a reservation on no node", "n9", []any{"Asks", "wide-c", "Reserves"}},
	{"two reservations of a leaf", "n3", []any{"Asks", "more-c", "Reserves"}},
	{"an ask that was preempted less than never", -1, []any{"Asks", "filler1", "Preempted"}},
	{"a negative amount asked", -5, []any{"Asks", "filler1", "Resources", 0, "Value"}},
	{"a pending ask of nothing", 0, []any{"Asks", "wide", "Resources", 0, "Value"}},
	{"a placeholder", true, []any{"Asks", "filler1", "Ask", "Placeholder"}},
	{"two nodes of one ID", "n2", []any{"Nodes", "n1", "ID"}},
	{"a node without a name", "", []any{"Nodes", "n1", "ID"}},
	{"a negative capacity", -1, []any{"Nodes", "n1", "Capacity", 0, "Value"}},
	{"two allocations of one number", 1, []any{"Asks", "filler2", "Placed"}},
	{"a draining queue of no parent", "root.z", []any{"Draining", "p", "Parent"}},
	{"a draining queue of a leaf", "root.a", []any{"Draining", "p", "Parent"}},
	{"a draining queue under another's name", "root.a", []any{"Draining", "p", "Conf", "Path"}},
	{"a draining queue with a policy that is not there", "none", []any{"Draining", "c", "Conf", "AppSort"}},
	{"a draining queue with another policy that is not there", "none", []any{"Draining", "c", "Conf", "AskSort"}},
	{"a draining parent with a policy that is not there", "none", []any{"Draining", "p", "Conf", "QueueSort"}},
	{"a draining queue that guarantees less than nothing", -7, []any{"Draining", "c", "Conf", "Guaranteed", 0, "Value"}},
	{"a configuration that is none", "partitions: 3", []any{"Config", "Text"}},
	{"a configuration without the policy it names", partition(", queues: [{name: a}, {name: b, properties: {application.sort.policy: none}}]", ""), []any{"Config", "Text"}},
	{"a configuration that lacks a queue in use", partition(", queues: [{name: b}]", ""), []any{"Config", "Text"}},
	{"a bad manifest", "{}", []any{"Modules", "reverse", "Set", "Manifest"}},
	{"a module that is announced under another name", "other", []any{"Modules", "reverse", "Name"}},
	{"a ban of no leaf", "root.z", []any{"Leaves", "root.a", "Queue"}},
}

func TestASnapshotThatContradictsItselfIsRefused(t *testing.T) {
	snapshot := eventful(t).Snapshot()
	for _, tc := range contradictions {
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
			s, err := scheduler.Restore(data, unsteadyOptions())
			if err == nil {
				t.Error("it is taken")
				goOn(s)
			}
		})
	}
}
