package scheduler_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage more rarely: random clusters leave much of it and keep little, and collecting took a third of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(1000)
	os.Exit(m.Run())
}
