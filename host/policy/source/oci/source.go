package oci

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/opencontainers/go-digest"
	"oras.land/oras-go/v2/registry/remote/auth"

	"github.com/quern-project/quern/host/observe/logging"
	"github.com/quern-project/quern/host/policy/source"
)

// Options say what is pulled.
type Options struct {
	References  []Reference
	Dir         string        // the folder of modules
	Credentials string        // a file as `docker login` writes it; empty: none
	Period      time.Duration // between two looks at tags; 0: a minute
	HTTP        *http.Client  // nil: the default
	Log         *slog.Logger
}

// Source pulls modules.
type Source struct {
	o      Options
	client *auth.Client
	folder *source.Folder
	pulled map[string]pulled // by name of the module
}

// pulled is the content of a module that was pulled.
type pulled struct {
	digest digest.Digest // of the manifest
	module []byte
}

// usualPeriod is between two looks at tags.
const usualPeriod = time.Minute

// pullTimeout bounds the pull of one module.
const pullTimeout = 2 * time.Minute

// New makes a source. The error says that the options cannot be used.
func New(o Options) (*Source, error) {
	if o.Period == 0 {
		o.Period = usualPeriod
	}
	names := map[string]Reference{}
	for _, r := range o.References {
		if other, taken := names[r.Name]; taken {
			return nil, fmt.Errorf("%s and %s: expected different names of modules, found %q for both", other, r, r.Name)
		}
		names[r.Name] = r
	}
	c, err := client(o.Credentials, o.HTTP)
	if err != nil {
		return nil, err
	}
	folder, err := source.Open(o.Dir, "oci")
	if err != nil {
		return nil, err
	}
	return &Source{o: o, client: c, folder: folder, pulled: map[string]pulled{}}, nil
}

// Pull looks at all references once and brings the folder up to date. A module that cannot be pulled stays as it is in the folder; the
// errors name the references.
func (s *Source) Pull(ctx context.Context) error {
	var errs []error
	files := source.Files{}
	for _, r := range s.o.References {
		if err := s.refresh(ctx, r); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", r, err))
		}
		files[r.Name+".wasm"] = s.pulled[r.Name].module // nil where it never was pulled
	}
	return errors.Join(append(errs, s.folder.Sync(files))...)
}

// refresh pulls a module unless it is known and unchanged.
func (s *Source) refresh(ctx context.Context, r Reference) error {
	before, known := s.pulled[r.Name]
	if known && r.fixed() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, pullTimeout)
	defer cancel()
	repo := repository(r, s.client)
	manifest, err := resolve(ctx, r, repo)
	if err != nil || known && manifest.Digest == before.digest {
		return err
	}
	module, err := pull(ctx, repo, manifest)
	if err != nil {
		return err
	}
	s.pulled[r.Name] = pulled{manifest.Digest, module}
	s.o.Log.Info("policy pulled", "policy", r.Name, "reference", r.String(), "manifest", manifest.Digest.String())
	return nil
}

// Run pulls until the context ends. Errors are logged.
func (s *Source) Run(ctx context.Context) {
	again := time.NewTicker(s.o.Period)
	defer again.Stop()
	var trouble logging.Trouble
	for {
		if err := s.Pull(ctx); ctx.Err() == nil {
			trouble.Report(s.o.Log, err, "policies cannot be pulled: those in the folder stay", "policies can be pulled again")
		}
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		}
	}
}
