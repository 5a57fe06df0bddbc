package journalcmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/policy/live"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
)

func newJournalVerify(s cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "verify DIR",
		Short: "Read a whole record, and check that it is undamaged and that a scheduler can start from it",
		Long: `Read a whole record: every batch, including those that recovery does not need, and every snapshot. Then decide its inputs again, as a
start does. If the record is damaged, if acknowledged batches are missing, or if a start would fail, the exit code is 1, and a line for
each fault names the file and the position.`,
		Example: `  quern journal verify quern-data`,
		Args:    cli.ExactArguments(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			disk, o, err := viewFolder(s, args[0])
			if err != nil {
				return err
			}
			record, found, err := store.Open(disk, o)
			if err != nil {
				return allFaults(args[0], err)
			}
			defer func() { _ = record.Close() }() // it was read
			stat, err := record.Verify()
			if err == nil {
				err = recovers(cmd.Context(), s, args[0], record, &found)
			}
			if err = errors.Join(err, found.Unmarked); err != nil {
				return err
			}
			if found.Torn != nil {
				if err := s.Say("the last batch is incomplete and was never acknowledged: the next start removes it"); err != nil {
					return err
				}
			}
			if stat.End.Batch == 0 && len(stat.Snapshots) == 0 {
				return s.Say("the folder holds no record yet: a start begins with an empty one")
			}
			return s.Say(fmt.Sprintf("undamaged: batches %d to %d, snapshots: %d", stat.First.Batch, stat.End.Batch, len(stat.Snapshots)))
		},
	}
}

// recovers decides a record again as a start does, and returns the error for which that would fail.
func recovers(ctx context.Context, s cli.Streams, folder string, record *store.Log, found *store.Opened) error {
	modules := archived{folder: folder, log: s.Err}
	defer modules.close(ctx)
	p, err := modules.policies(ctx)
	if err == nil {
		err = server.Recovers(record, found, p)
	}
	var missing *live.MissingError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &missing):
		return cli.ModulesError(folder, err)
	}
	return cli.CodeError{Err: fmt.Errorf("%s: a start would fail: %w", folder, err), Code: cli.Failed}
}

// allFaults returns the reason for which a record does not open, and whatever else of it cannot be read.
func allFaults(folder string, opening error) error {
	all := []error{cli.RecordError(folder, opening)}
	disk, _, _, err := store.FolderView(folder)
	if err != nil {
		return errors.Join(append(all, err)...)
	}
	_, err = store.Salvage(disk, func(store.Position, []byte) error { return nil }, func(m store.Missing) error {
		all = append(all, fmt.Errorf("%s: %s", folder, m.String()))
		return nil
	})
	return errors.Join(append(all, err, disk.Close())...)
}
