package logging

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

func TestTrouble_IsSaidOnce(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	var trouble Trouble
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, ""}, {errors.New("a"), "level=ERROR msg=broken file=f error=a"}, {errors.New("a"), ""}, {errors.New("b"), "error=b"}, {errors.New("a"), "error=a"},
		{nil, "level=INFO msg=whole file=f"}, {nil, ""}, {errors.New("a"), "error=a"},
	} {
		out.Reset()
		if said := trouble.Report(log, c.err, "broken", "whole", "file", "f"); said != (c.want != "") || !strings.Contains(out.String(), c.want) || c.want == "" && out.Len() > 0 {
			t.Errorf("%v: expected %q, found %t %s", c.err, c.want, said, &out)
		}
	}
	out.Reset()
	if !trouble.End() || trouble.End() || out.Len() > 0 {
		t.Errorf("the end was not silent: %s", &out)
	}
}
