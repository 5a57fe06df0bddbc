package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/core/nearest"
)

// NoArguments refuses arguments. Those of a command that only groups others are the names of unknown commands.
func NoArguments(cmd *cobra.Command, list []string) error {
	switch {
	case len(list) == 0:
		return nil
	case cmd.HasAvailableSubCommands():
		return unknownCommand(cmd, list[0])
	}
	return fmt.Errorf("expected no argument, found %q", list[0])
}

// ExactArguments refuses another number of arguments.
func ExactArguments(n int) cobra.PositionalArgs { return ArgumentsBetween(n, n) }

// SomeArguments refuses an empty list of arguments.
func SomeArguments(cmd *cobra.Command, list []string) error {
	return ArgumentsBetween(1, -1)(cmd, list)
}

// ArgumentsBetween refuses numbers of arguments outside these bounds; a negative most is no bound.
func ArgumentsBetween(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, list []string) error {
		switch {
		case len(list) == 0 && least > 0:
			return fmt.Errorf("expected %s, found none", argumentsOf(cmd))
		case len(list) < least:
			return fmt.Errorf("expected %s, found only %s", argumentsOf(cmd), quoted(list))
		case most >= 0 && len(list) > most:
			return fmt.Errorf("expected %s, found %d arguments: %s", argumentsOf(cmd), len(list), quoted(list))
		}
		return nil
	}
}

func quoted(list []string) string { return fmt.Sprintf("%q", list)[1 : len(fmt.Sprintf("%q", list))-1] }

// argumentsOf returns the arguments of a command as its usage line names them, without flags.
func argumentsOf(cmd *cobra.Command) string {
	var names []string
	words := strings.Fields(cmd.Use)[1:]
	for i, word := range words {
		if afterFlag := i > 0 && strings.HasPrefix(words[i-1], "--"); word != "[flags]" && !strings.HasPrefix(word, "--") && !afterFlag {
			names = append(names, word)
		}
	}
	return strings.Join(names, " ")
}

// unknownCommand names an unknown command, and those that it may have been meant to be.
func unknownCommand(cmd *cobra.Command, name string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if hint := nearest.Hint(nearest.Names(name, names)); hint != "" || !cmd.HasParent() {
		return fmt.Errorf("unknown command %q%s", name, hint)
	}
	return fmt.Errorf("unknown command %q; there are: %s", name, strings.Join(names, ", "))
}

// Strict has the commands that come with the library refuse what they would answer with their help.
func Strict(root *cobra.Command) {
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Args = NoArguments
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
			for _, shell := range c.Commands() {
				shell.Args = NoArguments
			}
		case "help":
			c.Args = helpArguments
		}
	}
}

func helpArguments(cmd *cobra.Command, list []string) error {
	found, rest, err := cmd.Root().Find(list)
	switch {
	case err == nil && len(rest) == 0:
		return nil
	case err == nil:
		return unknownCommand(found, rest[0])
	case len(list) > 0:
		return unknownCommand(cmd.Root(), list[0])
	}
	return errors.New("expected the name of a command")
}

// BlameArguments makes wrong arguments of a command, and of those below it, bad input.
func BlameArguments(c *cobra.Command) {
	if args := c.Args; args != nil {
		c.Args = func(cmd *cobra.Command, list []string) error {
			if err := args(cmd, list); err != nil {
				return Misused(cmd, err)
			}
			return nil
		}
	}
	for _, below := range c.Commands() {
		BlameArguments(below)
	}
}
