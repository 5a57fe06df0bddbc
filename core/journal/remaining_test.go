package journal

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"
)

func TestRemaining(t *testing.T) {
	const head, tick = `{"type":"journal","version":1}` + "\n", `{"at":"1s","type":"tick"}` + "\n"
	long := strings.Repeat("x", 20<<20) + "\n"
	for _, c := range []struct {
		text        string
		after, want int
	}{
		{"", 0, 0}, {"\n# only this\n  \n", 0, 0}, {head, 0, 0}, {"\ufeff" + head + tick, 0, 1}, {"# c\n\n" + head + tick + tick, 0, 2},
		{head + tick + tick + tick, 1, 3}, {head + tick + tick + tick, 3, 1}, {head + tick + tick + tick, 9, 0},
		{head + tick + "{\n}\n\n# c\n" + strings.TrimSuffix(tick, "\n"), 2, 3}, {tick + long + tick, 1, 2}, {strings.Repeat(tick, 20), 2, 10}, {head + head, 1, 1},
	} {
		if n, err := Remaining(strings.NewReader(c.text), c.after, 10); n != c.want || err != nil {
			t.Errorf("%.60q after line %d: expected %d, found %d, %v", c.text, c.after, c.want, n, err)
		}
	}
	broken := errors.New("broken")
	if _, err := Remaining(iotest.ErrReader(broken), 0, 10); !errors.Is(err, broken) {
		t.Errorf("found %v", err)
	}
}
