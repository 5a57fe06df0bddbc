package program

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// evil is a name that would set the title of a terminal, clear it, forge a line, colour, and turn text around.
const evil = "a\x1b]0;owned\x07\x1b[2J\nFORGED\r\u009b31m\u202elive\x7f"

// harmless fails where a terminal would act on a text, or a line in it was forged.
func harmless(t *testing.T, what, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s is no UTF-8: %q", what, text)
	}
	for line := range strings.Lines(text) {
		for _, r := range strings.TrimSuffix(line, "\n") {
			if r != '\t' && !unicode.IsGraphic(r) {
				t.Errorf("%s has the character %U in %q", what, r, line)
				break
			}
		}
		if strings.HasPrefix(strings.TrimSpace(line), "FORGED") {
			t.Errorf("%s has a line that was forged:\n%s", what, text)
		}
		if len(line) > 20_000 && !strings.HasPrefix(text, "{") {
			t.Errorf("%s has a line of %d bytes", what, len(line))
		}
	}
}

// object is a line of a journal.
func object(t *testing.T, pairs ...any) string {
	t.Helper()
	o := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		o[pairs[i].(string)] = pairs[i+1]
	}
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

// evilModule is a WebAssembly module that exports its memory by an evil name, and has a section of that name.
func evilModule() string {
	name := string([]byte{byte(len(evil))}) + evil
	return "\x00asm\x01\x00\x00\x00" + "\x05\x03\x01\x00\x01" +
		"\x07" + string([]byte{byte(len(name) + 3)}) + "\x01" + name + "\x02\x00" +
		"\x00" + string([]byte{byte(len(name))}) + name
}

// hostileFolder is a folder with files in which everything that may have a name has an evil one.
func hostileFolder(t *testing.T) {
	t.Helper()
	bad := fmt.Sprintf(`{"partitions":[{"name":"default","queues":[{"name":"root","queues":[{"name":"default"},{"name":%q,%[1]q:1,"resources":{"max":{"vcore":%[1]q}}}]}]}]}`, "x")
	bad = strings.ReplaceAll(bad, `"x"`, strings.TrimSuffix(object(t, "", evil)[4:], "}\n"))
	long := strings.Repeat("very-", 10_000) + evil
	journal := object(t, "at", "0s", "type", "node.add", "id", "n"+evil, "capacity", map[string]any{"vcore": 1, "type" + evil: 3}) +
		object(t, "at", "0s", "type", "config.set", "config", bad) +
		object(t, "at", "1s", "type", "app.add", "id", "app"+evil, "queue", "root.default") +
		object(t, "at", "2s", "type", "ask.add", "id", "x"+evil, "app", "app"+evil, "resources", map[string]any{"vcore": 1}) +
		object(t, "at", "2s", "type", "ask.add", "id", "y"+evil, "app", "app"+evil, "resources", map[string]any{"vcore": 1, "type" + evil: 1}, "constraints", map[string]any{"attribute" + evil: []string{evil}}) +
		object(t, "at", "3s", "type", "ask.add", "id", long, "app", "app"+evil, "resources", map[string]any{"vcore": 1})
	folder(t, map[string]string{
		"journal": journal, "key": journal + object(t, "at", "9s", "type", "tick", evil, 1), "type": journal + object(t, "at", "9s", "type", evil),
		"file": journal + object(t, "at", "9s", "type", "config.set", "file", evil), "value": journal + object(t, "at", evil, "type", "tick"),
		evil: journal, "bad.yaml": bad, evil + ".yaml": bad, "good" + evil + ".yaml": queues, "manifest.json": `{"name":` + object(t, "", evil)[4:],
		evil + ".wasm": "junk", evil + ".toml": "junk", "evil.toml": "[process]\ncommand = \"./evil.sh\"\n", "evil.sh": "#!/bin/sh\nprintf '\\033[2J\\nFORGED' >&2; printf '\\033[2J\\nFORGED'\n",
		"map.toml": fmt.Sprintf("[%q]\nqueue = \"root.a\"\npriority = 1\n", "\u202e\u0007"), "nodes.csv": evil + ",b\n", "pods.csv": evil + "\n",
		"evil.feature": strings.NewReplacer("\n", "", "|", "\n").Replace("Feature: f" + evil + "|  Scenario: s" + evil + "|    Given a node \"n" + evil + "\" with 1 vcore|    When \"app\" asks \"" + evil + "\" for 1 vcore|    Then " + evil + "|"),
		"junk.feature": evil, "module.wasm": evilModule(), "module.toml": "",
	})
	if err := os.Chmod("evil.sh", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("policies", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{evil + ".wasm", "evil.toml"} {
		if err := os.WriteFile("policies/"+name, []byte("[process]\ncommand = \"../evil.sh\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestNoNameOrTextReachesTheTerminalAsItIs(t *testing.T) {
	hostileFolder(t)
	for _, args := range [][]string{
		{"replay", "journal"}, {"replay", "key"}, {"replay", "type"}, {"replay", "file"}, {"replay", "value"}, {"replay", evil}, {"replay", evil + "missing"},
		{"replay", "--compare", "good" + evil + ".yaml", "journal"}, {"replay", "--compare", evil + ".yaml", "journal"}, {"replay", "--config", evil + ".yaml", "journal"},
		{"replay", "--config", evil + "missing", "journal"}, {"replay", "--out", evil + "/x", "journal"}, {"replay", "--out", evil, evil}, {"replay", "--report", evil + "missing/x", "journal"},
		{"replay", "--grace", evil, "journal"}, {"replay", "--until", evil, "journal"}, {"replay", "--trace", evil, "journal"}, {"replay", "--speed", evil, "journal"},
		{"replay", "--" + evil, "journal"}, {"replay", "--json=" + evil, "journal"}, {"replay", "--policies", evil + "missing", "journal"}, {"replay", "--policies", "policies", "journal"},
		{"replay", "--policies-missing", evil, "journal"}, {"replay", "--trace", "openb", "--nodes", "nodes.csv", "--pods", "pods.csv"},
		{"replay", "--trace", "openb", "--nodes", "nodes.csv", "--pods", "pods.csv", "--map", "map.toml"}, {"replay", "--trace", "openb", "--nodes", evil + "missing", "--pods", evil},
		{"explain", "journal", "--ask", "x" + evil}, {"explain", "journal", "--ask", "y" + evil}, {"explain", "journal", "--ask", "y" + evil, "--preempt"}, {"explain", "journal", "--ask", "x" + evil, "--preempt"},
		{"explain", "journal", "--app", "app" + evil}, {"explain", "journal", "--queue", "root.default"}, {"explain", "journal", "--queue", evil}, {"explain", "journal", "--ask", "no" + evil},
		{"explain", "journal", "--at", evil, "--ask", "x"}, {"explain", "key", "--ask", "x"},
		{"validate", "bad.yaml"}, {"validate", evil + ".yaml"}, {"validate", "good" + evil + ".yaml"}, {"validate", "--format", evil, "bad.yaml"}, {"validate", "manifest.json"},
		{"validate", evil + ".wasm"}, {"validate", evil + ".toml"}, {"validate", "evil.toml"}, {"validate", evil + "missing"}, {"validate", "--policies", "policies", "good" + evil + ".yaml"},
		{"test", "evil.feature"}, {"test", "-v", "evil.feature"}, {"test", "junk.feature"}, {"test", evil + "missing"}, {"test", "--tags", evil, "evil.feature"}, {"test", "--format", evil, "evil.feature"},
		{"test", "--reports", evil, "evil.feature"}, {"test", "--random", evil},
		{"demo", "--dir", evil}, {"demo", "--seed", evil},
		{"policy", "new", "--lang", "c", evil}, {"policy", "new", "--lang", evil, "mine"}, {"policy", "new", "--lang", "c", "--dir", evil, "mine"},
		{"policy", "inspect", evil + ".wasm"}, {"policy", "inspect", "evil.toml"}, {"policy", "inspect", "module.wasm"}, {"policy", "test", "module.wasm"}, {"policy", "bench", "module.wasm"}, {"policy", "try", "module.wasm", "journal"}, {"validate", "module.wasm"}, {"policy", "inspect", evil}, {"policy", "test", "evil.toml"}, {"policy", "test", evil + ".wasm", evil}, {"policy", "bench", "evil.toml"}, {"policy", "bench", evil},
		{"policy", "pin", evil + ".toml"}, {"policy", "pin", evil}, {"policy", "rollback", evil, "x"}, {"policy", "rollback", "policies", evil}, {"policy", "try", "evil.toml", "journal"}, {"policy", "try", evil + ".wasm", "journal"}, {"policy", evil},
		{"playground", "--listen", evil}, {"playground", "--dir", evil}, {"playground", "--config", evil + "missing"}, {"playground", evil + "missing"}, {"playground", "key", "--listen", evil},
		{"completion", evil}, {"completion", "bash", evil}, {"help", evil}, {"version", evil}, {evil},
	} {
		name := strings.ToValidUTF8(strings.ReplaceAll(strings.Join(args, " "), evil, "EVIL"), "")
		t.Run(name, func(t *testing.T) {
			r := quern("", args...)
			harmless(t, "standard output", r.out)
			harmless(t, "standard error", r.err)
			if r.out+r.err == "" {
				t.Error("nothing was said")
			}
		})
	}
}

func TestASettingIsShownHarmless(t *testing.T) {
	hostileFolder(t)
	t.Setenv("QUERN_GRACE", strings.ReplaceAll(evil, "\x00", ""))
	harmless(t, "standard error", quern("", "replay", "journal").err)
	for _, text := range []string{`"k\u001b[2J" = 1`, "json = \"\\u001b[2J\\n\"", "\x1b[2J"} {
		if err := os.WriteFile("quern.toml", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r := quern("", "replay", "journal")
		r.want(t, cli.BadInput, "", "quern.toml")
		harmless(t, "standard error", r.err)
	}
}

func TestTextsInJSONAreExact(t *testing.T) {
	hostileFolder(t)
	for _, c := range []struct {
		args  []string
		where string
	}{
		{[]string{"replay", "--json", "journal"}, "type" + evil},
		{[]string{"replay", "--json", "--compare", "good" + evil + ".yaml", "journal"}, "good" + evil + ".yaml"},
		{[]string{"explain", "--json", "journal", "--ask", "y" + evil}, "y" + evil},
		{[]string{"explain", "--json", "journal", "--app", "app" + evil}, "app" + evil},
		{[]string{"policy", "inspect", "--json", "module.wasm"}, evil + ": memory"},
		{[]string{"validate", "--json", evil + ".yaml"}, evil + ".yaml"},
		{[]string{"validate", "--json", evil + "missing"}, evil + "missing"},
	} {
		r := quern("", c.args...)
		harmless(t, strings.Join(c.args[:2], " "), r.out)
		var o any
		if err := json.Unmarshal([]byte(r.out), &o); err != nil {
			t.Fatalf("%q: %v\n%s", c.args, err, r.out)
		}
		if !mentions(o, c.where) {
			t.Errorf("%q: expected the exact text %q in %q", c.args, c.where, r.out)
		}
	}
	var found bool
	for line := range strings.Lines(quern("", "replay", "--out", "-", "journal").out) {
		var d struct{ Type, ID string }
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		found = found || d.ID == "x"+evil
	}
	if !found {
		t.Error("decisions do not have the exact ID")
	}
}

// mentions reports whether a decoded object has a text, as a key or as a value.
func mentions(o any, text string) bool {
	switch v := o.(type) {
	case string:
		return v == text
	case []any:
		for _, x := range v {
			if mentions(x, text) {
				return true
			}
		}
	case map[string]any:
		for k, x := range v {
			if k == text || mentions(x, text) {
				return true
			}
		}
	}
	return false
}
