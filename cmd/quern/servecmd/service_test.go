package servecmd

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/server"
)

func TestARecordStaysOpenThatASnapshotIsStillWrittenTo(t *testing.T) {
	var log strings.Builder
	v := service{log: slog.New(slog.NewTextHandler(&log, nil))}
	ended := make(chan error, 2)
	ended <- server.ErrNoSnapshot
	ended <- nil
	closing := func() error { t.Error("the record was closed"); return nil }
	if err := v.close(v.end(2, ended), closing); err != nil {
		t.Errorf("a missing snapshot is a failure: %v", err)
	}
	if !strings.Contains(log.String(), "the last snapshot was not finished in time") {
		t.Errorf("found %s", log.String())
	}
	ended <- server.ErrUnfinished
	if err := v.close(v.end(1, ended), closing); !errors.Is(err, server.ErrUnfinished) {
		t.Errorf("found %v", err)
	}
}
