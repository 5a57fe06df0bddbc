package oracle_test

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"testing"
)

// clusters is the number of generated clusters that each property runs, unless checksGiven. In a short run it is 20.
const clusters = "30"

// checksGiven reports whether the command line or the environment says how many clusters each property runs.
var checksGiven bool

// TestMain collects garbage rarely: scenarios leave much of it and keep little, and collecting took two fifths of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(1000)
	flag.Parse()
	_, checksGiven = os.LookupEnv("RAPID_CHECKS")
	flag.Visit(func(f *flag.Flag) { checksGiven = checksGiven || f.Name == "rapid.checks" })
	if !checksGiven && !testing.Short() {
		if err := flag.Set("rapid.checks", clusters); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}
