package main

import (
	"strings"
	"testing"
)

// What the checks find is tested with real modules, in the page's tests.
func TestWhatCannotBeServedIsRefusedWithItsReason(t *testing.T) {
	for request, want := range map[string]string{
		"":                                `"code":"bad-request"`,
		`{"op":"test"}`:                   `op: expected open or check, found \"test\"`,
		`{"op":"check"}`:                  `no module was opened`,
		`{"op":"check","index":-1}`:       `no module was opened`,
		"{\"op\":\"open\"}\nnot a module": `"code":"bad-module"`,
	} {
		line := string((&tester{}).answer([]byte(request)))
		if !strings.HasPrefix(line, `{"error":{`) || !strings.Contains(line, want) || !strings.HasSuffix(line, "}\n") {
			t.Errorf("%q: expected %s, found %s", request, want, line)
		}
	}
}
