package format

import (
	"strings"
	"testing"
)

func TestAParagraphIsFoldedAtItsSentences(t *testing.T) {
	const text = "Ask a waits in root.b. It needs 1.5 vcore and 2 GiB memory. No node fits."
	for columns, want := range map[int]string{
		0:  text,
		73: text,
		72: "Ask a waits in root.b.\nIt needs 1.5 vcore and 2 GiB memory.\nNo node fits.",
		24: "Ask a waits in root.b.\nIt needs 1.5 vcore and\n  2 GiB memory.\nNo node fits.",
		4:  "Ask\n  a\n  waits\n  in\n  root.b.\nIt\n  needs\n  1.5\n  vcore\n  and\n  2\n  GiB\n  memory.\nNo\n  node\n  fits.",
	} {
		var b strings.Builder
		w := NewWriter(&b, false).Fold(columns)
		if err := Paragraph(w, text); err != nil {
			t.Error(err)
		}
		if err := w.Flush(); err != nil || b.String() != want+"\n" {
			t.Errorf("%d columns: expected\n%s\nfound\n%s, %v", columns, want, b.String(), err)
		}
	}
}

func TestAParagraphToAPlainWriterIsOneLine(t *testing.T) {
	var b strings.Builder
	if err := Paragraph(&b, strings.Repeat("One. ", 100)+"Two\nlines."); err != nil || b.String() != strings.Repeat("One. ", 100)+"Two\\nlines.\n" {
		t.Errorf("found %q, %v", b.String(), err)
	}
}
