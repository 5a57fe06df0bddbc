package tool

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	hash  = "93a44bbb96c751218e4c00d479e4c14358122a389acca16205b1e4d0dc5f9476" // of empty
	other = "0000000000000000000000000000000000000000000000000000000000000000"
)

func pin(t *testing.T, dir string) (*Pinned, error) {
	t.Helper()
	s, err := Find(filepath.Join(dir, "a.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return Pin(s)
}

func TestAPinChangesNothingButThePin(t *testing.T) {
	line := `sha256 = "` + hash + `"`
	for _, c := range []struct{ name, before, after string }{
		{"empty", "", line + "\n"},
		{"nothing of it", "# mine\n[parameters]\nweight = 2\n", line + "\n# mine\n[parameters]\nweight = 2\n"},
		{"another pin", "# mine\n  sha256 = \"" + other + "\"  # for now\n\n[limits]\nfuel = 9\n", "# mine\n  " + line + "  # for now\n\n[limits]\nfuel = 9\n"},
		{"an empty pin", "sha256=''\nshadow_of = \"b\"", `sha256="` + hash + "\"\nshadow_of = \"b\""},
		{"a quoted key", `"sha256" = "` + other + `"`, `"sha256" = "` + hash + `"`},
		{"a comment that looks like one", "# sha256 = \"\"\n", line + "\n# sha256 = \"\"\n"},
		{"one in a table", "[parameters]\nsha256 = \"x\"\n", line + "\n[parameters]\nsha256 = \"x\"\n"},
		{"one in a text", "description = '''\nsha256 = \"y\"\n'''\nsha256 = \"" + other + "\"\n", "description = '''\nsha256 = \"y\"\n'''\n" + line + "\n"},
		{"lines of another system", "# mine\r\n[limits]\r\nfuel = 9\r\n", line + "\r\n# mine\r\n[limits]\r\nfuel = 9\r\n"},
		{"the same", "# mine\nsha256 = \"" + strings.ToUpper(hash) + "\"\n", "# mine\nsha256 = \"" + strings.ToUpper(hash) + "\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := folder(t, map[string]string{"a.wasm": empty, "a.toml": c.before})
			for range 2 { // the second time there is nothing to do
				if _, err := pin(t, dir); err != nil {
					t.Fatal(err)
				}
				if found := read(t, filepath.Join(dir, "a.toml")); found != c.after {
					t.Errorf("expected\n%q, found\n%q", c.after, found)
				}
			}
			if info, err := os.Stat(filepath.Join(dir, "a.toml")); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("expected the permissions that it had, found %v, %v", info.Mode(), err)
			}
		})
	}
}

func TestAPinMakesSettingsWhereThereAreNone(t *testing.T) {
	dir := folder(t, map[string]string{"a.wasm": empty})
	p, err := pin(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "a.toml") + ": created, with the sha256 of a.wasm, " + hash; p.String() != want {
		t.Errorf("expected %q, found %q", want, p)
	}
	if found := read(t, filepath.Join(dir, "a.toml")); found != `sha256 = "`+hash+"\"\n" {
		t.Errorf("found %q", found)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("expected nothing to be left over, found %v, %v", left, err)
	}
}

func TestAPinSaysWhatItDid(t *testing.T) {
	for before, expected := range map[string]string{
		"":                             "pinned to the sha256 of a.wasm, " + hash,
		"sha256 = \"" + other + "\"\n": "the pin is now " + hash + ", of a.wasm; it was " + other,
		"sha256 = \"" + hash + "\"\n":  "unchanged",
	} {
		p, err := pin(t, folder(t, map[string]string{"a.wasm": empty, "a.toml": before}))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(p.String(), expected) {
			t.Errorf("after %q: expected %q, found %q", before, expected, p)
		}
	}
}

func TestSettingsThatCannotBeEditedStayAsTheyAre(t *testing.T) {
	for _, text := range []string{"sha256 = 7\n", "[broken\n", "a = {sha256 = \"\"}\nsha256 = \"\"\"\nx\"\"\"\n"} {
		dir := folder(t, map[string]string{"a.wasm": empty, "a.toml": text})
		_, err := pin(t, dir)
		var input *InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), "a.toml: ") {
			t.Errorf("%q: expected an InputError that names a.toml, found %v", text, err)
		}
		if found := read(t, filepath.Join(dir, "a.toml")); found != text {
			t.Errorf("expected %q, found %q", text, found)
		}
	}
}

func TestAPinGoesThroughALinkToTheFileItNames(t *testing.T) {
	dir := folder(t, map[string]string{"a.wasm": empty, "kept/real.toml": "# mine\n"})
	if err := os.Symlink(filepath.Join("kept", "real.toml"), filepath.Join(dir, "a.toml")); err != nil {
		t.Skip("skipped, because links cannot be made here: ", err)
	}
	if _, err := pin(t, dir); err != nil {
		t.Fatal(err)
	}
	if found := read(t, filepath.Join(dir, "kept", "real.toml")); !strings.Contains(found, hash) {
		t.Errorf("found %q", found)
	}
	if info, err := os.Lstat(filepath.Join(dir, "a.toml")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
}
