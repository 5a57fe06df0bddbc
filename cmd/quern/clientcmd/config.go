package clientcmd

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/remote"
)

func NewConfig(s cli.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Read and change the queue configuration of a live scheduler",
		Long: `Read and change the queue configuration of a live scheduler: check a file, apply it, and return to an earlier configuration.
To check a file without a live scheduler, use quern validate.`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newConfigGet(s), newConfigDiff(s), newConfigApply(s), newConfigHistory(s), newConfigRollback(s), newConfigValidate(s))
	return cmd
}

func newConfigGet(s cli.Streams) *cobra.Command {
	var f HostFlags
	cmd := &cobra.Command{
		Use:     "get [NUMBER]",
		Short:   "Print the current configuration, or one from the history",
		Example: `  quern config get > queues.yaml`,
		Args:    cli.ArgumentsBetween(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := numberOf(cmd, args)
			if err != nil {
				return err
			}
			host, err := f.Dial()
			if err != nil {
				return err
			}
			c, err := host.Config(cmd.Context(), number)
			if err != nil {
				return HostError(err)
			}
			w := s.Out
			if cli.Terminal(s.Out) {
				w = s.Text()
			}
			_, err = w.Write(c.Text)
			return err
		},
	}
	f.Register(cmd)
	return cmd
}

// numberOf reads the number of a configuration; none is 0.
func numberOf(cmd *cobra.Command, args []string) (uint64, error) {
	if len(args) == 0 {
		return 0, nil
	}
	n, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil || n == 0 {
		return 0, cli.Misused(cmd, fmt.Errorf("expected a number from quern config history, found %q", args[0]))
	}
	return n, nil
}

// withFile makes a command that does something with a configuration from a file.
func withFile(cmd *cobra.Command, f *HostFlags, s cli.Streams, do func(cmd *cobra.Command, host remote.Host, c *remote.Config, name string) error) *cobra.Command {
	cmd.Args = cli.ExactArguments(1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, name, err := readConfigFile(cmd, args[0], s)
		if err != nil {
			return err
		}
		host, err := f.Dial()
		if err != nil {
			return err
		}
		return configError(s, do(cmd, host, c, name), name)
	}
	f.Register(cmd)
	return cmd
}

// readConfigFile reads a configuration, and how it is called in messages.
func readConfigFile(cmd *cobra.Command, name string, s cli.Streams) (c *remote.Config, shown string, err error) {
	if shown = name; name == stream.Stdin {
		shown = "stdin"
	}
	c = &remote.Config{Format: stream.FormatOf(name)}
	if c.Text, err = stream.Text(name, s.Env(cmd.Context())); err != nil {
		return nil, shown, cli.Usage(err)
	}
	return c, shown, nil
}

// configError tells all that is wrong with a configuration, a line each, after the warnings about it.
func configError(s cli.Streams, err error, name string) error {
	var p *remote.Problem
	if !errors.As(err, &p) || len(p.Errors) == 0 {
		if errors.As(err, &p) && p.Status == http.StatusPreconditionFailed {
			return cli.CodeError{Err: p, Code: cli.Failed, Hint: "The configuration has changed in the meantime: print it with quern config get, and apply your change to that"}
		}
		return HostError(err)
	}
	all := []error{warn(s, name, p.Warnings)}
	for _, e := range p.Errors {
		place := name
		if e.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d", name, e.Line, e.Column)
		}
		parts := slices.DeleteFunc([]string{place, e.Queue, e.Key, e.Message}, func(part string) bool { return part == "" })
		all = append(all, cli.Usage(errors.New(strings.Join(parts, ": "))))
	}
	return errors.Join(all...)
}

func newConfigValidate(s cli.Streams) *cobra.Command {
	var f HostFlags
	return withFile(&cobra.Command{
		Use:   "validate FILE|-",
		Short: "Check whether a live scheduler would accept a configuration",
		Long:  `Check whether a live scheduler would accept a configuration, with its policies and its running applications. Nothing is changed.`,
	}, &f, s, func(cmd *cobra.Command, host remote.Host, c *remote.Config, name string) error {
		made, err := host.ValidateConfig(cmd.Context(), c)
		if err != nil {
			return err
		}
		return errors.Join(warn(s, name, made.Warnings), s.Say(name+": valid"))
	})
}

// hostsName is how warnings of a host call a configuration that it was sent.
const hostsName = "config:"

// warn prints the warnings about the configuration in a file.
func warn(s cli.Streams, name string, warnings []string) error {
	for _, text := range config.Grouped(warnings) {
		if place, ok := strings.CutPrefix(text, hostsName); ok {
			text = name + ":" + place
		}
		if _, err := fmt.Fprintf(s.Err, "warning: %s\n", format.Line(text)); err != nil {
			return err
		}
	}
	return nil
}

func newConfigDiff(s cli.Streams) *cobra.Command {
	var f HostFlags
	return withFile(&cobra.Command{
		Use:   "diff FILE|-",
		Short: "Show what a configuration would change",
		Long:  `Show what applying a configuration would change: queues that are added (+) or removed (-), and keys whose values change (~). Nothing is changed.`,
	}, &f, s, func(cmd *cobra.Command, host remote.Host, c *remote.Config, name string) error {
		made, err := host.TryConfig(cmd.Context(), c)
		if err != nil {
			return err
		}
		return errors.Join(warn(s, name, made.Warnings), showDifferences(s, made))
	})
}

// signs are how kinds of differences are marked.
var signs = map[string]string{"added": "+", "removed": "-", "changed": "~"}

func showDifferences(s cli.Streams, made *remote.Change) error {
	if len(made.Differences) == 0 {
		return s.Say("nothing would change")
	}
	for _, d := range made.Differences {
		line := signs[d.Change]
		for _, part := range []string{d.Queue, d.Key} {
			if part != "" {
				line += " " + part
			}
		}
		switch {
		case d.From != "" && d.To != "":
			line += ": " + d.From + " -> " + d.To
		case d.From != "" || d.To != "":
			line += ": " + d.From + d.To
		}
		if err := s.Say(line); err != nil {
			return err
		}
	}
	return nil
}

func newConfigApply(s cli.Streams) *cobra.Command {
	var f HostFlags
	var number uint64
	cmd := withFile(&cobra.Command{
		Use:   "apply FILE|-",
		Short: "Apply a configuration",
		Long: `Apply a configuration, and print what changed. If another configuration is applied at the same time, that one stays and this one
changes nothing. With --expect, the configuration is applied only if the current one still has that number.`,
		Example: `  quern config diff queues.yaml && quern config apply queues.yaml`,
	}, &f, s, func(cmd *cobra.Command, host remote.Host, c *remote.Config, name string) error {
		return putInForce(cmd, host, c, number, name, s)
	})
	cmd.Flags().Uint64Var(&number, "expect", 0, "the `NUMBER` that the current configuration must have in the history")
	return cmd
}

// putInForce puts a configuration in force in the place of the present one.
func putInForce(cmd *cobra.Command, host remote.Host, c *remote.Config, expected uint64, name string, s cli.Streams) error {
	now, err := host.Config(cmd.Context(), 0)
	if err != nil {
		return err
	}
	if expected != 0 && now.Number != expected {
		return cli.CodeError{Err: fmt.Errorf("expected configuration %d to be the current one, found %d", expected, now.Number), Code: cli.Failed, Hint: "See quern config history"}
	}
	tried, err := host.TryConfig(cmd.Context(), c)
	if err != nil {
		return err
	}
	if len(tried.Differences) > 0 {
		if err := showDifferences(s, tried); err != nil {
			return err
		}
	}
	c.Tag = now.Tag
	made, err := host.SetConfig(cmd.Context(), c, rand.Text())
	if err != nil {
		return err
	}
	return errors.Join(warn(s, name, made.Warnings), s.Say(fmt.Sprintf("configuration %d is in force", made.Number)))
}

func newConfigRollback(s cli.Streams) *cobra.Command {
	var f HostFlags
	cmd := &cobra.Command{
		Use:     "rollback [NUMBER]",
		Short:   "Apply a configuration from the history again",
		Long:    `Apply a configuration from the history again: the one with the number, or the one before the current one. It becomes the newest in the history.`,
		Example: `  quern config rollback 3`,
		Args:    cli.ArgumentsBetween(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := numberOf(cmd, args)
			if err != nil {
				return err
			}
			host, err := f.Dial()
			if err != nil {
				return err
			}
			if number == 0 {
				if number, err = previous(cmd, host); err != nil {
					return HostError(err)
				}
			}
			c, err := host.Config(cmd.Context(), number)
			if err != nil {
				return HostError(err)
			}
			name := fmt.Sprintf("configuration %d", number)
			return configError(s, putInForce(cmd, host, c, 0, name, s), name)
		},
	}
	f.Register(cmd)
	return cmd
}

// previous is the number of the configuration before the present one.
func previous(cmd *cobra.Command, host remote.Host) (uint64, error) {
	list, err := host.ConfigHistory(cmd.Context())
	if err != nil {
		return 0, err
	}
	if len(list) < 2 {
		return 0, cli.CodeError{Err: errors.New("there is no configuration before the current one"), Code: cli.Failed, Hint: "See quern config history"}
	}
	return list[1].Number, nil
}

func newConfigHistory(s cli.Streams) *cobra.Command {
	var f HostFlags
	cmd := &cobra.Command{
		Use:     "history",
		Short:   "List the configurations that have been applied, the current one first",
		Example: `  quern config history`,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			host, err := f.Dial()
			if err != nil {
				return err
			}
			list, err := host.ConfigHistory(cmd.Context())
			if err != nil {
				return HostError(err)
			}
			return showHistory(s, list)
		},
	}
	f.Register(cmd)
	return cmd
}

func showHistory(s cli.Streams, list []remote.PastConfig) error {
	if len(list) == 0 {
		return s.Say("no configuration has been applied yet")
	}
	t := format.Table{Heading: dimmed(s.Out)}
	t.Add("number", "at", "by", "source", "file", "bytes")
	for _, c := range list {
		t.Add(strconv.FormatUint(c.Number, 10), c.At, c.By, c.Source, c.File, format.Grouped(c.Bytes))
	}
	w := s.Text()
	t.Write(w, func(i int) bool { return i == 0 || i == 5 })
	return w.Flush()
}
