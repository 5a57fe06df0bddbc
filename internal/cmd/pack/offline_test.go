package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheServiceWorkerChangesWithEachFile(t *testing.T) {
	built := func(core string) string {
		t.Helper()
		site := t.TempDir()
		for name, content := range map[string]string{"index.html": "<!doctype html>", "assets/a-1.js": "let a", "core.wasm.gz": core, serviceWorker: "code()"} {
			path := filepath.Join(site, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := listFiles(site); err != nil {
			t.Fatal(err)
		}
		script, err := os.ReadFile(filepath.Join(site, serviceWorker))
		if err != nil {
			t.Fatal(err)
		}
		return string(script)
	}
	one := built("core")
	for _, want := range []string{`self.quernFiles={"assets/a-1.js":"`, `"core.wasm.gz":"`, `"index.html":"`, ";\ncode()"} {
		if !strings.Contains(one, want) {
			t.Errorf("expected %s, found %s", want, one)
		}
	}
	if strings.Contains(one, serviceWorker) {
		t.Errorf("expected a list without the script itself, found %s", one)
	}
	if again := built("core"); again != one {
		t.Errorf("the same files: expected the same script, found %s and %s", one, again)
	}
	if other := built("another core"); other == one {
		t.Error("another core: expected another script")
	}
}

func TestASiteWithoutAServiceWorkerIsRefused(t *testing.T) {
	if err := listFiles(t.TempDir()); err == nil || !strings.Contains(err.Error(), serviceWorker) {
		t.Errorf("expected an error about %s, found %v", serviceWorker, err)
	}
}
