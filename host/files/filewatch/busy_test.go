package filewatch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/quern-project/quern/internal/await"
)

// busy is a folder with a watched file, and the results of looks at it.
type busy struct {
	*testing.T
	dir   string
	looks chan bool
}

func newBusy(t *testing.T, name string) *busy {
	t.Helper()
	b := &busy{t, t.TempDir(), make(chan bool, 100)}
	b.write(name, "broken")
	w, err := newFile(filepath.Join(b.dir, name), func(changed bool) { b.looks <- changed })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return b
}

func (b *busy) write(name, text string) {
	b.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
}

// look waits for the next look.
func (b *busy) look() (changed bool) {
	b.Helper()
	return await.Value(b, b.looks, "a look at the file")
}

func TestWatch_OtherFilesAreNoChange(t *testing.T) {
	b := newBusy(t, "team.yaml")
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"a log", func() { b.write("serve.log", "one more line\n") }},
		{"a swap file", func() { b.write(".team.yaml.swp", "x") }},
		{"the same text", func() { b.write("other.yaml", "broken") }},
		{"a file less", func() { _ = os.Remove(filepath.Join(b.dir, "serve.log")) }},
	} {
		c.do()
		if b.look() {
			t.Errorf("%s: reported as a change of the file", c.name)
		}
	}
	b.write("team.yaml", "better")
	for !b.look() { // it may be looked at while it is empty, and again
	}
}

func TestWatch_SameLengthAndTime(t *testing.T) {
	b := newBusy(t, "team.yaml")
	path := filepath.Join(b.dir, "team.yaml")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.WriteAt([]byte("BROKEN"), 0); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if !b.look() {
		t.Error("other contents of the same length and time were not reported")
	}
}
