package servecmd

import (
	"log/slog"
	"os"
	"syscall"
	"testing"
)

func TestAHangUpEndsAHostWhoseTerminalIsGone(t *testing.T) {
	t.Chdir(t.TempDir())
	u := (&reload{log: slog.New(slog.DiscardHandler)}).task(t.Context(), true)
	defer func() {
		if err := u.stop(); err != nil {
			t.Error(err)
		}
	}()
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(syscall.SIGHUP)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := u.serve(); err != nil {
		t.Error(err)
	}
}
