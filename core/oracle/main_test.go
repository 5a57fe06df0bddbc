package oracle_test

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

// cases is the number of random scenarios that each property runs without -rapid.checks. `make clusters` runs ten thousand.
const cases = "50"

// chosen reports whether the command line says how many scenarios to run.
var chosen bool

// TestMain draws fewer scenarios than rapid does, and collects garbage more rarely: scenarios leave much of it and keep little, and
// collecting took two fifths of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(1000)
	flag.Parse()
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "rapid.checks" })
	if !chosen {
		setCases(cases)
	}
	os.Exit(m.Run())
}

func setCases(number string) {
	if err := flag.Set("rapid.checks", number); err != nil {
		panic(err) // our bug
	}
}
