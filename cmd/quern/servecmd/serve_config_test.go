package servecmd

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/quern-project/quern/core/config"
)

func TestWarnAbout_GroupsByKind(t *testing.T) {
	text := "partitions:\n- name: default\n  queues:\n"
	for i := range 100 {
		text += fmt.Sprintf("  - name: q%d\n    properties: {priority.offset: low%d}\n", i, i)
	}
	_, warnings, err := config.Check([]byte(text), config.Options{File: "queues.yaml", Implausible: true})
	if err != nil || len(warnings) != 100 {
		t.Fatal(err, warnings)
	}
	var log strings.Builder
	warnAbout(slog.New(slog.NewTextHandler(&log, nil)), warnings)
	if n := strings.Count(log.String(), "level=WARN"); n != 4 || !strings.Contains(log.String(), "97 more of this kind") {
		t.Errorf("%d lines are logged:\n%s", n, log.String())
	}
}
