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

// maybe generates a value or the zero value.
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
	in.At = time.Duration(rapid.Int64Range(0, int64(Farthest)).Draw(t, "at"))
	in.By = maybe(t, "by", func() string { return texts.Draw(t, "user") })
	in.Event = drawEvent(t, rapid.SampledFrom(core.Events()).Draw(t, "type"))
	if restored, ok := in.Event.(*core.RestoreAllocation); ok {
		restored.Since = maybe(t, "made before", func() *time.Duration {
			return new(time.Duration(rapid.Int64Range(-int64(Farthest), int64(in.At)).Draw(t, "since")))
		})
	}
	if in.Ask() != nil {
		drawReplayed(t, &e)
	}
	return e
}

// drawEvent fills an empty event.
func drawEvent(t *rapid.T, of core.Event) core.Event {
	id := func() string { return names.Draw(t, "id") }
	attributes := func() map[string]string { return rapid.MapOfN(texts, texts, 0, 3).Draw(t, "map") }
	some := func() resource.Set { return sets(t, "set") }
	switch of.(type) {
	case *core.AddNode:
		return &core.AddNode{ID: id(), Capacity: some(), Occupied: maybe(t, "o", some), Attributes: maybe(t, "a", attributes),
			Partition: texts.Draw(t, "partition"), Unschedulable: rapid.Bool().Draw(t, "unschedulable")}
	case *core.UpdateNode:
		return &core.UpdateNode{ID: id(), Capacity: maybe(t, "c", some), Occupied: maybe(t, "o", some), Attributes: maybe(t, "a", attributes)}
	case *core.DrainNode:
		return &core.DrainNode{ID: id()}
	case *core.ResumeNode:
		return &core.ResumeNode{ID: id()}
	case *core.RemoveNode:
		return &core.RemoveNode{ID: id()}
	case *core.AddApp:
		return &core.AddApp{ID: id(), Queue: texts.Draw(t, "queue"), User: texts.Draw(t, "user"), Tags: maybe(t, "tags", attributes),
			Groups:    maybe(t, "groups", func() []string { return rapid.SliceOfN(texts, 0, 3).Draw(t, "list") }),
			Partition: texts.Draw(t, "partition"), Placeholders: drawPlaceholders(t),
			Succeeded: maybe(t, "succeeded", func() map[string]int {
				return rapid.MapOfN(texts, rapid.IntRange(1, math.MaxInt32), 0, 3).Draw(t, "counts")
			})}
	case *core.RemoveApp:
		return &core.RemoveApp{ID: id()}
	case *core.MoveApp:
		return &core.MoveApp{ID: id(), Queue: texts.Draw(t, "queue")}
	case *core.AddAsk:
		ask := drawAsk(t)
		return &ask
	case *core.UpdateAsk:
		return &core.UpdateAsk{ID: id(), Resources: maybe(t, "resources", some),
			Priority:    maybe(t, "has", func() *int32 { return new(rapid.Int32().Draw(t, "priority")) }),
			Preemptable: maybe(t, "has preemptable", func() *bool { return new(rapid.Bool().Draw(t, "preemptable")) }),
			Walltime:    maybe(t, "walltime", func() time.Duration { return drawPeriod(t) }),
			Predicate:   texts.Draw(t, "predicate"), Leaving: rapid.Bool().Draw(t, "leaving")}
	case *core.RemoveAsk:
		return &core.RemoveAsk{ID: id()}
	case *core.ReleaseAllocation:
		return &core.ReleaseAllocation{ID: id(), Failed: rapid.Bool().Draw(t, "failed")}
	case *core.RestoreAllocation:
		return &core.RestoreAllocation{AddAsk: drawAsk(t), PlacedOn: names.Draw(t, "placed")}
	case *core.AddWindow:
		return drawWindow(t)
	case *core.RemoveWindow:
		return &core.RemoveWindow{ID: id()}
	case *core.SetConfig:
		return &core.SetConfig{Config: texts.Draw(t, "config"), Format: rapid.SampledFrom([]string{"", "yaml", "toml"}).Draw(t, "format")}
	case *core.SetPolicy:
		return &core.SetPolicy{PolicyModule: core.PolicyModule{Name: id(), SHA256: texts.Draw(t, "sha"), Manifest: texts.Draw(t, "manifest")}}
	case *core.RemovePolicy:
		return &core.RemovePolicy{Name: id()}
	case *core.RecordAnswers:
		return &core.RecordAnswers{Answers: *drawAnswers(t)}
	case *core.SetState:
		return &core.SetState{StatePart: core.StatePart{Part: rapid.IntRange(1, math.MaxInt32).Draw(t, "part"),
			Parts: rapid.IntRange(1, math.MaxInt32).Draw(t, "parts"), Snapshot: texts.Draw(t, "snapshot")}}
	case *core.Tick:
		return &core.Tick{}
	}
	t.Fatalf("%s: no such event is drawn", of.Type())
	return nil
}

func drawWindow(t *rapid.T) *core.AddWindow {
	instant := func() time.Duration {
		return time.Duration(rapid.Int64Range(-int64(Farthest), int64(Farthest)).Draw(t, "instant"))
	}
	list := func() []string { return rapid.SliceOfN(names, 1, 3).Draw(t, "list") }
	w := &core.AddWindow{ID: names.Draw(t, "id"), Partition: texts.Draw(t, "partition"), From: instant(),
		Until: maybe(t, "until", func() *time.Duration { return new(instant()) }), Every: maybe(t, "every", func() time.Duration { return drawPeriod(t) }),
		Queues: maybe(t, "queues", list), Users: maybe(t, "users", list), Groups: maybe(t, "groups", list)}
	if rapid.Bool().Draw(t, "by ID") {
		w.Nodes = list()
		return w
	}
	w.Constraints = rapid.MapOfN(texts, rapid.SliceOfN(texts, 0, 3), 0, 3).Draw(t, "map")
	w.Count = rapid.IntRange(1, math.MaxInt32).Draw(t, "count")
	return w
}

func drawPeriod(t *rapid.T) time.Duration { return time.Duration(rapid.Int64Min(1).Draw(t, "period")) }

// drawPlaceholders generates nil, or placeholders that are not all defaults, since those decode as nil.
func drawPlaceholders(t *rapid.T) *core.Placeholders {
	p := core.Placeholders{Hard: rapid.Bool().Draw(t, "hard"), Timeout: time.Duration(rapid.Int64Min(0).Draw(t, "timeout")),
		Ask: maybe(t, "placeholders", func() resource.Set { return sets(t, "sum") })}
	if p.Ask == nil && !p.Hard && p.Timeout == 0 {
		return nil
	}
	return &p
}

func drawAsk(t *rapid.T) core.AddAsk {
	flag := func() bool { return rapid.Bool().Draw(t, "flag") }
	ask := core.AddAsk{ID: names.Draw(t, "id"), App: names.Draw(t, "app"), Resources: sets(t, "resources"),
		Ask: core.Ask{Priority: rapid.Int32().Draw(t, "priority"), Node: texts.Draw(t, "node"), Predicate: texts.Draw(t, "predicate"),
			TaskGroup: texts.Draw(t, "group"), Originator: flag(), NoPreemptOthers: flag(), NotPreemptable: flag(), Placeholder: flag(), Movable: flag()}}
	ask.Walltime = maybe(t, "walltime", func() time.Duration { return drawPeriod(t) })
	ask.MinRuntime = maybe(t, "min runtime", func() time.Duration { return drawPeriod(t) })
	ask.Overrun = rapid.SampledFrom([]core.Overrun{core.OverrunInQueue, core.OverrunEnd, core.OverrunAllow}).Draw(t, "overrun")
	ask.Constraints = maybe(t, "constraints", func() map[string][]string {
		return rapid.MapOfN(texts, rapid.SliceOfN(texts, 0, 3), 0, 3).Draw(t, "map")
	})
	ask.Gang = maybe(t, "gang", func() *core.Gang {
		least := rapid.IntRange(1, math.MaxInt32).Draw(t, "min")
		return &core.Gang{ID: names.Draw(t, "gang"), Min: least, Max: maybe(t, "max", func() int { return rapid.IntRange(least, math.MaxInt32).Draw(t, "most") }),
			Timeout: time.Duration(rapid.Int64Min(0).Draw(t, "timeout")), Fallback: flag(),
			Disruption: rapid.SampledFrom([]core.Disruption{core.DisruptUnit, core.DisruptWhole, core.DisruptMember}).Draw(t, "disruption"),
			Repair: maybe(t, "repair", func() core.Repair {
				return core.Repair{Bounded: true, Within: time.Duration(rapid.Int64Min(0).Draw(t, "within"))}
			})}
	})
	switch level := maybe(t, "level", func() string { return names.Draw(t, "level") }); {
	case flag():
		ask.Topology.Required = level
	default:
		ask.Topology.Preferred = level
	}
	if ask.Gang != nil && flag() {
		ask.Gang.Set, ask.Gang.SetMin = names.Draw(t, "set"), rapid.IntRange(1, math.MaxInt32).Draw(t, "set min")
	}
	if ask.Gang != nil && flag() {
		ask.Topology.Slice = core.Slice{Level: names.Draw(t, "slice level"), Size: rapid.IntRange(1, math.MaxInt32).Draw(t, "size")}
	}
	return ask
}

// drawReplayed generates the keys of an ask that only a replay uses.
func drawReplayed(t *rapid.T, e *Entry) {
	if e.HasRun = rapid.Bool().Draw(t, "has run"); e.HasRun {
		e.Run = time.Duration(rapid.Int64Range(0, math.MaxInt64).Draw(t, "run"))
	}
	if e.Numbered = rapid.Bool().Draw(t, "numbered"); e.Numbered {
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
	f.Add(`{"at":"1s","type":"ask.add","id":"a","app":"x","resources":{},"gang_repair":"0s","gang":"g","gang_min":2,"gang_disruption":"whole"}`)
	f.Add(`{"at":"1s","type":"app.add","id":"x","gang_disruption":"unit","placeholder_ask":{"vcore":1}}`)
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
