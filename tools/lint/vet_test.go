package main

import (
	"os/exec"
	"regexp"
	"slices"
	"testing"
)

func TestVet_HasTheAnalyzersOfGoVet(t *testing.T) {
	help, err := exec.Command("go", "tool", "vet", "help").Output()
	if err != nil {
		t.Fatal(err)
	}
	var expected, found []string
	for _, line := range regexp.MustCompile(`(?m)^    (\w+) `).FindAllSubmatch(help, -1) {
		expected = append(expected, string(line[1]))
	}
	for _, a := range vet {
		found = append(found, a.Name)
	}
	slices.Sort(found)
	slices.Sort(expected)
	if len(expected) == 0 || !slices.Equal(found, expected) {
		t.Errorf("expected the analyzers of go tool vet help,\n%v, found\n%v", expected, found)
	}
}
