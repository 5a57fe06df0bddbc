package policies

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

// The folder is looked at every two seconds: what goes wrong with it is logged once, and so is that it goes right again.
func TestDifferenceIsLoggedOnce(t *testing.T) {
	var log bytes.Buffer
	s := &Service{o: Options{Log: slog.New(slog.NewTextHandler(&log, nil))}}
	told := ""
	for _, reason := range []string{"", "full", "full", "full", "broken", "broken", "", "", "full"} {
		var err error
		if reason != "" {
			err = errors.New(reason)
		}
		told = s.tellDifference(told, err)
	}
	if found := log.String(); strings.Count(found, "differ from the folder") != 3 || strings.Count(found, "those of the folder again") != 1 {
		t.Errorf("found %s", found)
	}
}
