package servecmd

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// recordFlags say how the record of a live scheduler is laid out.
type recordFlags struct {
	segment   string
	snapshots uint64 // batches from one to the next
	verifies  bool   // the view decides everything again
}

func (f *recordFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.segment, "segment-size", "", "the `SIZE` of a segment of the record, from 64KiB to 1GiB (default 64MiB, and 4MiB with --ephemeral)")
	cmd.Flags().Uint64Var(&f.snapshots, "snapshot-batches", 100_000, "write a snapshot after `N` batches, 512 MiB of batches, or ten minutes, whichever comes first")
	cmd.Flags().BoolVar(&f.verifies, "verify-view", false, "decide everything a second time for readers, and stop if any decision differs")
}

// The sizes of segments.
const (
	ephemeralSegment = 4 << 20 // of one that is in memory, unless a flag says otherwise: one is filled, and one is ready
	leastSegment     = 64 << 10
	mostSegment      = 1 << 30
)

// segmentSize is the size of a segment in bytes; 0 is the usual one.
func (f *recordFlags) segmentSize(ephemeral bool) (int64, error) {
	switch {
	case f.segment != "":
		n, err := cli.ParseSize(f.segment)
		if err == nil && (n < leastSegment || n > mostSegment) {
			err = fmt.Errorf("expected 64KiB to 1GiB, found %s", f.segment)
		}
		return n, err
	case ephemeral:
		return ephemeralSegment, nil
	}
	return 0, nil
}

// check refuses settings that cannot be used.
func (f *recordFlags) check(flags *pflag.FlagSet) error {
	if _, err := f.segmentSize(false); err != nil {
		return cli.Wrong(flags, "segment-size", "%w", err)
	}
	if f.snapshots == 0 {
		return cli.Wrong(flags, "snapshot-batches", "expected 1 or more, found 0")
	}
	return nil
}
