package features

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
)

func TestFeaturesThatCannotBeRunAreNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	const good = "Feature: f\n\n  @nightly\n  Scenario: s\n    Given a node \"n\" with 1 vcore\n"
	for name, text := range map[string]string{"own.feature": good, "queues.yaml": "partitions:\n- name: default\n", "all/bad.feature": "Feature: f\n  Scenario: x\n    Given y\n    Thenn z\n", "empty/none.txt": "",
		"lost.feature": strings.Replace(good, "a node \"n\" with 1 vcore", "the configuration file \"quues.yaml\"", 1)} {
		if folder, _, ok := strings.Cut(name, "/"); ok {
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		path, tags, want string
		code             int
	}{
		{"owm.feature", "", "owm.feature: no such file or directory; did you mean own.feature?\n", BadInput},
		{"owm.feature:3", "", "owm.feature: no such file or directory; did you mean own.feature?\n", BadInput},
		{"queues.yaml", "", "queues.yaml:1:1: expected the end, a tag, Feature:, found partitions:\n", BadInput},
		{"all", "", "all/bad.feature:4:5: expected the end, a line of a table, ", BadInput},
		{"own.feature:99", "", "there is no scenario to run: expected a line of own.feature where a scenario begins (4), found line 99\n", BadInput},
		{"empty", "", "there is no scenario to run: expected scenarios in files NAME.feature of empty, found none\n", BadInput},
		{"own.feature", "@nigtly", "none of 1 has tags that satisfy \"@nigtly\"; did you mean @nightly?\n", BadInput},
		{"lost.feature", "", "quues.yaml: no such file or directory; did you mean queues.yaml?\n", Failed},
	} {
		var out bytes.Buffer
		if code := Run(context.Background(), Options{Paths: []string{c.path}, Tags: c.tags, Out: &out, Err: &out}); code != c.code || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s %s: expected %q, found exit code %d, %s", c.path, c.tags, c.want, code, out.String())
		}
	}
}

func TestNoFeature_SaidOnceAndBounded(t *testing.T) {
	file := t.TempDir() + "/noise.feature"
	writeFile(t, file, strings.Repeat(strings.Repeat("\xff\x00noise", 100)+"\n", 30))
	var out bytes.Buffer
	code := Run(context.Background(), Options{Paths: []string{file}, Out: &out, Err: &out})
	if text := out.String(); code != BadInput || strings.Count(text, "\n") != 1 || len(text) > len(file)+300 || !strings.Contains(text, "noise.feature:1:1: expected the end, a tag, Feature:, found ") {
		t.Errorf("exit code %d, %d bytes:\n%s", code, len(text), text)
	}
}
