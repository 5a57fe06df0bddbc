package filewatch_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/quern-project/quern/host/files/filewatch"
	"github.com/quern-project/quern/internal/await"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Each way to change a file is told, and what is read then is what was written.
func TestFileWatch_SeesChangesOfAllKinds(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(t *testing.T, dir string) (path string)
		change  func(t *testing.T, dir string)
	}{
		"written": {
			func(t *testing.T, dir string) string { write(t, dir+"/f", "1"); return dir + "/f" },
			func(t *testing.T, dir string) { write(t, dir+"/f", "2") },
		},
		"created": {
			func(_ *testing.T, dir string) string { return dir + "/f" },
			func(t *testing.T, dir string) { write(t, dir+"/f", "2") },
		},
		"replaced by an editor": {
			func(t *testing.T, dir string) string { write(t, dir+"/f", "1"); return dir + "/f" },
			func(t *testing.T, dir string) {
				write(t, dir+"/.f.swp", "2")
				must(t, os.Rename(dir+"/f", dir+"/f~"))
				must(t, os.Rename(dir+"/.f.swp", dir+"/f"))
			},
		},
		"a mounted folder is exchanged": {
			func(t *testing.T, dir string) string {
				for n, text := range map[string]string{"v1": "1", "v2": "2"} {
					must(t, os.Mkdir(dir+"/"+n, 0o700))
					write(t, dir+"/"+n+"/f", text)
				}
				must(t, os.Symlink("v1", dir+"/data"))
				must(t, os.Symlink("data/f", dir+"/f"))
				return dir + "/f"
			},
			func(t *testing.T, dir string) {
				must(t, os.Symlink("v2", dir+"/data.tmp"))
				must(t, os.Rename(dir+"/data.tmp", dir+"/data"))
			},
		},
		"the file behind a link is written": {
			func(t *testing.T, dir string) string {
				must(t, os.MkdirAll(dir+"/elsewhere", 0o700))
				must(t, os.Mkdir(dir+"/here", 0o700))
				write(t, dir+"/elsewhere/f", "1")
				must(t, os.Symlink(dir+"/elsewhere/f", dir+"/here/f"))
				return dir + "/here/f"
			},
			func(t *testing.T, dir string) { write(t, dir+"/elsewhere/f", "2") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := c.prepare(t, dir)
			w, err := filewatch.New(path)
			must(t, err)
			c.change(t, dir)
			await.Value(t, w.Changes(), "a change to be reported")
			if text, err := os.ReadFile(path); err != nil || string(text) != "2" {
				t.Errorf("found %q, %v", text, err)
			}
			must(t, w.Close())
			for range w.Changes() { // until it is closed; the steps of a change may have been told one by one
			}
		})
	}
}

// A second change is told, too, where the first led to another folder.
func TestLinksAreFollowedAnew(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"v1", "v2"} {
		must(t, os.Mkdir(filepath.Join(dir, n), 0o700))
		write(t, filepath.Join(dir, n, "f"), n)
	}
	must(t, os.Symlink("v1", dir+"/data"))
	w, err := filewatch.New(dir + "/data/f")
	must(t, err)
	defer func() { must(t, w.Close()) }()
	must(t, os.Symlink("v2", dir+"/data.tmp"))
	must(t, os.Rename(dir+"/data.tmp", dir+"/data"))
	<-w.Changes()
	write(t, dir+"/v2/f", "new")
	await.Value(t, w.Changes(), "a change of the file that the link leads to now")
}

func TestAPathWithoutAFolderIsRefused(t *testing.T) {
	if _, err := filewatch.New(filepath.Join(t.TempDir(), "none", "f")); err == nil {
		t.Error("expected an error")
	}
}
