package features

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// outline is a feature in which so many examples have so many steps, some of them in a background of a rule.
func outline(examples, steps int) string {
	step := "    Given a node \"n\" with 1 vcore\n"
	return "Feature: f\n  Rule: r\n  Background:\n" + step + "  Scenario Outline: s\n" + strings.Repeat(step, steps-1) +
		"    Examples:\n      | x |\n" + strings.Repeat("      | 1 |\n", examples)
}

func TestParse_ManySteps(t *testing.T) {
	var before, after runtime.MemStats
	text := outline(3_000, 3_000)
	runtime.ReadMemStats(&before)
	_, err := Parse(text)
	runtime.ReadMemStats(&after)
	want := "5:1: expected at most 100000 steps, with those of backgrounds and of each example, found more"
	if err == nil || err.Error() != want {
		t.Errorf("expected %s, found %.200v", want, err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 64<<20 {
		t.Errorf("%d KiB of text took %d MiB", len(text)>>10, taken>>20)
	}
	if list, err := Parse(outline(20, 50)); err != nil || len(list) != 20 || len(list[0].Steps) != 50 {
		t.Errorf("found %d scenarios and %v", len(list), err)
	}
}

func TestRun_ManySteps(t *testing.T) {
	file := filepath.Join(t.TempDir(), "many.feature")
	if err := os.WriteFile(file, []byte(outline(3_000, 3_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	code := Run(context.Background(), Options{Paths: []string{file}, Out: &out, Err: &out})
	if want := fmt.Sprintf("%s:5:1: expected at most 100000 steps, with those of backgrounds and of each example, found more\n", file); code != BadInput || out.String() != want {
		t.Errorf("expected %d and %s, found %d and %.200s", BadInput, want, code, out.String())
	}
}
