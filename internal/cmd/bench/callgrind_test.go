package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCountsOfAPhaseAreThoseOfItsOwnInstructions(t *testing.T) {
	const events = "positions: line\nevents: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\n"
	head := func(function string) string {
		return "version: 1\ndesc: Trigger: --dump-before=" + function + "\n" + events
	}
	out := filepath.Join(t.TempDir(), "out")
	for file, text := range map[string]string{
		"1": head(phaseEnds[0]) + "fn=(1) main.main\n7 1\n",
		"2": head(phaseEnds[1]) + "fn=(1) runtime.mallocgc\n7 5\n",
		"3": head(phaseEnds[2]) + "fn=(3) " + module + "core/internal/node.(*finder).Best\n16 10 2 2 1 1 1 1\n+3 20\n" +
			"cfn=(4) " + module + "core/internal/index.(*Index[go.shape.int]).First\ncalls=2 50\n* 1000 1 1 1 1 1 1 1 1\n-1 3\n\nfn=(4)\n5 7\n",
		"4": head(phaseEnds[2]) + "fn=(1) runtime.mallocgc\n7 1\n",
		"5": "desc: Trigger: Program termination\n" + events + "fn=(1) main.main\n7 100\n",
	} {
		if err := os.WriteFile(out+"."+file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	phases, err := readPhases(out)
	if err != nil {
		t.Fatal(err)
	}
	cycle := phases[cyclePhase]
	for pkg, want := range map[string]costs{
		"core/internal/node": {33, 1, 2, 1}, "core/internal/index": {7, 0, 0, 0}, "runtime": {1, 0, 0, 0}, "main": {},
	} {
		if cycle[pkg] != want {
			t.Errorf("%s: expected %v, found %v", pkg, want, cycle[pkg])
		}
	}
	if total := phases[askPhase].total().instructions; total != 5 {
		t.Errorf("asks: %d instructions", total)
	}
	if err := os.Remove(out + ".2"); err != nil {
		t.Fatal(err)
	}
	if _, err := readPhases(out); err == nil || !strings.Contains(err.Error(), phaseEnds[askPhase]) {
		t.Errorf("a phase without a file: %v", err)
	}
}

func TestTheCountsInAPageAreReplaced(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(file, []byte("before\n"+countedBegin+"old\n"+countedEnd+"after\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	page, err := replaceCounted(file, "new\n")
	if err != nil || page != "before\n"+countedBegin+"new\n"+countedEnd+"after\n" || countedIn(page) != "new\n" {
		t.Errorf("%q, %v", page, err)
	}
}
