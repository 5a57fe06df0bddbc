package program

import (
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestAPrivateKeyThatOthersCanRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped, because modes say nothing of other users there")
	}
	key := filepath.Join(t.TempDir(), "key.pem")
	for mode, warned := range map[fs.FileMode]bool{0o600: false, 0o640: false, 0o644: true} {
		if err := os.WriteFile(key, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(key, mode); err != nil {
			t.Fatal(err)
		}
		var log strings.Builder
		cli.WarnOpen(slog.New(slog.NewTextHandler(&log, nil)), key, cli.NoReads, "can read it")
		if found := strings.Contains(log.String(), `msg="other users can read it" file=`); found != warned {
			t.Errorf("mode %04o: found %q", mode, log.String())
		}
	}
}
