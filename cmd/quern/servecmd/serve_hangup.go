package servecmd

import (
	"context"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"golang.org/x/term"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/files/filewatch"
)

// task reads the settings again when their file changes, and on SIGHUP, which ends a host whose terminal is gone.
func (r *reload) task(ctx context.Context, terminal bool) task {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGHUP) // before the host reports that it serves
	var changes <-chan struct{}
	watcher, err := filewatch.New(cli.SettingsFile)
	if err != nil {
		r.log.Warn("the settings file cannot be watched: changes take effect on SIGHUP only", "error", err)
	} else {
		changes = watcher.Changes()
	}
	stop := make(chan struct{})
	end := sync.OnceFunc(func() { close(stop) })
	return task{
		serve: func() error {
			defer signal.Stop(told)
			for {
				select {
				case <-told:
					if terminal {
						return nil
					}
					r.read(ctx, true)
				case _, open := <-changes:
					if !open {
						changes = nil
						continue
					}
					r.read(ctx, false)
				case <-stop:
					return nil
				}
			}
		},
		stop: func() error {
			end()
			if watcher == nil {
				return nil
			}
			return watcher.Close()
		},
	}
}

// interactive reports whether a terminal is read.
func interactive(in io.Reader) bool {
	f, ok := in.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
