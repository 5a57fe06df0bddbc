package stream

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnread(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	env := Env{Context: t.Context(), Stdin: strings.NewReader(journalText + journalText)}
	a, b := file("a", "# c\n"+journalText+journalText+journalText), file("b", journalText+"{bad\n"+journalText)
	w, err := Journals([]string{a, b}, env)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ a, b, want int }{{0, 0, 6}, {2, 0, 5}, {4, 1, 2}, {4, 3, 0}} {
		if n, known := w.Unread(map[string]int{a: c.a, b: c.b}); n != c.want || !known {
			t.Errorf("after lines %d and %d: expected %d, found %d, %v", c.a, c.b, c.want, n, known)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if w, err = Journals([]string{Stdin}, env); err != nil {
		t.Fatal(err)
	}
	if n, known := w.Unread(nil); n != 0 || known {
		t.Errorf("standard input: found %d, %v", n, known)
	}
	_ = w.Close()
	trace := Trace{Nodes: file("nodes", "sn,cpu_milli,memory_mib\nn1,1000,1024\n"), Pods: file("pods", "name,cpu_milli,memory_mib\np1,1,1\np2,1,1\n")}
	if w, err = Openb(trace, env); err != nil {
		t.Fatal(err)
	}
	all := 0
	for _, err := w.Source.Next(); err == nil; _, err = w.Source.Next() {
		all++
	}
	_ = w.Close()
	if w, err = Openb(trace, env); err != nil {
		t.Fatal(err)
	}
	_, _ = w.Source.Next()
	_, _ = w.Source.Next() // after the end of the run
	if n, known := w.Unread(nil); n != all-1 || !known || all < 5 {
		t.Errorf("a trace of %d inputs of which one was replayed: found %d, %v", all, n, known)
	}
	_ = w.Close()
}
