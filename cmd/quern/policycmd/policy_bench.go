package policycmd

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/policy/tool"
)

func newPolicyBench(s cli.Streams) *cobra.Command {
	var asJSON bool
	var box cli.SandboxFlag
	cmd := &cobra.Command{
		Use:   "bench [flags] FILE",
		Short: "Time a policy beside the built-in",
		Long: `Time a policy and the built-in policy that it falls back to, at each point that it serves: with 10, 1,000 and 100,000 rows that
all changed, and with 10,000 rows of which one changed. Also time the steps before the first call. The two run in turns, and
the best turn of each counts.

With --json one object: file, policy, sha256, calls (each: point, rows, changed, builtin, ns_per_item, native_per_item,
ratio, failed), cold_start (each: step, us).`,
		Example: `  quern policy bench biggest.wasm`,
		Args:    cli.ExactArguments(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			subject, err := box.Find(args[0])
			if err != nil {
				return err
			}
			r, err := timed(cmd.Context(), subject)
			if err != nil {
				return err
			}
			return s.Show(asJSON, r.JSON, r.Text)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	box.Register(cmd)
	return cmd
}

func timed(ctx context.Context, subject *tool.Subject) (*tool.Measurement, error) {
	h, err := subject.Open(ctx, nil)
	if err != nil {
		return nil, err
	}
	r, err := tool.Measure(ctx, h)
	return r, errors.Join(err, h.Close(context.WithoutCancel(ctx)))
}
