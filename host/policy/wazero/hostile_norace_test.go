//go:build !race

package wazero_test

// raceEnabled says that times mean little.
const raceEnabled = false
