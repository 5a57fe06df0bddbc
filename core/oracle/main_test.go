package oracle_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage rarely: scenarios leave much of it and keep little, and collecting took two fifths of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(1000)
	os.Exit(m.Run())
}
