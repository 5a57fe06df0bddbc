package journalcmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
)

func newJournalSalvage(s cli.Streams) *cobra.Command {
	var inputs bool
	cmd := &cobra.Command{
		Use:   "salvage [flags] DIR",
		Short: "Write all that can be read of a damaged record",
		Long: `Write all that can be read of a record as JSON Lines to standard output, before and behind what is damaged or missing: inputs, decisions,
and who sent them. Where batches are missing there is a line with the key missing, which names the batches, the file and the position;
standard error says the same. The folder stays as it is.

With --inputs, only inputs are written, as a journal that quern replay reads; comments say where batches are missing.`,
		Example: `  quern journal salvage quern-data > salvaged.jsonl
  quern journal salvage --inputs quern-data > inputs.jsonl`,
		Args: cli.ExactArguments(1),
		RunE: func(_ *cobra.Command, args []string) (err error) {
			disk, _, err := viewFolder(s, args[0])
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, disk.Close()) }()
			read := server.Salvage
			if inputs {
				read = server.SalvageInputs
			}
			missing, found, err := read(disk, s.Data())
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return tellSalvaged(s.Err, missing, &found)
		},
	}
	cmd.Flags().BoolVar(&inputs, "inputs", false, "write only inputs, as a journal that quern replay reads")
	return cmd
}

// tellSalvaged prints how many batches were read, and each gap.
func tellSalvaged(w io.Writer, missing []store.Missing, found *store.Salvaged) error {
	var all []error
	for _, m := range missing {
		_, err := fmt.Fprintf(w, "missing: %s\n", m.String())
		all = append(all, err)
	}
	_, err := fmt.Fprintf(w, "batches read: %d, missing: %d; snapshots that can be read: %d\n", found.Batches, found.Missing, len(found.States))
	return errors.Join(append(all, err)...)
}
