package servecmd

import (
	"github.com/spf13/cobra"

	"github.com/quern-project/quern/host/dashboard"
	"github.com/quern-project/quern/host/playground"
	"github.com/quern-project/quern/wasm/browser/site"
)

// dashboardFlags are those of the dashboard of a live scheduler.
type dashboardFlags struct {
	open    bool
	modules string // a folder
}

func (f *dashboardFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.open, "open", false, "open the dashboard in the browser")
	cmd.Flags().StringVar(&f.modules, "playground-modules", "", "serve modules of the playground that this program was compiled without from `DIR`, as soon as they are there")
	_ = cmd.MarkFlagDirname("playground-modules")
}

// wire has the dashboard served, and opened once it is.
func (f *dashboardFlags) wire(v *service) error {
	d, err := dashboard.New(site.Dashboard(), site.Files(), f.modules)
	if err != nil {
		return err
	}
	v.offer(d.Routes()...)
	if !f.open {
		return nil
	}
	ended := make(chan struct{})
	v.beside(task{
		serve: func() error {
			if err := playground.Open(v.dashboard); err != nil {
				v.log.Warn(err.Error(), "address", v.dashboard)
			}
			<-ended
			return nil
		},
		stop: func() error { close(ended); return nil },
	})
	return nil
}
