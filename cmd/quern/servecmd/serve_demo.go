package servecmd

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/demo"
	"github.com/quern-project/quern/host/server"
)

// serveDemo are the flags of a live scheduler with a simulated cluster.
type serveDemo struct {
	on    bool
	speed float64
}

// demoData is where its record is kept, unless a flag says so.
const demoData = "quern-demo-data"

// mostSpeed is the fastest time lapse. A day takes a minute and a half.
const mostSpeed = 1000

func (f *serveDemo) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.on, "demo", false, "run a demo: a simulated cluster and workload in time lapse, with its own record in "+demoData)
	cmd.Flags().Float64Var(&f.speed, "demo-speed", 60, fmt.Sprintf("with --demo: how many times faster than real time, `N` from 1 to %d", mostSpeed))
}

// check refuses what does not go with it, and gives its record a folder of its own.
func (f *serveDemo) check(flags *pflag.FlagSet, serve *serveFlags) error {
	switch {
	case !f.on && flags.Changed("demo-speed"):
		return cli.Wrong(flags, "demo-speed", "expected --demo beside it, found none")
	case !f.on:
		return nil
	case math.IsNaN(f.speed) || f.speed < 1 || f.speed > mostSpeed:
		return cli.Wrong(flags, "demo-speed", "expected a number from 1 to %d, found %v", mostSpeed, f.speed)
	case serve.config.file != "":
		return cli.Wrong(flags, "demo", "expected --demo or --config, found both: the demo has its own configuration")
	}
	if !flags.Changed("data") {
		serve.data = demoData
	}
	return nil
}

// clock is the clock of the scheduler whose record ends at a position.
func (f *serveDemo) clock(record server.Record) server.Clock {
	if !f.on {
		return server.NewSystemClock(time.Duration(record.End().At))
	}
	return demo.NewClock(time.Duration(record.End().At), f.speed)
}

// lapse is the time lapse of a clock; nil: it is the machine's.
func (f *serveDemo) lapse(clock server.Clock) *demo.Clock {
	lapse, _ := clock.(*demo.Clock)
	return lapse
}

// wire has the simulated cluster run beside the loop. Whoever sits at a terminal is told where to look at it.
func (f *serveDemo) wire(v *service, clock server.Clock, folder string, screen io.Writer) error {
	lapse, ok := clock.(*demo.Clock)
	if !ok {
		return nil
	}
	d, err := demo.New(v.live, lapse)
	if errors.Is(err, demo.ErrForeign) {
		return cli.Usage(fmt.Errorf("--data: %s: expected an empty folder, or the record of a demo: %w", folder, err))
	}
	if err != nil {
		return err
	}
	v.beside(task{stop: d.Stop, serve: func() error {
		v.log.Warn("this is a demo: the cluster and its workload are simulated, in time lapse", "speed", f.speed, "dashboard", v.dashboard)
		if cli.Terminal(screen) {
			if _, err := fmt.Fprintf(screen, "\n  The dashboard is at %s.\n\n", v.dashboard); err != nil {
				return err
			}
		}
		return d.Serve()
	}})
	return nil
}
