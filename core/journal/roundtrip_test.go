package journal

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

var (
	names  = rapid.StringN(1, 8, 20).Filter(utf8.ValidString)
	texts  = rapid.StringN(0, 8, 20).Filter(utf8.ValidString)
	amount = rapid.Int64Range(0, math.MaxInt64)
)

func sets(t *rapid.T, label string) resource.Set {
	m := rapid.MapOfN(rapid.OneOf(rapid.SampledFrom([]string{"vcore", "memory", "gpu"}), names), amount, 0, 4).Draw(t, label)
	set := resource.Set{}
	for typ, value := range m {
		set = append(set, resource.Quantity{Type: typ, Value: value})
	}
	return resource.NewSet(set...)
}

// maybe draws a value, or its zero.
func maybe[V any](t *rapid.T, label string, draw func() V) V {
	var none V
	if rapid.Bool().Draw(t, label) {
		return draw()
	}
	return none
}

func drawEntry(t *rapid.T) Entry {
	e := Entry{Count: 1}
	in := &e.Input
	in.Type = rapid.SampledFrom(shapes[:len(shapes)-1]).Draw(t, "type").typ
	in.At = time.Duration(rapid.Int64Range(0, int64(Farthest)).Draw(t, "at"))
	in.By = maybe(t, "by", func() string { return texts.Draw(t, "user") })
	id := func() string { return names.Draw(t, "id") }
	attributes := func() map[string]string { return rapid.MapOfN(texts, texts, 0, 3).Draw(t, "map") }
	some := func() resource.Set { return sets(t, "set") }
	switch in.Type {
	case core.NodeAdd:
		in.ID, in.Capacity, in.Occupied, in.Attributes = id(), some(), maybe(t, "o", some), maybe(t, "a", attributes)
		in.Partition = texts.Draw(t, "partition")
		in.Unschedulable = rapid.Bool().Draw(t, "unschedulable")
	case core.NodeUpdate:
		in.ID, in.Capacity, in.Occupied, in.Attributes = id(), maybe(t, "c", some), maybe(t, "o", some), maybe(t, "a", attributes)
	case core.AppAdd:
		in.ID, in.Queue, in.User, in.Tags = id(), texts.Draw(t, "queue"), texts.Draw(t, "user"), maybe(t, "tags", attributes)
		in.Groups = maybe(t, "groups", func() []string { return rapid.SliceOfN(texts, 0, 3).Draw(t, "list") })
		in.Partition, in.Placeholders = texts.Draw(t, "partition"), drawPlaceholders(t)
		in.Succeeded = maybe(t, "succeeded", func() map[string]int {
			return rapid.MapOfN(texts, rapid.IntRange(1, math.MaxInt32), 0, 3).Draw(t, "counts")
		})
	case core.AllocationRelease:
		in.ID, in.Failed = id(), rapid.Bool().Draw(t, "failed")
	case core.AppMove:
		in.ID, in.Queue = id(), texts.Draw(t, "queue")
	case core.AskAdd, core.AllocationRestore:
		drawAsk(t, &e)
	case core.AskUpdate:
		in.ID, in.Resources = id(), maybe(t, "resources", some)
		if in.HasPriority = rapid.Bool().Draw(t, "has"); in.HasPriority {
			in.Ask.Priority = rapid.Int32().Draw(t, "priority")
		}
		if in.HasPreemptable = rapid.Bool().Draw(t, "has preemptable"); in.HasPreemptable {
			in.Ask.NotPreemptable = rapid.Bool().Draw(t, "not preemptable")
		}
		in.Ask.Predicate, in.Leaving = texts.Draw(t, "predicate"), rapid.Bool().Draw(t, "leaving")
	case core.ConfigSet:
		in.Config, in.Format = texts.Draw(t, "config"), rapid.SampledFrom([]string{"", "yaml", "toml"}).Draw(t, "format")
	case core.PolicySet:
		in.Policy = &core.PolicyModule{Name: id(), SHA256: texts.Draw(t, "sha"), Manifest: texts.Draw(t, "manifest")}
	case core.PolicyRemove:
		in.Policy = &core.PolicyModule{Name: id()}
	case core.PolicyAnswers:
		in.Answers = drawAnswers(t)
	case core.StateSet:
		in.State = &core.StatePart{Part: rapid.IntRange(1, math.MaxInt32).Draw(t, "part"), Parts: rapid.IntRange(1, math.MaxInt32).Draw(t, "parts"), Snapshot: texts.Draw(t, "snapshot")}
	case core.Tick:
	default:
		in.ID = id()
	}
	return e
}

// drawPlaceholders draws none, or some that are not all defaults: those are read as none.
func drawPlaceholders(t *rapid.T) *core.Placeholders {
	p := core.Placeholders{Hard: rapid.Bool().Draw(t, "hard"), Timeout: time.Duration(rapid.Int64Min(0).Draw(t, "timeout")),
		Ask: maybe(t, "placeholders", func() resource.Set { return sets(t, "sum") })}
	if p.Ask == nil && !p.Hard && p.Timeout == 0 {
		return nil
	}
	return &p
}

func drawAsk(t *rapid.T, e *Entry) {
	in := &e.Input
	in.ID, in.App, in.Resources = names.Draw(t, "id"), names.Draw(t, "app"), sets(t, "resources")
	flag := func() bool { return rapid.Bool().Draw(t, "flag") }
	in.Ask = core.Ask{Priority: rapid.Int32().Draw(t, "priority"), Node: texts.Draw(t, "node"), Predicate: texts.Draw(t, "predicate"),
		TaskGroup: texts.Draw(t, "group"), Originator: flag(), NoPreemptOthers: flag(), NotPreemptable: flag(), Placeholder: flag()}
	in.Ask.Constraints = maybe(t, "constraints", func() map[string][]string {
		return rapid.MapOfN(texts, rapid.SliceOfN(texts, 0, 3), 0, 3).Draw(t, "map")
	})
	in.Ask.Gang = maybe(t, "gang", func() *core.Gang {
		return &core.Gang{ID: names.Draw(t, "gang"), Min: rapid.IntRange(1, math.MaxInt32).Draw(t, "min"),
			Timeout: time.Duration(rapid.Int64Min(0).Draw(t, "timeout")), Fallback: flag()}
	})
	if in.Type == core.AllocationRestore {
		in.PlacedOn = names.Draw(t, "placed")
	}
	if e.HasRun = flag(); e.HasRun {
		e.Run = time.Duration(rapid.Int64Range(0, math.MaxInt64).Draw(t, "run"))
	}
	if e.Numbered = flag(); e.Numbered {
		e.Count = rapid.IntRange(1, math.MaxInt32).Draw(t, "count")
	}
}

func drawAnswers(t *rapid.T) *core.Answers {
	a := &core.Answers{Policy: names.Draw(t, "policy"), Point: texts.Draw(t, "point"), Digest: texts.Draw(t, "digest"),
		Call: rapid.Uint64Range(1, math.MaxInt64).Draw(t, "call")}
	if rapid.Bool().Draw(t, "fault") {
		a.Fault = names.Draw(t, "reason")
		return a
	}
	key := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1)}))
	a.Keys = rapid.SliceOfN(key, 0, 5).Draw(t, "keys")
	return a
}

func TestWhatWasEncodedDecodesToTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		expected := drawEntry(t)
		form := rapid.SampledFrom([]Form{Relative, Absolute}).Draw(t, "form")
		line := encodeEntry(t, form, &expected)
		if !json.Valid(line) {
			t.Fatalf("no JSON: %s", line)
		}
		d := NewDecoder(bytes.NewReader(line), "", nil)
		found, err := d.Next()
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		expected.Line = 1
		if !reflect.DeepEqual(*found, expected) || d.Form() != form {
			t.Fatalf("%s:\nexpected %+v\nfound    %+v", line, expected, *found)
		}
		if again := encodeEntry(t, form, found); !bytes.Equal(again, line) {
			t.Fatalf("expected %s found %s", line, again)
		}
		if _, err := d.Next(); err != io.EOF {
			t.Fatal(err)
		}
	})
}

func encodeEntry(t interface{ Fatal(...any) }, form Form, entry *Entry) []byte {
	var out bytes.Buffer
	e := NewEncoder(&out, form)
	if err := e.Entry(entry); err != nil {
		t.Fatal(err)
	}
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestDurationsAreWrittenAsGoDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64().Draw(t, "d")) >> rapid.IntRange(0, 63).Draw(t, "shift")
		if found := string(appendDuration(nil, d)); found != d.String() {
			t.Fatalf("expected %s, found %s", d, found)
		}
	})
}

func TestTextsAreWrittenAsUTF8(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		var found string
		if err := json.Unmarshal(appendText(nil, text), &found); err != nil {
			t.Fatal(err)
		}
		if expected := string([]rune(text)); found != expected {
			t.Fatalf("expected %q, found %q", expected, found)
		}
	})
}

func FuzzDecoder(f *testing.F) {
	f.Add(`{"type":"journal","version":1}` + "\n" + `{"at":"1s","type":"ask.add","id":"a","app":"x","resources":{"vcore":"1"},"count":2}`)
	f.Add(`{"at":"2026-01-01T00:00:00Z","type":"policy.answers","policy":"p","point":"q","call":1,"digest":"","keys":["+Inf",-0,1e3]}`)
	f.Add(`{"at":"1s","type":"policy.set","name":"p","sha256":"","manifest":{"a":[true,null,{"\u0061":1}]}}`)
	f.Add(`{"at":"1s","type":"app.add","id":"a","partition":"p","placeholder_ask":{"vcore":"1"},"gang_style":"HARD","placeholder_timeout":"0s","by":"u"}`)
	f.Add(`{"at":"1s","type":"app.add","id":"a","queue":"","gang_style":"soft","placeholder_timeout":"0s"}`)
	f.Add(`{"at":"1s","type":"ask.add","id":"a","app":"x","resources":{},"gang":"g","gang_min":2,"gang_timeout":"1h","count":3,"placeholder":true}`)
	f.Add(`{"at":"1s","type":"app.move","id":"a","queue":"root.b"}`)
	f.Add(`{"at":"1s","type":"ask.add","id":"a","app":"x","resources":{},"gang":"g","gang_min":2,"gang_timeout":"1h","gang_fallback":"members"}`)
	f.Add(`{"at":"1s","type":"app.add","id":"a","succeeded":{"g":2,"":1}}`)
	f.Add(`{"at":"1s","type":"allocation.release","id":"a","failed":true}`)
	f.Add("# x\n\n{\"at\":\"0s\",\"type\":\"node.add\",\"id\":\"\\ud83d\\ude00\",\"capacity\":{}}")
	f.Fuzz(func(t *testing.T, text string) {
		taken := spent(func() {
			for d := NewDecoder(strings.NewReader(text), "", nil); ; {
				if _, err := d.Next(); err != nil {
					break
				}
			}
		})
		if most := uint64(16<<20 + 1024*len(text)); taken > most {
			t.Fatalf("%d bytes of text took %d MiB", len(text), taken>>20)
		}
		d := NewDecoder(strings.NewReader(text), "", nil)
		var last time.Duration
		for first := true; ; first = false {
			entry, err := d.Next()
			if err != nil {
				break
			}
			if !first && entry.Input.At < last {
				t.Fatal("time went back")
			}
			last = entry.Input.At
			line := encodeEntry(t, d.Form(), entry)
			if !json.Valid(line) {
				t.Fatalf("no JSON: %s", line)
			}
			again, err := NewDecoder(bytes.NewReader(line), "", nil).Next()
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			again.Line = entry.Line
			if !reflect.DeepEqual(again, entry) {
				t.Fatalf("%s:\nexpected %+v\nfound    %+v", line, entry, again)
			}
		}
	})
}
