package main

import (
	_ "embed"
	"fmt"
	"os"

	"github.com/kisielk/errcheck/errcheck"
)

// excluded names the functions whose errors need no check. It is part of the program, since what lint keeps of earlier runs holds for
// one build of it.
//
//go:embed errcheck.txt
var excluded string

// exclude has errcheck leave out the functions of the list, which it reads from a file for each package. remove removes that file.
func exclude() (remove func(), err error) {
	file, err := os.CreateTemp("", "errcheck-*.txt")
	if err != nil {
		return nil, fmt.Errorf("writing what errcheck leaves out: %w", err)
	}
	remove = func() { _ = os.Remove(file.Name()) } // in the system's folder for such files
	_, err = file.WriteString(excluded)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = errcheck.Analyzer.Flags.Set("exclude", file.Name())
	}
	if err != nil {
		remove()
		return nil, fmt.Errorf("writing what errcheck leaves out: %w", err)
	}
	return remove, nil
}
