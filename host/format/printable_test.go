package format

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

const hostile = "a\x1b]0;owned\x07\x1b[2J\nforged\r\u009b31m\u202eevil\x7f\u2028\xff\U000e0041"

func TestWhatATerminalWouldActOnIsEscaped(t *testing.T) {
	for text, want := range map[string]string{
		hostile:          `a\x1b]0;owned\x07\x1b[2J\nforged\r\u009b31m\u202eevil\x7f\u2028\xff\U000e0041`,
		"größe – 東京 █ 👍": "größe – 東京 █ 👍",
		"tab\there":      `tab\there`,
		"":               "",
	} {
		if got := Line(text); got != want {
			t.Errorf("found  %s\nwanted %s", got, want)
		}
	}
}

func TestALongTextIsCutWithAMark(t *testing.T) {
	if got := Line(strings.Repeat("é", 3000)); got != strings.Repeat("é", 2000)+"… (2000 more bytes)" {
		t.Errorf("found a line of %d bytes: …%s", len(got), got[len(got)-40:])
	}
	if got := Cell(strings.Repeat("\x1b", 100)); got != strings.Repeat(`\x1b`, 20)+"…" {
		t.Errorf("an escape is cut in two: %s", got)
	}
	if got := Cell(strings.Repeat("x", 80)); strings.Contains(got, "…") {
		t.Errorf("found %s", got)
	}
}

// written writes a text in pieces of a size.
func written(t *testing.T, make func(*bytes.Buffer) *Writer, text string, size int) string {
	t.Helper()
	var out bytes.Buffer
	w := make(&out)
	for len(text) > 0 {
		n := min(size, len(text))
		if wrote, err := w.Write([]byte(text[:n])); err != nil || wrote != n {
			t.Fatal(wrote, err)
		}
		text = text[n:]
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestEscapingWriter_AnySplitOfItsInput(t *testing.T) {
	plain := func(b *bytes.Buffer) *Writer { return NewWriter(b, false) }
	coloured := func(b *bytes.Buffer) *Writer { return NewWriter(b, true) }
	const want = `a\x1b]0;owned\x07\x1b[2J` + "\n" + `forged\r\u009b31m\u202eevil\x7f\u2028\xff\U000e0041` + "\t東\n"
	for size := 1; size < 12; size++ {
		if got := written(t, plain, hostile+"\t東\n", size); got != want {
			t.Errorf("in pieces of %d found\n%q\nwant\n%q", size, got, want)
		}
		if got := written(t, plain, "cut \xe6\x9d", size); got != `cut \xe6\x9d` {
			t.Errorf("in pieces of %d found %q", size, got)
		}
		const painted = "\x1b[1;32mgreen\x1b[0m"
		if got := written(t, coloured, painted+" \x1b[8mhidden \x1b[2J \x1b]0;x\x07 \x1b", size); got != painted+` \x1b[8mhidden \x1b[2J \x1b]0;x\x07 \x1b` {
			t.Errorf("in pieces of %d found %q", size, got)
		}
		if got := written(t, plain, painted, size); strings.Contains(got, "\x1b") {
			t.Errorf("without colours found %q", got)
		}
	}
}

func TestAWriterCutsALineWithoutAnEnd(t *testing.T) {
	plain := func(b *bytes.Buffer) *Writer { return NewWriter(b, false) }
	got := written(t, plain, strings.Repeat("x", 1<<20)+"\nnext\n", 1000)
	if len(got) > 20_000 || !strings.HasSuffix(got, "… (1032192 more bytes)\nnext\n") {
		t.Errorf("found %d bytes that end in %q", len(got), got[len(got)-60:])
	}
}

func TestJSONMeansTheSameAndIsPrintable(t *testing.T) {
	text := strings.ToValidUTF8(hostile, "?") + strings.Repeat("y", 1<<15)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "\t")
	if err := e.Encode(map[string]string{text: text}); err != nil {
		t.Fatal(err)
	}
	got := written(t, func(b *bytes.Buffer) *Writer { return NewJSONWriter(b) }, b.String(), 7)
	var back map[string]string
	if err := json.Unmarshal([]byte(got), &back); err != nil || back[text] != text {
		t.Errorf("%v: %.100q", err, got)
	}
	if strings.ContainsAny(got, "\u009b\u202e\x7f\x1b\u2028\U000e0041") {
		t.Errorf("found %.200q", got)
	}
}
