package program

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

func TestSettingsLimitTheNamesThatInputsBring(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	address, end := hosted(t, "--data", data)
	app := `{"type":"app.add","id":"x","queue":"root.default"}`
	if status, text := post(t, address, app+"\n"+`{"type":"ask.add","id":"x1","app":"x","resources":{"a":1,"b":1,"c":1},"predicate":"rm/p"}`); status != http.StatusOK {
		t.Fatal(text)
	}
	end()
	address, end = hosted(t, "--data", data, "--max-resource-types", "4", "--max-predicates", "1")
	defer end()
	for body, want := range map[string]string{
		`{"type":"ask.add","id":"x2","app":"x","resources":{"a":1,"d":1}}`:                    `"key":"resources"`,
		`{"type":"ask.add","id":"x2","app":"x","resources":{"a":1},"predicate":"rm/q"}`:       `"key":"predicate"`,
		`{"type":"node.add","id":"n1","capacity":{"a":1,"d":1},"occupied":{"e":1,"vcore":1}}`: `"key":"capacity"`,
	} {
		if status, text := post(t, address, body); status != http.StatusUnprocessableEntity || !strings.Contains(text, "too_many_names") || !strings.Contains(text, want) {
			t.Errorf("%s: found %d %s", body, status, text)
		}
	}
	for _, body := range []string{`{"type":"ask.add","id":"x3","app":"x","resources":{"a":1,"c":1},"predicate":"rm/p"}`, `{"type":"node.add","id":"n1","capacity":{"a":1,"d":1}}`} {
		if status, text := post(t, address, body); status != http.StatusOK {
			t.Errorf("%s: found %d %s", body, status, text)
		}
	}
}
