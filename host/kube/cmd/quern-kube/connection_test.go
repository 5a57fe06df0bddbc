package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/quern-project/quern/host/server"
)

func TestEveryPodOfAClusterMayHaveAPredicateOfItsOwn(t *testing.T) {
	flags := pflag.NewFlagSet("kube", pflag.ContinueOnError)
	n := flags.Int("max-predicates", server.DefaultPredicates, "")
	(&platform{}).Register(flags)
	if *n < 200_000 || flags.Changed("max-predicates") {
		t.Errorf("%d predicates, expected as many as there may be pods, and the flag to count as unset", *n)
	}
	if err := flags.Parse([]string{"--max-predicates", "7"}); err != nil || *n != 7 {
		t.Errorf("found %d (%v), expected what the flag says", *n, err)
	}
}

func TestMissingPodGroups_RefusesAnotherValue(t *testing.T) {
	for value, refused := range map[string]bool{"wait": false, "ignore": false, "Ignore": true, "": true} {
		flags := pflag.NewFlagSet("kube", pflag.ContinueOnError)
		flags.Int("max-predicates", server.DefaultPredicates, "")
		flags.String("policies", "", "")
		p := &platform{}
		p.Register(flags)
		if err := flags.Parse([]string{"--missing-pod-groups", value}); err != nil {
			t.Fatal(err)
		}
		err := p.Check(flags)
		if said := err != nil && strings.Contains(err.Error(), "--missing-pod-groups") && strings.Contains(err.Error(), "expected wait or ignore"); said != refused || (err != nil) != refused {
			t.Errorf("%q: %v", value, err)
		}
	}
}

// stale is plugins of which all have to be asked again.
type stale chan struct{}

func (s stale) Stale() <-chan struct{}       { return s }
func (s stale) TakeStale() func(string) bool { return func(string) bool { return true } }

// answers is a scheduler that answers with each error in turn, and then ends.
type answers struct {
	errs []error
	end  func()
	n    int
}

func (a *answers) AskAnew(context.Context, func(string) bool, server.Actor) error {
	if a.n++; a.n > len(a.errs) {
		a.end()
		return nil
	}
	return a.errs[a.n-1]
}

func TestPlugins_AskedAgainOnceReachable(t *testing.T) {
	for _, c := range []struct {
		err   error
		fatal bool
	}{
		{server.ErrBusy, false},
		{fmt.Errorf("%w: the disk is full", server.ErrStoreFailed), false},
		{errors.New("another"), true},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		changed := make(stale, 1)
		changed <- struct{}{}
		s := &answers{errs: []error{c.err}, end: cancel}
		err := (&connection{log: slog.New(slog.DiscardHandler)}).askWhen(ctx, changed, s)
		cancel()
		if fatal := err != nil; fatal != c.fatal || !c.fatal && s.n != 2 || c.fatal && !strings.Contains(err.Error(), "another") {
			t.Errorf("%v: after %d calls: %v", c.err, s.n, err)
		}
	}
}
