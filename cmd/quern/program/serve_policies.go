package program

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/policies"
	"github.com/quern-project/quern/host/policy"
)

// servePolicies say which policy modules a live scheduler may ask.
type servePolicies struct {
	policyFlags
	upload bool
}

func (f *servePolicies) register(cmd *cobra.Command) {
	f.registerFolder(cmd)
	cmd.Flag("policies").Usage = "the folder (`DIR`) of policy modules; changes in it take effect while the scheduler runs"
	cmd.Flags().BoolVar(&f.upload, "policy-upload", false, "let administrators write modules to the folder over HTTP")
}

// archiveIn is the folder of the modules that a record in a folder names.
func archiveIn(data string) string { return filepath.Join(data, policy.ArchiveFolder) }

// check refuses what does not go together.
func (f *servePolicies) check(flags *pflag.FlagSet) error {
	if f.upload && f.dir == "" {
		return wrong(flags, "policy-upload", "expected --policies with the folder that modules are written to")
	}
	if _, err := parseSize(f.memory); f.memory != "" && err != nil {
		return wrong(flags, "policy-memory", "%w", err)
	}
	return f.sandbox.check()
}

// open reads the folder of modules. Archive is where those are kept that the record names; empty: nowhere.
func (f *servePolicies) open(ctx context.Context, archive string, log *slog.Logger) (*policies.Service, error) {
	memory, err := f.checkFolders()
	if err != nil {
		return nil, err
	}
	box, err := f.sandbox.open()
	if err != nil {
		return nil, err
	}
	s, err := policies.Open(ctx, policies.Options{Dir: f.dir, Archive: archive, Cache: f.cacheFolder(), Memory: memory, Sandbox: box, Log: log})
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		err = usage(err)
	}
	return s, err
}

// wire has the modules announced at the start, and the folder watched.
func (f *servePolicies) wire(ctx context.Context, v *service, s *policies.Service) {
	ctx, cancel := context.WithCancel(ctx)
	v.first = append(v.first, func(ctx context.Context) error { return s.Begin(ctx, v.live) })
	v.upload.Store(f.upload)
	v.offer(rest.NewPolicies(v.live, s, v.upload.Load).Routes()...)
	v.beside(task{
		serve: func() error { s.Run(ctx); return nil },
		stop:  func() error { cancel(); return nil },
	})
}

// unrecovered says what to do about modules that a record names and that are not there.
func unrecovered(data string, err error) error {
	var missing *policies.MissingError
	if !errors.As(err, &missing) {
		return err
	}
	return codeError{error: fmt.Errorf("%s: %w", data, err), code: failed,
		hint: fmt.Sprintf("The record depends on this module: restore the file as %s from a backup of the folder", filepath.Join(archiveIn(data), missing.Modules[0].SHA256+".wasm"))}
}
