package replaycmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/quern-project/quern/core/forecast"
	"github.com/quern-project/quern/host/report/explanation"
)

// explainQuestion are the flags that say what to explain.
type explainQuestion struct {
	ask, app, queue, window, max string
	preempt, limits, place       bool
	when                         bool
	timeLimit                    time.Duration
	user, groups, to, partition  string
	tags                         []string
	set                          func(flag string) bool
}

func (f *explainQuestion) registerQuestion(flags *pflag.FlagSet) {
	f.set = flags.Changed
	flags.StringVar(&f.ask, "ask", "", "the `ID` of the ask to explain")
	flags.BoolVar(&f.preempt, "preempt", false, "with --ask: show which allocations it would preempt, or why it may not")
	flags.BoolVar(&f.when, "when", false, "with --ask: say when it will start")
	flags.DurationVar(&f.timeLimit, "time-limit", forecast.UsualTime, "with --when: play the present forward for a `DURATION` at most")
	flags.StringVar(&f.app, "app", "", "the `ID` of the application to explain")
	flags.StringVar(&f.queue, "queue", "", "the `PATH` of the queue to explain")
	flags.StringVar(&f.window, "window", "", "the `ID` of the window to explain")
	flags.StringVar(&f.max, "max", "", "with --queue: show what it would release if this were its max (`AMOUNTS`: type=amount, joined by commas)")
	flags.BoolVar(&f.limits, "limits", false, "list what users and groups use of their limits")
	flags.BoolVar(&f.place, "place", false, "show in which queue an application would be placed")
	flags.StringVar(&f.user, "user", "", "the `NAME` of the user: for --queue, who submits there; for --limits, whose usage is listed; for --place, who submits the application")
	flags.StringVar(&f.groups, "groups", "", "the groups of the user or, with --limits, the groups to list (`NAMES`, joined by commas)")
	flags.StringVar(&f.to, "to", "", "with --place: the `QUEUE` that the application names")
	flags.StringArrayVar(&f.tags, "tag", nil, "with --place: a tag of the application (`NAME=VALUE`); repeatable")
	flags.StringVar(&f.partition, "partition", "", "with --place: the `NAME` of the partition (default: the first)")
}

// besides are the flags that need another one beside them.
var besides = []struct {
	flag string
	of   []explanation.Kind
}{
	{"preempt", []explanation.Kind{explanation.Ask}},
	{"when", []explanation.Kind{explanation.Ask}},
	{"time-limit", []explanation.Kind{explanation.Ask}},
	{"max", []explanation.Kind{explanation.Queue}},
	{"user", []explanation.Kind{explanation.Queue, explanation.Limits, explanation.Place}},
	{"groups", []explanation.Kind{explanation.Queue, explanation.Limits, explanation.Place}},
	{"to", []explanation.Kind{explanation.Place}},
	{"tag", []explanation.Kind{explanation.Place}},
	{"partition", []explanation.Kind{explanation.Place}},
}

// question is what the flags ask.
func (f *explainQuestion) question() (q explanation.Question, err error) {
	if err := f.about(&q); err != nil {
		return q, err
	}
	for _, b := range besides {
		if set := f.set(b.flag); set && (b.flag != "preempt" || f.preempt) && (b.flag != "when" || f.when) && !slices.Contains(b.of, q.Kind) {
			return q, fmt.Errorf("--%s: expected %s beside it, found --%s", b.flag, orList(b.of), q.Kind)
		}
	}
	if q.Groups, err = explanation.ParseGroups(f.groups); err != nil {
		return q, fmt.Errorf("--groups: %w", err)
	}
	if f.set("user") {
		q.User = &f.user
	}
	switch q.Kind {
	case explanation.Ask:
		err = f.ofAsk(&q)
	case explanation.Queue:
		err = f.ofQueue(&q)
	case explanation.Place:
		err = f.placement(&q)
	}
	return q, err
}

// about finds the one thing that is asked about.
func (f *explainQuestion) about(q *explanation.Question) error {
	asked := 0
	for _, about := range []struct {
		kind explanation.Kind
		name string
		is   bool
	}{
		{explanation.Ask, f.ask, f.ask != ""}, {explanation.App, f.app, f.app != ""}, {explanation.Queue, f.queue, f.queue != ""},
		{explanation.Window, f.window, f.window != ""},
		{explanation.Limits, "", f.limits}, {explanation.Place, "", f.place},
	} {
		if about.is {
			q.Kind, q.Name = about.kind, about.name
			asked++
		}
	}
	if asked != 1 {
		return fmt.Errorf("expected one of --ask, --app, --queue, --window, --limits and --place, found %d", asked)
	}
	return nil
}

// ofAsk asks which allocations the ask would preempt, or when it will start.
func (f *explainQuestion) ofAsk(q *explanation.Question) error {
	switch {
	case f.preempt && f.when:
		return fmt.Errorf("expected one of --preempt and --when beside --ask, found both")
	case f.set("time-limit") && !f.when:
		return fmt.Errorf("--time-limit: expected --when beside it, found none")
	case f.timeLimit <= 0:
		return fmt.Errorf("--time-limit: expected a duration above 0s, found %s", f.timeLimit)
	case f.preempt:
		q.Kind = explanation.Preemption
	case f.when:
		q.Kind = explanation.Forecast
	}
	return nil
}

// ofQueue asks what another max of the queue would take, or what a user may do in it.
func (f *explainQuestion) ofQueue(q *explanation.Question) (err error) {
	switch {
	case f.set("max") && q.User != nil:
		return fmt.Errorf("expected one of --max and --user beside --queue, found both")
	case f.set("groups") && q.User == nil:
		return fmt.Errorf("--groups: expected --user beside --queue, found none")
	case q.User != nil:
		q.Kind = explanation.Access
	case f.set("max"):
		if q.Max, err = explanation.ParseMax(f.max); err != nil {
			return fmt.Errorf("--max: %w", err)
		}
		q.Kind = explanation.Max
	}
	return nil
}

// placement asks where an application would go.
func (f *explainQuestion) placement(q *explanation.Question) error {
	tags, err := explanation.ParseTags(f.tags)
	if err != nil {
		return fmt.Errorf("--tag: %w", err)
	}
	q.App = explanation.Application{Queue: f.to, Partition: f.partition, Tags: tags}
	return nil
}

// orList names the flags of some kinds.
func orList(kinds []explanation.Kind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = "--" + string(k)
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " or " + names[last]
	}
	return names[0]
}
