package playground

import (
	"fmt"
	"os/exec"
	"runtime"
)

// openers are the commands that open an address in the user's browser, by system; xdg-open on all others.
var openers = map[string][]string{
	"darwin":  {"open"},
	"windows": {"rundll32", "url.dll,FileProtocolHandler"},
}

// Open has the user's browser open an address. The error says that there is no way to, or that it did not work.
func Open(address string) error {
	command := openers[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	path, err := exec.LookPath(command[0])
	if err != nil {
		return fmt.Errorf("no browser was opened: %s was not found on the path", command[0])
	}
	opening := exec.Command(path, append(command[1:], address)...)
	if err := opening.Start(); err != nil {
		return fmt.Errorf("no browser was opened: %w", err)
	}
	go func() { _ = opening.Wait() }() // how it ends is between it and the user
	return nil
}
