package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/servecmd"
	"github.com/quern-project/quern/host/kube/recording"
)

// record are the flags of the command record.
type record struct {
	access     access
	log        logFlags
	dir        string
	queues     string
	schedulers []string
	size       int64 // MiB
	time       time.Duration
}

func newRecord() *cobra.Command {
	var r record
	cmd := &cobra.Command{
		Use:   "record [flags]",
		Short: "Record the history of a cluster, whoever schedules it",
		Long: `Record the history of a cluster: its nodes, its pods, and where its schedulers put them. It only reads, and runs until it is interrupted.

A history is a journal, in parts of one hour each by default. quern import history makes a workload of it, which quern replay compares with other
configurations, and which the playground opens.`,
		Example: `  quern kube record --out histories
  quern import history -o workload.journal histories/history-*.journal`,
		Args: servecmd.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.run(cmd) },
	}
	flags := cmd.Flags()
	r.access.register(flags)
	r.log.register(flags)
	flags.StringVar(&r.dir, "out", ".", "write the parts into this folder (`DIR`), as history-TIME.journal")
	flags.StringVar(&r.queues, "config", "", "begin each part with this queue configuration (`FILE`.yaml); default: queues by namespaces and labels")
	flags.StringSliceVar(&r.schedulers, "scheduler-name", nil, "record the pods that have this `NAME` in spec.schedulerName, and count the others as occupied; repeatable (default: all pods)")
	flags.Int64Var(&r.size, "part-size", 256, "begin another part after `N` MiB; 0: never")
	flags.DurationVar(&r.time, "part-time", time.Hour, "begin another part after this `DURATION`; 0s: never")
	_ = cmd.MarkFlagDirname("out")
	_ = cmd.MarkFlagFilename("config", "yaml", "yml")
	return cmd
}

func (r *record) run(cmd *cobra.Command) error {
	if r.size < 0 {
		return servecmd.BadInput(servecmd.Wrong(cmd.Flags(), "part-size", "expected 0 or more, found %d", r.size))
	}
	if r.time < 0 {
		return servecmd.BadInput(servecmd.Wrong(cmd.Flags(), "part-time", "expected 0s or more, found %v", r.time))
	}
	config, err := r.access.load()
	if err != nil {
		return err
	}
	log, err := r.log.open(cmd)
	if err != nil {
		return err
	}
	o := recording.Options{Cluster: config, Create: r.create, Schedulers: r.schedulers, MostBytes: r.size << 20, MostTime: r.time, Log: log}
	if r.queues != "" {
		text, err := os.ReadFile(r.queues)
		if err != nil {
			return servecmd.BadInput(fmt.Errorf("--config: %w", err))
		}
		o.Queues = string(text)
	}
	recorder, err := recording.New(o)
	if err != nil {
		return servecmd.BadInput(err)
	}
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1) // a recorder has little to do, and threads that wake one another cost more than that
	}
	return recorder.Run(cmd.Context())
}

// create makes the file of a part, and no file that is there.
func (r *record) create(began time.Time) (io.WriteCloser, error) {
	name := filepath.Join(r.dir, "history-"+began.UTC().Format("20060102T150405.000Z")+".journal")
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}
