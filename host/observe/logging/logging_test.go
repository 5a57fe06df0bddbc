package logging

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"testing"
)

func TestEachSubsystemHasALevelOfItsOwn(t *testing.T) {
	var out bytes.Buffer
	levels, err := ParseLevels("warn,store=debug")
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(io.Discard, &out, JSON, levels)
	if err != nil {
		t.Fatal(err)
	}
	loop, store := l.For(Loop).With("shard", 1), l.For(Store).WithGroup("segment")
	loop.Info("left out")
	store.Debug("opened", "first", 7)
	l.Set(Levels{Loop: slog.LevelInfo})
	loop.Info("told")
	var lines []map[string]any
	for line := range strings.Lines(out.String()) {
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		lines = append(lines, o)
	}
	if len(lines) != 2 || lines[0]["msg"] != "opened" || lines[0]["subsystem"] != "store" || lines[1]["msg"] != "told" || lines[1]["shard"] != 1.0 {
		t.Errorf("found %v", lines)
	}
	if found := l.Levels(); found[Loop] != slog.LevelInfo || found[Store] != slog.LevelDebug || found[Audit] != slog.LevelWarn {
		t.Errorf("found %v", found)
	}
}

func TestTheFormatChangesForLoggersThatThereAre(t *testing.T) {
	var text, asJSON bytes.Buffer
	l, err := New(&text, &asJSON, Text, Levels{})
	if err != nil {
		t.Fatal(err)
	}
	log := l.For(Loop).With("shard", 1).WithGroup("round")
	log.Info("first", "inputs", 2)
	if err := l.SetFormat(JSON); err != nil {
		t.Fatal(err)
	}
	log.Info("second", "inputs", 3)
	if err := l.SetFormat("xml"); err == nil {
		t.Error("an unknown format was taken")
	}
	log.Info("third", "inputs", 4)
	if err := l.SetFormat(Text); err != nil {
		t.Fatal(err)
	}
	log.Info("fourth", "inputs", 5)
	if found := text.String(); strings.Count(found, "\n") != 2 || !strings.Contains(found, "msg=first subsystem=loop shard=1 round.inputs=2\n") || !strings.Contains(found, "msg=fourth") {
		t.Errorf("as text: found %s", found)
	}
	if found := asJSON.String(); strings.Count(found, "\n") != 2 || !strings.Contains(found, `"msg":"second","subsystem":"loop","shard":1,"round":{"inputs":3}}`) || !strings.Contains(found, "third") {
		t.Errorf("as JSON: found %s", found)
	}
}

func TestLevelsThatCannotBeRead(t *testing.T) {
	for text, expected := range map[string]string{
		"":                   "expected debug, info, warn or error",
		"loud":               `found "loud"`,
		"INFO":               `found "INFO"`,
		"info,loud":          "such as store=debug",
		"info,disk=debug":    `found "disk"`,
		"info,store=verbose": "store: expected debug, info, warn or error",
	} {
		if _, err := ParseLevels(text); err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("%q: expected %q, found %v", text, expected, err)
		}
	}
	if _, err := New(io.Discard, io.Discard, "xml", nil); err == nil {
		t.Error("an unknown format was taken")
	}
}

func FuzzParseLevels(f *testing.F) {
	f.Add("warn,store=debug")
	f.Add("audit=error")
	f.Add(",=,")
	f.Fuzz(func(t *testing.T, text string) {
		levels, err := ParseLevels(text)
		if err == nil && len(levels) != len(Subsystems()) {
			t.Errorf("%q gives %v", text, levels)
		}
	})
}
