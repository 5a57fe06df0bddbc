package journal

import (
	"io"
	"strings"
	"testing"
)

func ticks(file, ats string) *Decoder {
	var lines strings.Builder
	for at := range strings.FieldsSeq(ats) {
		lines.WriteString(`{"type":"node.drain","id":"` + file + `","at":"` + at + `"}` + "\n")
	}
	return NewDecoder(strings.NewReader(lines.String()), file, nil)
}

func merge(sources ...Source) (string, error) {
	var order strings.Builder
	m := Merge(sources...)
	for {
		entry, err := m.Next()
		if err == io.EOF {
			return order.String(), nil
		}
		if err != nil {
			return order.String(), err
		}
		order.WriteString(entry.File + entry.Input.At.String() + " ")
	}
}

func TestJournalsMergeByTimeThenByArgument(t *testing.T) {
	found, err := merge(ticks("a", "1s 3s 3s"), ticks("b", ""), ticks("c", "0s 1s 3s 4s"))
	if expected := "c0s a1s c1s a3s a3s c3s c4s "; found != expected || err != nil {
		t.Errorf("expected %s, found %s, %v", expected, found, err)
	}
}

func TestABadLineEndsAMergeWhereItStands(t *testing.T) {
	found, err := merge(ticks("a", "1s 3s 5s"), ticks("b", "2s 3s soon"))
	if expected := "a1s b2s a3s b3s "; found != expected || err == nil || !strings.HasPrefix(err.Error(), "b:3: at: ") {
		t.Errorf("expected %s, found %s, %v", expected, found, err)
	}
}

func TestMergedJournalsHaveOneForm(t *testing.T) {
	_, err := merge(ticks("a", "1s"), ticks("b", "2026-01-01T00:00:00Z"))
	const expected = "b:1: at: expected a duration since the start as in the journals before, found an RFC 3339 time"
	if err == nil || err.Error() != expected {
		t.Errorf("expected %s, found %v", expected, err)
	}
}
