package source

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func open(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := Open(dir, "test")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func sync(t *testing.T, f *Folder, want Files) {
	t.Helper()
	if err := f.Sync(want); err != nil {
		t.Fatal(err)
	}
}

// visible is the folder's files that are not hidden, with their content.
func visible(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e.Name()+"="+string(text))
	}
	return all
}

func TestAFolderHasTheFilesOfItsSourceAndNoOthersOfIt(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	sync(t, f, Files{"score.wasm": []byte("1"), "score.toml": []byte("s"), "rank.wasm": []byte("r")})
	sync(t, f, Files{"score.wasm": []byte("2"), "rank.wasm": nil})
	if got, want := visible(t, dir), []string{"rank.wasm=r", "score.wasm=2"}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	sync(t, open(t, dir), Files{}) // after a restart
	if got := visible(t, dir); len(got) > 0 {
		t.Errorf("left over: %v", got)
	}
}

func TestAFileThatIsNotOfTheSourceIsNeverTouched(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.wasm"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := open(t, dir)
	err := f.Sync(Files{"mine.wasm": []byte("theirs"), "other.wasm": []byte("o")})
	if err == nil || !strings.Contains(err.Error(), "mine.wasm: the folder") {
		t.Errorf("found %v", err)
	}
	sync(t, f, Files{})
	if got, want := visible(t, dir), []string{"mine.wasm=mine"}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

func TestFilesThatCannotBeModulesAreRefused(t *testing.T) {
	for name, want := range map[string]string{
		"settings.toml":                    "expected the file settings.wasm beside it", // it may name a program
		"readme.md":                        "expected a name that ends in",
		"../up.wasm":                       "name: expected small letters",
		".hidden.wasm":                     "name: expected small letters",
		"fair.wasm":                        "is a built-in",
		strings.Repeat("a", 999) + ".wasm": "at most",
	} {
		dir := t.TempDir()
		if err := open(t, dir).Sync(Files{name: []byte("x"), "good.wasm": []byte("g")}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30s: found %v", name, err)
		}
		if got := visible(t, dir); !slices.Equal(got, []string{"good.wasm=g"}) {
			t.Errorf("%.30s: the folder has %v", name, got)
		}
	}
}

func TestAFileThatIsTooLargeIsRefused(t *testing.T) {
	if err := open(t, t.TempDir()).Sync(Files{"large.wasm": make([]byte, MostBytes+1)}); err == nil || !strings.Contains(err.Error(), "large.wasm: expected at most") {
		t.Error(err)
	}
}

// What is as it should be is not written again, so that nothing is loaded anew.
func TestTheSameContentIsNotWrittenAgain(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	sync(t, f, Files{"score.wasm": []byte("1")})
	before, err := os.Stat(filepath.Join(dir, "score.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	sync(t, f, Files{"score.wasm": []byte("1")})
	after, err := os.Stat(filepath.Join(dir, "score.wasm"))
	if err != nil || !os.SameFile(before, after) {
		t.Error("another file took its place", err)
	}
}

func TestAFolderThatIsMissingIsNamed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "missing")
	if _, err := Open(dir, "test"); err == nil || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
}
