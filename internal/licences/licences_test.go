package licences

import (
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"
)

func written(t *testing.T, build *debug.BuildInfo) string {
	t.Helper()
	var out strings.Builder
	if err := Write(&out, build); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWrite_ModulesOfTheBuild(t *testing.T) {
	text := written(t, &debug.BuildInfo{GoVersion: "go1.2.3", Main: debug.Module{Path: "example.org/main"}, Deps: []*debug.Module{
		{Path: "github.com/tetratelabs/wazero", Version: "v9.9.9"},
		{Path: "example.org/main/part", Version: "v0.0.0"},
		{Path: "example.org/new", Version: "v1.0.0"},
	}})
	table, _, _ := strings.Cut(text, "\n====")
	for _, line := range []string{"std go1.2.3 BSD-3-Clause", "github.com/tetratelabs/wazero v9.9.9 Apache-2.0", "example.org/new v1.0.0 not recorded", "npm:preact MIT"} {
		if !strings.Contains(strings.Join(strings.Fields(table), " ")+" ", line+" ") {
			t.Errorf("expected %q, found\n%s", line, table)
		}
	}
	for _, other := range []string{"example.org/main", "k8s.io/"} {
		if strings.Contains(text, other) {
			t.Errorf("found %s, which the build does not contain", other)
		}
	}
	for _, words := range []string{"Apache License", "Redistribution and use in source and binary forms"} {
		if !strings.Contains(text, words) {
			t.Errorf("expected a text with %q", words)
		}
	}
}

func TestWrite_EachTextOnce(t *testing.T) {
	deps := []*debug.Module{{Path: "go.opentelemetry.io/otel", Version: "v1"}, {Path: "go.opentelemetry.io/otel/sdk", Version: "v1"}}
	text := written(t, &debug.BuildInfo{Deps: deps})
	if shared := "====\ngo.opentelemetry.io/otel\ngo.opentelemetry.io/otel/sdk\n\n"; strings.Count(text, shared) != 1 {
		t.Errorf("expected the text of both modules once, below %q", shared)
	}
}

func TestRead_BadLine(t *testing.T) {
	_, err := read(fstest.MapFS{"modules.txt": {Data: []byte("one MIT a.txt\ntwo MIT\n")}})
	if err == nil || !strings.Contains(err.Error(), `found "two MIT\n"`) {
		t.Errorf("found %v", err)
	}
}
