package errfmt_test

import (
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/quern-project/quern/sdk/internal/errfmt"
)

func TestErrorsAreWordedAsFmtDoes(t *testing.T) {
	for _, c := range []struct {
		format string
		args   []any
	}{
		{"nothing in it", nil},
		{"%d rows, %d, %d and %d", []any{-1, uint16(7), uint32(1 << 31), uint64(1 << 63)}},
		{"%s: expected %v or more, found %q", []any{"weight", 2.0, "a\n\x00\"ü"}},
		{"%v %v %v %v", []any{0.1, 1e6, 1e21, -1e-7}},
		{"%v, %v", []any{true, false}},
		{"%w: %w", []any{io.EOF, errors.New("so")}},
		{"%v", []any{io.EOF}},
		{"a share of 10%", nil},
	} {
		if expected, found := fmt.Errorf(c.format, c.args...).Error(), errfmt.Errorf(c.format, c.args...).Error(); c.args != nil && found != expected {
			t.Errorf("%s: expected %q, found %q", c.format, expected, found)
		}
	}
	if found := errfmt.Textf("%v, %v, %v", []any{1.0}, map[string]any{}, nil); found != "a list, an object, nothing" {
		t.Errorf("found %q", found)
	}
	if found := errfmt.Textf("%v", time.Time{}); found != "something else" {
		t.Errorf("found %q", found)
	}
	if found := errfmt.Textf("a share of 10%"); found != "a share of 10%" {
		t.Errorf("found %q", found)
	}
}

func TestErrorsAmongTheArgumentsAreWrapped(t *testing.T) {
	cause := errors.New("cause")
	err := errfmt.Errorf("%s: %w: %w", "where", io.EOF, cause)
	if !errors.Is(err, io.EOF) || !errors.Is(err, cause) || errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("found %v", err)
	}
}
