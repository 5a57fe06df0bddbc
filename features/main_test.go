package features_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage more rarely: each scenario has a scheduler of its own, and collecting took a quarter of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(1000)
	os.Exit(m.Run())
}
