package stream

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAMapThatADecoderWouldChokeOnIsRefused(t *testing.T) {
	name := filepath.Join(t.TempDir(), "map.toml")
	if err := os.WriteFile(name, []byte("[LS]\n"+strings.Repeat("a.", 10_000)+"a = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Openb(Trace{Map: name}, Env{Context: t.Context()})
	if err == nil || !strings.Contains(err.Error(), "map.toml:2:31: expected at most 100000 values, and 16 levels of them, found more") {
		t.Errorf("found %v", err)
	}
}
