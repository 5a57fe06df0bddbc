package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/core/nearest"
)

// Misused makes an error the caller's, and says where help is.
func Misused(cmd *cobra.Command, err error) error {
	return CodeError{Err: fmt.Errorf("%s: %w", cmd.CommandPath(), flagProblem(cmd, err)), Code: BadInput, Hint: "See " + cmd.CommandPath() + " --help"}
}

// flagProblem says in plain words what the library found wrong with a flag; other errors stay as they are.
func flagProblem(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		syntax  *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &missing):
		return fmt.Errorf("--%s: expected %s, found none", missing.GetFlag().Name, valueOf(missing.GetFlag()))
	case errors.As(err, &invalid):
		return fmt.Errorf("--%s: %w", invalid.GetFlag().Name, invalidValue(invalid))
	case errors.As(err, &syntax):
		return fmt.Errorf("expected a flag such as --help or --flag=value, found %q", syntax.GetSpecifiedFlag())
	}
	return err
}

// unknownFlag proposes the flags that an unknown one may have been meant to be. A single dash before a long name is a usual mistake.
func unknownFlag(cmd *cobra.Command, unknown *pflag.NotExistError) error {
	name, written := unknown.GetSpecifiedName(), "--"+unknown.GetSpecifiedName()
	if letters := unknown.GetSpecifiedShortnames(); letters != "" {
		name, _, _ = strings.Cut(letters, "=")
		written = "-" + name
	}
	search := nearest.For(name)
	cmd.Flags().VisitAll(func(f *pflag.Flag) { search.Add(f.Name) })
	var names []string
	for _, name := range search.Found() {
		names = append(names, "--"+name)
	}
	return fmt.Errorf("unknown flag: %s%s", written, nearest.Hint(names))
}

// invalidValue says what a flag takes; what a flag of our own says about its value stays as it is.
func invalidValue(invalid *pflag.InvalidValueError) error {
	f := invalid.GetFlag()
	if flagKinds[f.Value.Type()] == "" {
		return errors.Unwrap(invalid)
	}
	if outOfRange(f.Value.Type(), invalid.GetValue()) {
		return fmt.Errorf("expected %s that fits in 64 bits, found %q", valueOf(f), invalid.GetValue())
	}
	return fmt.Errorf("expected %s, found %q", valueOf(f), invalid.GetValue())
}

// outOfRange reports whether a value is a number that a flag of that type has no room for. The library does not say.
func outOfRange(kind, value string) bool {
	var err error
	switch kind {
	case "int", "int64":
		_, err = strconv.ParseInt(value, 0, 64)
	case "uint64":
		_, err = strconv.ParseUint(value, 0, 64)
	case "float64":
		_, err = strconv.ParseFloat(value, 64)
	}
	return errors.Is(err, strconv.ErrRange)
}

// flagKinds are the values that flags of the library's types take.
var flagKinds = map[string]string{"bool": "true or false", "int": "a whole number", "int64": "a whole number", "uint64": "a whole number of 0 or more",
	"float64": "a number", "duration": "a duration such as 72h"}

// valueOf says what value a flag takes.
func valueOf(f *pflag.Flag) string {
	if kind := flagKinds[f.Value.Type()]; kind != "" {
		return kind
	}
	if name, _ := pflag.UnquoteUsage(f); name != f.Value.Type() {
		return "a value (" + name + ")"
	}
	return "a value"
}
