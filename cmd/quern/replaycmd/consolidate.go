package replaycmd

import (
	"errors"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/report/explanation"
)

// consolidateFlags say which ask or gang should fit. Journals, time and server are given as for explain.
type consolidateFlags struct {
	explainFlags
	gang string
}

// NewConsolidate makes the command that proposes moves of allocations.
func NewConsolidate(s cli.Streams) *cobra.Command {
	var f consolidateFlags
	cmd := &cobra.Command{
		Use:   "consolidate [flags] [JOURNAL...] --ask ID | --app ID --gang NAME",
		Short: "Propose moves of allocations that make room for an ask or a gang",
		Long: `Replay journals up to a moment, then propose which allocations to move to other nodes so that a waiting ask fits, or all members
of a gang that is placed as a whole. Only allocations of asks with "movable": true are moved. The fewest moves are proposed, and
of these those of the least amounts. Up to six moves, every possibility is tried; beyond that, the proposal is approximate.

Nothing is moved: whoever owns the allocations stops them and asks for them again. Moves do not help an ask that exceeds a max or a limit.

Without a journal, ask a live scheduler about the present.`,
		Example: `  quern consolidate --config queues.yaml monday.journal --ask train-7
  quern consolidate monday.journal --app train --gang workers --at 9h30m --json
  quern consolidate --ask train-7`,
		RunE: func(cmd *cobra.Command, journals []string) error {
			question, err := f.question()
			if err != nil {
				return cli.Usage(err)
			}
			return f.answer(cmd.Context(), journals, question, s)
		},
	}
	f.WorkloadFlags.Register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.ask, "ask", "", "the `ID` of the ask that waits, or of a member of the gang")
	flags.StringVar(&f.app, "app", "", "with --gang: the `ID` of the application")
	flags.StringVar(&f.gang, "gang", "", "with --app: the `NAME` of the gang that waits")
	f.registerMoment(cmd)
	return cmd
}

// question is what the flags ask.
func (f *consolidateFlags) question() (q explanation.Question, err error) {
	q = explanation.Question{Kind: explanation.Consolidation, Name: f.ask, Gang: f.gang}
	switch {
	case f.ask != "" && f.app == "" && f.gang == "":
	case f.ask == "" && f.app != "" && f.gang != "":
		q.Name = f.app
	default:
		return q, errors.New("expected either --ask, or --app and --gang")
	}
	return q, nil
}

// whereOf are the parameters of the route that answers a question about moves.
func whereOf(q *explanation.Question) url.Values {
	if q.Gang != "" {
		return url.Values{"app": {q.Name}, "gang": {q.Gang}}
	}
	return url.Values{"ask": {q.Name}}
}
