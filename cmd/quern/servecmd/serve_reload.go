package servecmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/observe/audit"
	"github.com/quern-project/quern/host/observe/logging"
	"github.com/quern-project/quern/host/observe/metrics"
	"github.com/quern-project/quern/host/server"
)

// reload reads the settings of a live scheduler again: those that may change while it runs take effect at once, all of a file or none;
// the others wait for the next start.
type reload struct {
	cmd     *cobra.Command
	fresh   func() *serveFlags // not registered yet
	roles   *auth.Roles        // in force
	service *service
	log     *slog.Logger

	found   bool              // there has been a file
	text    string            // that was read last, or why it could not be
	failed  bool              // what was read last cannot be used
	values  map[string]string // in force, by flag
	waiting []string          // flags whose settings have changed and wait for a restart
}

// unread begins what is no text of a file: it cannot hold the character.
const unread = "\x00"

// newReload reads what of the settings is no flag. Nothing has been started.
func newReload(cmd *cobra.Command, fresh func() *serveFlags) (*reload, error) {
	r := &reload{cmd: cmd, fresh: fresh, values: valuesOf(cmd.Flags()), text: unread}
	text, err := cli.ReadSettings(cli.SettingsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		r.found = true
		r.roles, err = auth.ParseRoles(cli.SettingsFile, text)
	}
	return r, err
}

// valuesOf are the values of flags.
func valuesOf(flags *pflag.FlagSet) map[string]string {
	values := map[string]string{}
	flags.VisitAll(func(f *pflag.Flag) {
		if !cli.CommandLineOnly[f.Name] {
			values[f.Name] = f.Value.String()
		}
	})
	return values
}

// wire has a service read its settings again when their file changes, and on SIGHUP.
func (r *reload) wire(ctx context.Context, v *service, in io.Reader) {
	r.service, r.log = v, v.seen.logs.For(logging.Config)
	v.beside(r.task(ctx, interactive(in)))
	r.read(ctx, false) // the file may have changed since the start read it
}

// read reads the settings, and puts in force what can be. Without a request, only a file that has changed is read.
func (r *reload) read(ctx context.Context, asked bool) {
	text, err := cli.ReadSettings(cli.SettingsFile)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !r.found:
		text, err = nil, nil
	case errors.Is(err, fs.ErrNotExist): // it may be on its way; roles stay meanwhile
		err = fmt.Errorf("%s: the file is missing: to remove all settings, leave an empty file", cli.SettingsFile)
	}
	now := string(text)
	if err != nil {
		now = unread + err.Error()
	}
	if now == r.text && !asked {
		return
	}
	r.found, r.text = r.found || err == nil && text != nil, now
	var changes []audit.Change
	before := r.waiting
	if err == nil {
		changes, err = r.apply(ctx, text)
	}
	mended := r.failed && err == nil
	r.failed = err != nil
	r.tell(err)
	switch {
	case err != nil:
		r.log.Error("the settings are unchanged", "file", cli.SettingsFile, "error", err)
		return
	case len(changes) > 0:
		var names []string
		for _, c := range changes {
			names = append(names, c.Key)
		}
		r.log.Info("settings have changed and have been applied", "file", cli.SettingsFile, "settings", names)
		if log := r.service.security.audit; log != nil {
			log.Changed(&server.Actor{}, cli.SettingsFile, changes)
		}
	case asked || mended:
		r.log.Info("the settings have been read again: no setting has changed", "file", cli.SettingsFile)
	}
	if len(r.waiting) > 0 && (asked || !slices.Equal(before, r.waiting)) {
		r.log.Warn("some changed settings take effect only after a restart", "file", cli.SettingsFile, "settings", r.waiting)
	}
}

// tell tells how the settings stand.
func (r *reload) tell(err error) {
	s := metrics.Settings{File: cli.SettingsFile, Read: time.Now().UTC(), Waiting: append([]string{}, r.waiting...)}
	if err != nil {
		s.Failed = err.Error()
	}
	r.service.seen.metrics.SetSettings(s)
}

// apply puts the settings of a text in force, as far as they may change while the host runs, and returns what has changed. With an error
// nothing has.
func (r *reload) apply(ctx context.Context, text []byte) ([]audit.Change, error) {
	next, flags, roles, err := r.parse(text)
	if err != nil {
		return nil, err
	}
	values := valuesOf(flags)
	var changes []audit.Change
	var waiting []string
	var due []*liveSetting
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if values[name] == r.values[name] {
			continue
		}
		s := liveSettingOf(name)
		if s == nil || s.needs != nil && !s.needs(r.service) {
			waiting = append(waiting, name)
			continue
		}
		changes = append(changes, audit.Change{Key: name, From: r.values[name], To: values[name]})
		if !slices.Contains(due, s) {
			due = append(due, s)
		}
	}
	var put []func()
	for _, s := range due {
		change, err := s.prepare(ctx, r.service, next)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.flags[0], err)
		}
		put = append(put, change)
	}
	for _, change := range put {
		change()
	}
	for _, c := range changes {
		r.values[c.Key] = c.To
	}
	r.waiting = waiting
	return append(changes, r.setRoles(roles)...), nil
}

// parse reads a text of settings as if the host were started with it.
func (r *reload) parse(text []byte) (*serveFlags, *pflag.FlagSet, *auth.Roles, error) {
	next, cmd := r.fresh(), &cobra.Command{Use: r.cmd.Name()}
	next.register(cmd)
	flags := cmd.Flags()
	var all []error
	r.cmd.Flags().Visit(func(f *pflag.Flag) {
		if cli.OnCommandLine(r.cmd.Flags(), f.Name) {
			all = append(all, copyFlag(flags.Lookup(f.Name), f))
		}
	})
	s, err := cli.ParseSettings(cli.SettingsFile, text)
	if err != nil {
		return nil, nil, nil, err
	}
	roles, err := auth.ParseRoles(cli.SettingsFile, text)
	if err = errors.Join(append(all, err, s.RefuseUnknown(r.cmd.Root()), s.Fill(flags))...); err == nil {
		err = next.check(flags)
	}
	return next, flags, roles, err
}

// copyFlag gives a flag the value of another one of its kind.
func copyFlag(to, from *pflag.Flag) error {
	if list, ok := from.Value.(pflag.SliceValue); ok {
		return cli.Replace(to, list.GetSlice())
	}
	to.Changed = true
	return to.Value.Set(from.Value.String())
}

// setRoles puts roles in force where they count, and returns what has changed.
func (r *reload) setRoles(next *auth.Roles) (changes []audit.Change) {
	if r.service.security.auth == nil {
		return nil
	}
	from, to := r.roles.Rows(), next.Rows()
	both := maps.Clone(from)
	maps.Copy(both, to)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		if from[name] != to[name] {
			changes = append(changes, audit.Change{Key: name, From: from[name], To: to[name]})
		}
	}
	r.roles = next
	r.service.security.auth.SetRoles(next)
	return changes
}
