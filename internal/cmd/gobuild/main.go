// Command gobuild is go build with a line of progress, since a first build takes minutes:
//
//	go run ./internal/cmd/gobuild [FLAG...] PACKAGE
//
// On a terminal the line counts the packages; elsewhere a line is printed at each quarter.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/cmd/gobuild [FLAG...] PACKAGE")
		os.Exit(2)
	}
	if err := build(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// build runs go build, and shows how many of the packages that are not in the cache it has begun.
func build(args []string) error {
	missing, err := outdated(args)
	if err != nil {
		return err
	}
	compile := exec.Command("go", append([]string{"build", "-v"}, args...)...)
	compile.Stdout = os.Stdout
	lines, err := compile.StderrPipe()
	if err != nil {
		return err
	}
	if err := compile.Start(); err != nil {
		return err
	}
	info, err := os.Stderr.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	show(lines, os.Stderr, "compiling "+path.Base(args[len(args)-1]), missing, terminal)
	if err := compile.Wait(); err != nil {
		return fmt.Errorf("go build %s: %w", strings.Join(args, " "), err)
	}
	return nil
}

// outdated are the packages that a build has to compile.
func outdated(args []string) (map[string]bool, error) {
	list := exec.Command("go", append([]string{"list", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}"}, withoutOutput(args)...)...)
	list.Stderr = os.Stderr // a first build downloads modules, which go says
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	missing := map[string]bool{}
	for name := range strings.FieldsSeq(string(out)) {
		missing[name] = true
	}
	return missing, nil
}

// withoutOutput drops the flag -o and its value, which go list does not have.
func withoutOutput(args []string) (kept []string) {
	for i := 0; i < len(args); i++ {
		if args[i] == "-o" {
			i++
			continue
		}
		kept = append(kept, args[i])
	}
	return kept
}

// few packages are compiled so soon that it needs no lines outside of a terminal.
const few = 20

// show reads what go build -v prints, a package a line, and writes how many of the missing ones it has begun. All else that go
// prints is passed on.
func show(lines io.Reader, to io.Writer, what string, missing map[string]bool, terminal bool) {
	total, begun, quarter := len(missing), 0, 0
	if !terminal && total >= few {
		_, _ = fmt.Fprintf(to, "%s: %d packages\n", what, total) // a line that cannot be written stops no build
	}
	read := bufio.NewReader(lines)
	for {
		line, err := read.ReadBytes('\n')
		name := string(bytes.TrimSpace(line))
		switch {
		case missing[name]:
			begun++
			if terminal {
				_, _ = fmt.Fprintf(to, "\r\033[K%s: %d of %d packages", what, begun, total)
			} else if now := 4 * begun / total; total >= few && now > quarter && now < 4 {
				quarter = now
				_, _ = fmt.Fprintf(to, "%s: %d of %d packages\n", what, begun, total)
			}
		case name != "":
			if terminal && begun > 0 {
				_, _ = fmt.Fprint(to, "\r\033[K")
			}
			_, _ = to.Write(line)
		}
		if err != nil {
			if terminal && begun > 0 {
				_, _ = fmt.Fprint(to, "\r\033[K")
			}
			return
		}
	}
}
