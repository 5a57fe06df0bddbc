package safefile

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// here is a fresh folder with these files, which the test then stands in.
func here(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
}

// holds fails unless the folder has these files, with these texts, and no others.
func holds(t *testing.T, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, _ := os.ReadFile(e.Name())
		if wanted, ok := want[e.Name()]; !ok || wanted != string(text) {
			t.Errorf("%s: found %q, want %q", e.Name(), text, wanted)
		}
	}
	if len(entries) != len(want) {
		t.Errorf("found %v, want %d files", entries, len(want))
	}
}

func create(t *testing.T, s *Transaction, name, text string) {
	t.Helper()
	f, err := s.Create("--out", name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f.Writer(), text); err != nil {
		t.Fatal(err)
	}
}

func TestAnOldFileStaysUntilTheNewOneIsWhole(t *testing.T) {
	here(t, map[string]string{"old": "old"})
	if err := os.Symlink("old", "link"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"old", "link"} {
		s := NewTransaction(io.Discard)
		create(t, s, name, strings.Repeat("x", 1<<20))
		if text, _ := os.ReadFile("old"); string(text) != "old" {
			t.Errorf("%s: it was replaced before the end", name)
		}
		s.Discard()
		holds(t, map[string]string{"old": "old", "link": "old"})
	}
	s := NewTransaction(io.Discard)
	create(t, s, "link", "new")
	create(t, s, "fresh", "too")
	if err := os.Symlink("later", "ahead"); err != nil {
		t.Fatal(err)
	}
	create(t, s, "ahead", "led")
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
	s.Discard()
	holds(t, map[string]string{"old": "new", "link": "new", "fresh": "too", "later": "led", "ahead": "led"})
	if info, err := os.Stat("old"); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v, want that of the old file", info.Mode())
	}
	if to, err := os.Readlink("link"); err != nil || to != "old" {
		t.Errorf("the link leads to %q: %v", to, err)
	}
}

func TestNoOutputIsAnInputOrAnotherOutput(t *testing.T) {
	here(t, map[string]string{"in": "in"})
	if err := errors.Join(os.Link("in", "hard"), os.Symlink("in", "soft"), os.Symlink("soft", "softer"), os.Symlink("new", "dangling"), os.Symlink(".", "folder"), os.Symlink("round", "round")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat("in")
	if err != nil {
		t.Fatal(err)
	}
	s := NewTransaction(io.Discard)
	defer s.Discard()
	if err := s.Reads("in", info); err != nil {
		t.Fatal(err)
	}
	create(t, s, "new", "new")
	for _, name := range []string{"in", "./in", "hard", "soft", "softer", "folder/in", "new", "./new", "dangling", "folder/new", "folder", ".", "round", "none/new", "in/new"} {
		_, err := s.Create("--report", name)
		var named *NameError
		if !errors.As(err, &named) || !strings.HasPrefix(err.Error(), "--report: "+name+": ") {
			t.Errorf("%s: found the error %v, want a NameError", name, err)
		}
	}
	create(t, s, "other", "other")
	if err := os.WriteFile("late", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	create(t, s, "late", "late")
	if info, err = os.Stat("late"); err != nil {
		t.Fatal(err)
	}
	if err := s.Reads("late", info); err == nil {
		t.Error("an input that is opened later is an output, and that is no error")
	}
}

func TestNoOutputIsTheFileThatStandardOutputGoesTo(t *testing.T) {
	here(t, map[string]string{"log": ""})
	log, err := os.OpenFile("log", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	if _, err := NewTransaction(log).Create("--out", "log"); err == nil || !strings.Contains(err.Error(), "standard output") {
		t.Errorf("found the error %v", err)
	}
	info, err := log.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := NewTransaction(log).Reads("log", info); err == nil || !strings.HasPrefix(err.Error(), "standard output: ") {
		t.Errorf("found the error %v", err)
	}
}

func TestADeviceIsWrittenAsItIsAndMayBeNamedTwice(t *testing.T) {
	here(t, nil)
	s := NewTransaction(io.Discard)
	create(t, s, os.DevNull, "gone")
	create(t, s, os.DevNull, "gone")
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s was replaced", os.DevNull)
	}
}

func TestWhenOneOutputFailsAllStayAsTheyWereAndItIsToldOnce(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	here(t, map[string]string{"old": "old"})
	s := NewTransaction(io.Discard)
	create(t, s, "old", "new")
	f, err := s.Create("--report", "/dev/full")
	if err != nil {
		t.Fatal(err)
	}
	_, first := f.Writer().Write(bytes.Repeat([]byte("x"), 1<<20))
	err = s.Commit()
	if err == nil || err.Error() != "--report: /dev/full: no space left on device" || !errors.Is(err, first) {
		t.Errorf("found %v, first %v", err, first)
	}
	holds(t, map[string]string{"old": "old"})
}

func TestAFileThatMayNotBeWrittenIsNotReplaced(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everything")
	}
	here(t, map[string]string{"old": "old"})
	if err := os.Chmod("old", 0o400); err != nil {
		t.Fatal(err)
	}
	if _, err := NewTransaction(io.Discard).Create("--out", "old"); err == nil {
		t.Error("it was taken")
	}
	holds(t, map[string]string{"old": "old"})
}

func TestAFileThatCannotBeReplacedIsOverwritten(t *testing.T) {
	here(t, map[string]string{"old": "longer than the new one", "new": "new"})
	path, err := resolve("old")
	if err != nil {
		t.Fatal(err)
	}
	if err := path.overwrite(filepath.Join(".", "new")); err != nil {
		t.Fatal(err)
	}
	holds(t, map[string]string{"old": "new", "new": "new"})
}
