//go:build unix

package safefile_test

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/quern-project/quern/host/files/safefile"
)

// others are paths of what is no regular file, with the words that name it. Opened like files, some would block for ever.
func others(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	pipe, socket, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket"), filepath.Join(dir, "link")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(pipe, link); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return map[string]string{dir: "a folder", pipe: "a named pipe", link: "a named pipe", socket: "a socket", "/dev/zero": "a device"}
}

func TestWhatIsNoRegularFileIsRefusedAtOnce(t *testing.T) {
	for path, kind := range others(t) {
		expected := path + ": expected a file, found " + kind
		_, _, err := safefile.Open(path)
		_, read := safefile.Read(path, 10)
		_, _, stream := safefile.OpenOrStream(path)
		for i, err := range []error{err, read, stream} {
			if err == nil || err.Error() != expected {
				t.Errorf("%d: expected %q, found %v", i, expected, err)
			}
		}
	}
}

func TestAMissingFileIsToldWithItsPathOnce(t *testing.T) {
	_, err := safefile.Read("none.toml", 10)
	if err == nil || err.Error() != "none.toml: no such file or directory" || !os.IsNotExist(unwrapped(err)) {
		t.Errorf("found %v", err)
	}
}

func unwrapped(err error) error { return err.(interface{ Unwrap() error }).Unwrap() }

func TestFilesAreReadWithinABound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := safefile.Read(path, 10); err != nil || string(text) != "0123456789" {
		t.Errorf("found %q, %v", text, err)
	}
	if _, err := safefile.Read(path, 9); err == nil || !strings.Contains(err.Error(), "expected at most 9 bytes, found more") {
		t.Errorf("found %v", err)
	}
	if text, err := safefile.Read("/proc/self/cmdline", 1<<16); err != nil || len(text) == 0 { // which says that its size is 0
		t.Errorf("found %q, %v", text, err)
	}
}

func TestADescriptorIsAStreamWhateverItIsConnectedTo(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	name := "/dev/fd/" + strconv.Itoa(int(r.Fd()))
	f, stream, err := safefile.OpenOrStream(name)
	if err != nil || !stream {
		t.Fatalf("expected a stream, found %v, %v", stream, err)
	}
	go func() {
		_, _ = w.WriteString("late")
		_ = w.Close()
	}()
	if text, err := io.ReadAll(f); err != nil || string(text) != "late" {
		t.Errorf("found %q, %v", text, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, _, err := safefile.Open(name); err == nil || !strings.Contains(err.Error(), "expected a file, found a named pipe") {
		t.Errorf("a descriptor where only a file will do: found %v", err)
	}
}

func TestTheNullDeviceIsAnEmptyFileToAJournal(t *testing.T) {
	f, _, err := safefile.OpenOrStream(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(f); err != nil || len(text) > 0 {
		t.Errorf("found %q, %v", text, err)
	}
	_ = f.Close()
}
