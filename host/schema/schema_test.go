package schema_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/schema"
)

// reopened is a schema as an editor reads it: from its text.
func reopened(t *testing.T, s *jsonschema.Schema) *jsonschema.Resolved {
	t.Helper()
	var b bytes.Buffer
	if err := schema.Write(&b, s); err != nil {
		t.Fatal(err)
	}
	var read jsonschema.Schema
	if err := json.Unmarshal(b.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	read.Schema = "" // the library that checks here knows the words of draft 7, not its name
	resolved, err := read.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// decoded is a text of YAML, TOML or JSON as plain values.
func decoded(t *testing.T, name, text string) any {
	t.Helper()
	var value any
	var err error
	switch filepath.Ext(name) {
	case ".toml":
		m := map[string]any{}
		_, err = toml.Decode(text, &m)
		value = m
	case ".yaml":
		err = yaml.Unmarshal([]byte(text), &value)
	default:
		err = json.Unmarshal([]byte(text), &value)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	whole, err := json.Marshal(value)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	value = nil
	if err := json.Unmarshal(whole, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func files(t *testing.T, patterns ...string) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: no files: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			list[name] = string(text)
		}
	}
	return list
}

func TestTheSchemaTakesEveryConfigurationThatQuernTakes(t *testing.T) {
	queues := reopened(t, schema.Queues())
	taken := 0
	for name, text := range files(t, "docs/examples/*.yaml", "docs/examples/*.toml", "core/config/testdata/*.yaml", "core/config/testdata/*.toml") {
		format := config.YAML
		if filepath.Ext(name) == ".toml" {
			format = config.TOML
		}
		if _, err := config.Decode([]byte(text), config.Options{Format: format}); err != nil {
			continue
		}
		taken++
		if at := strings.LastIndex(text, "\nchecksum: "); at >= 0 && format == config.TOML {
			text = text[:at] // a line that tools add, and that is no TOML
		}
		if err := queues.Validate(decoded(t, name, text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if taken < 5 {
		t.Errorf("only %d configurations were looked at", taken)
	}
}

func TestSchema_HasExactlyTheKeys(t *testing.T) {
	queues := reopened(t, schema.Queues())
	at := map[string]string{
		config.InFile: "%", config.InPartition: "partitions: [{%}]", config.InQueue: "partitions: [{queues: [{name: root, queues: [{%}]}]}]",
		config.InProperties: "partitions: [{queues: [{name: root, properties: {%}}]}]", config.InRule: "partitions: [{placementrules: [{name: fixed, parent: {%}}]}]",
		config.InLimit: "partitions: [{queues: [{name: root, limits: [{%}]}]}]",
		config.InLevel: "partitions: [{topology: [{%}]}]", config.InWindow: "partitions: [{windows: [{%}]}]", config.InDevices: "devices: {gpu: {%}}",
	}
	set := func(where, key, value string) any {
		text := key + ": " + value
		if where != config.InProperties {
			parts := strings.Split(key, ".")
			text = strings.Join(parts, ": {") + ": " + value + strings.Repeat("}", len(parts)-1)
		}
		return decoded(t, "x.yaml", strings.Replace(at[where], "%", text, 1))
	}
	for _, doc := range config.Keys() {
		if err := queues.Validate(set(doc.Where, doc.Key, "null")); err != nil {
			t.Errorf("%s: nothing is refused: %v", doc.Key, err)
		}
		if err := queues.Validate(set(doc.Where, doc.Key+"x", "null")); err == nil && doc.Where != config.InProperties {
			t.Errorf("%s: a misspelt key is taken", doc.Key)
		}
		wrong := "[[1]]"
		if strings.HasPrefix(doc.Type, "list") {
			wrong = "{a: b}"
		}
		if err := queues.Validate(set(doc.Where, doc.Key, wrong)); err == nil {
			t.Errorf("%s: %s is taken for %s", doc.Key, wrong, doc.Type)
		}
	}
	for _, key := range []string{`priority.offset: "10"`, "priority.offset: 10", "preemption.policy: FENCE", "application.sort.policy: mine", "team.colour: red", "priority.policy: fence"} {
		if err := queues.Validate(decoded(t, "x.yaml", strings.Replace(at[config.InProperties], "%", key, 1))); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	for _, value := range []string{"yes", "true", "off"} {
		if err := queues.Validate(set(config.InQueue, "parent", value)); err != nil {
			t.Errorf("parent: %s: %v", value, err)
		}
	}
}

func TestTheSchemaTakesEveryLineOfAJournal(t *testing.T) {
	line := reopened(t, schema.Journal())
	n := 0
	for name, text := range files(t, "docs/examples/*.jsonl", "core/journal/testdata/replay/*.jsonl") {
		if strings.HasPrefix(filepath.Base(name), "bad_") {
			continue
		}
		for one := range strings.Lines(text) {
			if one = strings.TrimSpace(one); one == "" || !json.Valid([]byte(one)) || strings.Contains(one, `"seq":`) {
				continue
			}
			n++
			if err := line.Validate(decoded(t, name, one)); err != nil {
				t.Errorf("%s: %s: %v", name, one, err)
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d lines were looked at", n)
	}
	for text, good := range map[string]bool{
		`{"at":"1s","type":"tick"}`:              true,
		`{"at":"1s","type":"tock"}`:              false,
		`{"at":"1s","type":"tick","id":"a"}`:     false,
		`{"at":"1s","type":"node.add","id":"n"}`: false,
		`{"at":1,"type":"tick"}`:                 false,
		`{"at":"1s","type":"ask.add","id":"a","app":"b","resources":{"vcore":true}}`:           false,
		`{"at":"1s","type":"ask.add","id":"a","app":"b","resources":{"vcore":1},"count":"3"}`:  false,
		`{"at":"1s","type":"ask.add","id":"a","app":"b","resources":{"vcore":1},"run":"10m"}`:  true,
		`{"at":"1s","type":"ask.add","id":"a","app":"b","resources":{"vcore":1},"runs":"10m"}`: false,
		`{"at":"1s"}`: false,
	} {
		if err := line.Validate(decoded(t, "", text)); (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestTheSchemaOfPoliciesSettings(t *testing.T) {
	module := reopened(t, schema.Module())
	for text, good := range map[string]bool{
		"": true,
		"sha256 = 'ab'\nshadow_of = 'x'\n[parameters]\nlevel = 3\nname = 'x'\n[fallback]\n'node.score' = 'fair'\n[limits]\nmemory = '16MiB'\nfuel = 10\nfuel_per_item = 1\ndeadline = '10ms'\n[process]\ncommand = 'x'\nargs = ['a']\nround = 3\nread = ['/srv']\nwrite = ['x']\nnetwork = true\nmemory = '1GiB'\ncpus = 2\n": true,
		"sha265 = 'ab'":           false,
		"[limits]\nfuel = 'many'": false,
		"[limits]\nful = 1":       false,
		"[process]\nargs = 'a'":   false,
		"[process]\nnetwork = 1":  false,
	} {
		if err := module.Validate(decoded(t, "x.toml", text)); (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestTheSchemaOfSettingsHasTheKeysThatItIsGiven(t *testing.T) {
	settings := reopened(t, schema.Settings([]schema.Setting{
		{Name: "grace", Kind: "duration"}, {Name: "watch", Kind: "bool"}, {Name: "random", Kind: "int64"}, {Name: "origins", Kind: "stringSlice"}, {Name: "roles", Table: true},
	}))
	for text, good := range map[string]bool{
		"grace = '10s'\nwatch = true\nrandom = 3\n[roles.users]\nann = 'admin'\n": true,
		"watch = 'true'":       true,
		"origins = ['a', 'b']": true,
		"origins = 'a,b'":      true,
		"origins = 3":          false,
		"grace = 10":           false,
		"random = [1]":         false,
		"grac = '10s'":         false,
		"roles = 'all'":        false,
	} {
		if err := settings.Validate(decoded(t, "x.toml", text)); (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}
