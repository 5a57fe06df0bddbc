package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// packages are names of packages, and the lines that go build -v prints of them.
func packages(n int) (missing map[string]bool, lines string) {
	missing = map[string]bool{}
	for i := range n {
		name := fmt.Sprintf("example/p%d", i)
		missing[name] = true
		lines += name + "\n"
	}
	return missing, lines
}

func TestProgress_OutsideTerminal_LineAQuarter(t *testing.T) {
	missing, lines := packages(40)
	var out strings.Builder
	show(strings.NewReader(lines), &out, "compiling quern", missing, false)
	want := "compiling quern: 40 packages\ncompiling quern: 10 of 40 packages\ncompiling quern: 20 of 40 packages\ncompiling quern: 30 of 40 packages\n"
	if out.String() != want {
		t.Errorf("expected\n%s, found\n%s", want, out.String())
	}
}

func TestProgress_FewPackages_Silent(t *testing.T) {
	missing, lines := packages(few - 1)
	var out strings.Builder
	show(strings.NewReader(lines), &out, "compiling quern", missing, false)
	if out.String() != "" {
		t.Errorf("found %q", out.String())
	}
}

func TestProgress_Terminal_OneLineThatErrorsReplace(t *testing.T) {
	missing, _ := packages(2)
	var out strings.Builder
	show(strings.NewReader("example/p0\n# example/p0\nexample/p0.go:1:1: expected 'package'"), &out, "compiling quern", missing, true)
	want := "\r\033[Kcompiling quern: 1 of 2 packages\r\033[K# example/p0\n\r\033[Kexample/p0.go:1:1: expected 'package'\r\033[K"
	if out.String() != want {
		t.Errorf("expected %q, found %q", want, out.String())
	}
}

func TestListFlags_NoOutputFile(t *testing.T) {
	found := withoutOutput([]string{"-ldflags", "-X a=b", "-o", "build/quern", "./cmd/quern"})
	if want := []string{"-ldflags", "-X a=b", "./cmd/quern"}; !slices.Equal(found, want) {
		t.Errorf("expected %q, found %q", want, found)
	}
}
