package auth

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/auth/authtest"
)

func TestReload_TheSameErrorIsLoggedOnce(t *testing.T) {
	var log bytes.Buffer
	var broken error
	clock, path := authtest.NewClock(), file(t, "0")
	r, err := newReloading([]string{path}, func() (string, error) { return "value", broken }, slog.New(slog.NewTextHandler(&log, nil)), clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	texts := 0
	step := func(err error, change bool, errors, loaded int) {
		t.Helper()
		log.Reset()
		broken = err
		if texts++; change {
			if err := os.WriteFile(path, []byte(strings.Repeat("x", texts)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		clock.Pass(lookAgain)
		r.get()
		if e, l := strings.Count(log.String(), "level=ERROR"), strings.Count(log.String(), "has been loaded"); e != errors || l != loaded {
			t.Errorf("step %d: expected %d errors and %d loads, found %s", texts, errors, loaded, &log)
		}
	}
	step(nil, true, 0, 1)
	step(errors.New("a"), true, 1, 0)
	step(errors.New("a"), true, 0, 0)
	step(errors.New("a"), false, 0, 0)
	step(errors.New("b"), true, 1, 0)
	step(nil, false, 0, 1) // what kept it from being read is gone
	step(nil, false, 0, 0)
}
