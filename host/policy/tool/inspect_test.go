package tool

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
)

var update = flag.Bool("update", false, "write what is printed into testdata")

// shown is an inspection that has something of everything.
func shown() *Inspection {
	least, most, cost := 0.0, 10.0, int64(1211)
	return &Inspection{
		File: "biggest.wasm", Kind: "module", Bytes: 5868, SHA256: hash,
		Name: "biggest", Version: "1.2.0", ABI: "1.0", Description: "The node with the most left first",
		Points: []InspectedPoint{
			{"app.order", []string{"used:vcore", "tag:rank=-1"}, 2, "row", "fair", nil},
			{"node.score", []string{"free:*", "ask:*"}, 1, "ask", "", &cost},
		},
		Parameters: map[string]abi.Parameter{
			"mode":   {Type: abi.Text, Default: "a", Values: []string{"a", "b"}},
			"weight": {Type: abi.Number, Default: 1.5, Min: &least, Max: &most, Description: "of what is left"},
		},
		Module: &InspectedModule{Imports: []string{}, Exports: []string{"memory: memory", "quern_abi()->i32"}, Memory: &Pages{2, 256},
			Features: []string{"bulk-memory"}, Code: 4879, Data: 682, Custom: []string{}},
	}
}

func golden(t *testing.T, name string, found []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, found, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := read(t, path); want != string(found) {
		t.Errorf("%s: expected\n%s\nfound\n%s\n(-update writes it)", path, want, found)
	}
}

func TestAnInspectionReadsSo(t *testing.T) {
	var text, object bytes.Buffer
	if err := shown().Text(&text); err != nil {
		t.Fatal(err)
	}
	golden(t, "inspect.txt", text.Bytes())
	if err := shown().JSON(&object); err != nil {
		t.Fatal(err)
	}
	golden(t, "inspect.json", object.Bytes())
}

func TestARefusedPolicyHasNoPointsInJSON(t *testing.T) {
	var object bytes.Buffer
	if err := (&Inspection{File: "a.wasm", Kind: "module", Refused: "too large"}).JSON(&object); err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(object.Bytes(), &keys); err != nil {
		t.Fatal(err)
	}
	if _, there := keys["points"]; there || keys["refused"] != "too large" {
		t.Errorf("found %v", keys)
	}
}
