package process

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// setClock is where it was set to.
type setClock struct{ now time.Time }

func (c *setClock) Now() time.Time                     { return c.now }
func (*setClock) After(time.Duration) <-chan time.Time { return nil }

func TestLinesAreCutAndCounted(t *testing.T) {
	var found []string
	clock := &setClock{time.Unix(1000, 0)}
	l := newLines(func(level, text string) { found = append(found, level+" "+text) }, clock)
	w := l.writer("info")
	write := func(text string) {
		t.Helper()
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	write("one\ntw")
	write("o\n\n" + strings.Repeat("x", 3000))
	write("still the same line\nb\xffd\n")
	expected := []string{"info one", "info two", "info " + strings.Repeat("x", maxLine) + "…", "info b?d"}
	if fmt.Sprint(found) != fmt.Sprint(expected) {
		t.Errorf("expected %q, found %q", expected, found)
	}
	found = nil
	write(strings.Repeat("flood\n", 5*burst))
	if len(found) != burst-4 {
		t.Errorf("expected %d lines of a burst, found %d", burst-4, len(found))
	}
	found, clock.now = nil, clock.now.Add(time.Second)
	write(strings.Repeat("later\n", 5*burst))
	if len(found) != rate+1 || found[0] != fmt.Sprintf("warning %d lines before this one were dropped", 4*burst+4) {
		t.Errorf("expected %d lines after a second, and how many were dropped, found %d, %q", rate, len(found), found[:1])
	}
}

func TestOnlyTheFirstLineOfAHandshakeIsRead(t *testing.T) {
	read := func(text string) string {
		t.Helper()
		data, err := io.ReadAll(&handshakeOnly{ReadCloser: io.NopCloser(strings.NewReader(text))})
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if s := read("1|1|unix\nand more\nand more"); s != "1|1|unix\n" {
		t.Errorf("expected the first line, found %q", s)
	}
	if s := read(strings.Repeat("x", 2*maxHandshake)); len(s) != maxHandshake {
		t.Errorf("expected %d bytes of an endless line, found %d", maxHandshake, len(s))
	}
}
