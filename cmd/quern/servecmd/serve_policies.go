package servecmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/policy/live"
	"github.com/quern-project/quern/host/policy/source/oci"
)

// servePolicies say which policy modules a live scheduler may ask.
type servePolicies struct {
	cli.PolicyFlags
	upload      bool
	references  []string // of modules in registries
	credentials string   // for registries
}

func (f *servePolicies) register(cmd *cobra.Command) {
	f.RegisterFolder(cmd)
	cmd.Flag("policies").Usage = "the folder (`DIR`) of policy modules; changes in it take effect while the scheduler runs"
	cmd.Flags().BoolVar(&f.upload, "policy-upload", false, "let administrators write modules to the folder over HTTP")
	cmd.Flags().StringArrayVar(&f.references, "policy-oci", nil, "pull this module into the folder, and look at its tag every minute: a `REFERENCE` such as oci://REGISTRY/REPOSITORY:TAG, or with @DIGEST; NAME= before it names the module; repeatable")
	cmd.Flags().StringVar(&f.credentials, "policy-oci-credentials", "", "the `FILE` with the credentials for registries, as docker login writes it")
	_ = cmd.MarkFlagFilename("policy-oci-credentials")
}

// check refuses what does not go together.
func (f *servePolicies) check(flags *pflag.FlagSet) error {
	if f.upload && f.Dir == "" {
		return cli.Wrong(flags, "policy-upload", "expected --policies with the folder that modules are written to")
	}
	if len(f.references) > 0 && f.Dir == "" {
		return cli.Wrong(flags, "policy-oci", "expected --policies with the folder that modules are pulled into")
	}
	for _, text := range f.references {
		if _, err := oci.ParseReference(text); err != nil {
			return cli.Wrong(flags, "policy-oci", "%w", err)
		}
	}
	if _, err := cli.ParseSize(f.Memory); f.Memory != "" && err != nil {
		return cli.Wrong(flags, "policy-memory", "%w", err)
	}
	return f.Sandbox.Check()
}

// pull makes what pulls modules, and has it pull them once; nil: there is nothing to pull. What cannot be pulled is logged: the folder may
// have it from a time before.
func (f *servePolicies) pull(ctx context.Context, log *slog.Logger) (*oci.Source, error) {
	if len(f.references) == 0 {
		return nil, nil
	}
	o := oci.Options{Dir: f.Dir, Credentials: f.credentials, Log: log}
	for _, text := range f.references {
		reference, err := oci.ParseReference(text)
		if err != nil {
			return nil, cli.Usage(fmt.Errorf("--policy-oci: %w", err))
		}
		o.References = append(o.References, reference)
	}
	source, err := oci.New(o)
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("--policy-oci: %w", err))
	}
	if err := source.Pull(ctx); err != nil {
		log.Error("policies cannot be pulled: those in the folder are used", "error", err)
	}
	return source, nil
}

// open reads the folder of modules. Archive is where those are kept that the record names; empty: nowhere.
func (f *servePolicies) open(ctx context.Context, archive string, log *slog.Logger) (*live.Service, error) {
	memory, err := f.CheckFolders()
	if err != nil {
		return nil, err
	}
	box, err := f.Sandbox.Open()
	if err != nil {
		return nil, err
	}
	cli.WarnOpen(log, f.Dir, cli.NoWrites, "may put policies in the folder, which this host would run")
	s, err := live.Open(ctx, live.Options{Dir: f.Dir, Archive: archive, Cache: f.CacheFolder(), Memory: memory, Sandbox: box, Log: log})
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		err = cli.Usage(err)
	}
	return s, err
}

// wire has the modules announced at the start, and the folder watched.
func (f *servePolicies) wire(ctx context.Context, v *service, s *live.Service, pulled *oci.Source) {
	ctx, cancel := context.WithCancel(ctx)
	if pulled != nil {
		following, end := context.WithCancel(ctx)
		v.beside(task{
			serve: func() error { pulled.Run(following); return nil },
			stop:  func() error { end(); return nil },
		})
	}
	v.first = append(v.first, func(ctx context.Context) error { return s.Begin(ctx, v.live) })
	v.upload.Store(f.upload)
	v.offer(rest.NewPolicies(v.live, s, v.upload.Load).Routes()...)
	v.beside(task{
		serve: func() error { s.Run(ctx); return nil },
		stop:  func() error { cancel(); return nil },
	})
}
