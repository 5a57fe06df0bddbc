package main

import (
	"log/slog"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/klog/v2"

	"github.com/quern-project/quern/cmd/quern/servecmd"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/observe/logging"
)

// logFlags say how a command logs that is no live scheduler.
type logFlags struct{ format, level string }

func (f *logFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.format, "log-format", logging.Text, "the `FORMAT` of the log: text or json")
	flags.StringVar(&f.level, "log-level", "info", "the lowest `LEVEL` to log: debug, info, warn or error")
}

// open makes the log, also that of the libraries of Kubernetes.
func (f *logFlags) open(cmd *cobra.Command) (*slog.Logger, error) {
	levels, err := logging.ParseLevels(f.level)
	if err != nil {
		return nil, servecmd.BadInput(servecmd.Wrong(cmd.Flags(), "log-level", "%w", err))
	}
	if err := logging.CheckFormat(f.format); err != nil {
		return nil, servecmd.BadInput(servecmd.Wrong(cmd.Flags(), "log-format", "%w", err))
	}
	logs, err := logging.New(cmd.ErrOrStderr(), format.NewJSONWriter(cmd.ErrOrStderr()), f.format, levels)
	if err != nil {
		return nil, err
	}
	log := logs.For(logging.Platform)
	klog.SetSlogLogger(log)
	return log, nil
}
