package tool

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/policy/registry"
)

// empty is the smallest module there is: sound, and no policy.
const empty = "\x00asm\x01\x00\x00\x00"

// folder is a fresh folder with these files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWhatIsNoPolicyIsTheCallersFault(t *testing.T) {
	dir := folder(t, map[string]string{
		"text.wasm": "not at all", "cut.wasm": empty[:6], "old.wasm": "\x00asm\x02\x00\x00\x00", "a.txt": "",
		"void.wasm": "", "alone.toml": "", "bad.toml": "[process", "gone.toml": "[process]\ncommand = \"nowhere\"\n",
		"huge.wasm": empty + strings.Repeat("x", registry.MostBytes),
	})
	if err := os.Mkdir(filepath.Join(dir, "folder.wasm"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, expected := range map[string]string{
		"none.wasm": "none.wasm: no such file", "a.txt": "expected NAME.wasm or NAME.toml", "folder.wasm": "found a folder",
		"alone.toml": "expected the key process.command", "bad.toml": "bad.toml:1:8: expected", "gone.toml": "nowhere: no such file", "huge.wasm": "found more",
	} {
		_, err := Find(filepath.Join(dir, name))
		var input *InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), expected) {
			t.Errorf("%s: expected an InputError with %q, found %v", name, expected, err)
		}
	}
	for name, expected := range map[string]string{"text.wasm": "text.wasm: ", "cut.wasm": "cut.wasm: ", "void.wasm": "void.wasm: ", "old.wasm": "bad-version"} {
		s, err := Find(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Open(t.Context(), nil)
		var refused *RefusedError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), expected) || !errors.Is(err, s.Broken) {
			t.Errorf("%s: expected a RefusedError with %q, found %v", name, expected, err)
		}
		if i, err := Inspect(t.Context(), s); err != nil || i.Refused != s.Broken.Error() || i.SHA256 == "" {
			t.Errorf("%s: found %+v, %v", name, i, err)
		}
		if _, err := Pin(s); err == nil {
			t.Errorf("%s was pinned", name)
		}
	}
}

func TestAFileThatMayNotBeReadIsTheCallersFault(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("skipped, because root may read everything")
	}
	dir := folder(t, map[string]string{"a.wasm": empty})
	if err := os.Chmod(filepath.Join(dir, "a.wasm"), 0); err != nil {
		t.Fatal(err)
	}
	_, err := Find(filepath.Join(dir, "a.wasm"))
	var input *InputError
	if !errors.As(err, &input) {
		t.Errorf("expected an InputError, found %v", err)
	}
}

func TestBothFilesOfAModuleNameIt(t *testing.T) {
	dir := folder(t, map[string]string{"a.wasm": empty, "a.toml": "# nothing\n"})
	for _, name := range []string{"a.wasm", "a.toml"} {
		s, err := Find(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if s.Name != "a" || s.Process || filepath.Base(s.File) != "a.wasm" || filepath.Base(s.Settings) != "a.toml" || s.Bytes != 8 {
			t.Errorf("%s: found %+v", name, s)
		}
	}
}

func TestAProgramIsNamedByItsSettings(t *testing.T) {
	dir := folder(t, map[string]string{"a.toml": "[process]\ncommand = \"bin/run\"\nargs = [\"-v\"]\n", "bin/run": "#!/bin/sh\n"})
	s, err := Find(filepath.Join(dir, "a.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if !s.Process || s.File != filepath.Join(dir, "bin", "run") || len(s.SHA256) != 64 {
		t.Errorf("found %+v", s)
	}
}

func TestASoundModuleThatIsNoPolicyIsRefusedAndShown(t *testing.T) {
	dir := folder(t, map[string]string{"a.wasm": empty})
	s, err := Find(filepath.Join(dir, "a.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	i, err := Inspect(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(dir, "a.wasm") + ": byte 0x0: missing-export: "
	if !strings.HasPrefix(i.Refused, want) || i.Module == nil || i.Name != "" {
		t.Errorf("expected a refusal that begins with %q, found %+v", want, i)
	}
}
