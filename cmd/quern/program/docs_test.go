package program

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestDocs_AreServedUntilEnded(t *testing.T) {
	address, end := servedBy(t, "docs", "--no-open", "--listen", "127.0.0.1:0")
	for path, has := range map[string]string{"": "Documentation", "concepts/preemption.html": "The laws", "search-index.js": "window.quernSearch"} {
		if text, answer := get(t, address+path); answer.StatusCode != http.StatusOK || !strings.Contains(text, has) {
			t.Errorf("/%s: expected %q, found %d and %.200q", path, has, answer.StatusCode, text)
		}
	}
	if code := end(); code != 0 {
		t.Errorf("expected exit code 0, found %d", code)
	}
}

func TestDocs_FoldersWithOtherFilesAreRefused(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got := quern("", "docs", "--site", folder)
	if got.code != cli.BadInput || !strings.Contains(got.err, "--site: ") || !strings.Contains(got.err, "found other files") {
		t.Errorf("expected a refusal, found exit code %d and %q", got.code, got.err)
	}
}
