//go:build unix

package registry_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/quern-project/quern/host/policy/registry"
)

// Opened like a file, a pipe would be waited for without end.
func TestAPipeOrSocketInAFolderOfPoliciesIsRefused(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"module.wasm", "settings.toml", "program"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("unix", filepath.Join(dir, "socket.toml"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "device.wasm")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "process.toml"), []byte("[process]\ncommand = \"program\"\n"))
	r, refused := open(t, registry.Options{Dir: dir})
	found := map[string]string{}
	for _, x := range refused {
		found[x.Name] = x.Err.Error()
	}
	for name, expected := range map[string]string{
		"module":   "module.wasm: expected a file, found a named pipe",
		"settings": "settings.toml: expected a file, found a named pipe",
		"process":  "/program: expected a file, found a named pipe",
		"socket":   "socket.toml: expected a file, found a socket",
		"device":   "device.wasm: expected a file, found a device",
	} {
		if !strings.HasSuffix(found[name], expected) {
			t.Errorf("%s: expected …%s, found %q", name, expected, found[name])
		}
	}
	if changes, _ := scans(t, r); len(changes) > 0 {
		t.Errorf("found %v", changes)
	}
}
