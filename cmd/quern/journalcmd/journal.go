package journalcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/policy/live"
	"github.com/quern-project/quern/host/policy/registry"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
)

// NewJournal makes the command quern journal and those below it.
func NewJournal(s cli.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "journal",
		Short: "Check, export, salvage and compact the record of a live scheduler",
		Long: `Check, export, salvage and compact the record that quern serve keeps in its data folder. All commands but compact only read, also
while a scheduler has the folder open: they see what it had acknowledged when they began.`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newJournalStat(s), newJournalVerify(s), newJournalExport(s), newJournalSalvage(s), newJournalCompact(s))
	return cmd
}

// withRecord opens the record in a folder for a while. No other process may have it open.
func withRecord(folder string, use func(record *store.Log, found *store.Opened) error) (err error) {
	disk, err := store.OpenFolder(folder, false)
	if err != nil {
		return cli.Usage(err)
	}
	record, found, err := store.Open(disk, store.Options{})
	if err != nil {
		return cli.RecordError(folder, err)
	}
	defer func() { err = errors.Join(err, record.Close()) }()
	return use(record, &found)
}

// readRecord opens the record in a folder for reading, for a while. A scheduler may have it open.
func readRecord(s cli.Streams, folder string, use func(record *store.Log, found *store.Opened) error) (err error) {
	disk, o, err := viewFolder(s, folder)
	if err != nil {
		return err
	}
	record, found, err := store.Open(disk, o)
	if err != nil {
		return cli.RecordError(folder, err)
	}
	defer func() { err = errors.Join(err, record.Close()) }()
	return use(record, &found)
}

// viewFolder opens the files of a folder for reading, and says whether a scheduler has it open.
func viewFolder(s cli.Streams, folder string) (store.Disk, store.Options, error) {
	disk, owner, held, err := store.FolderView(folder)
	if err != nil {
		return nil, store.Options{}, cli.Usage(err)
	}
	if held {
		_, err = fmt.Fprintf(s.Err, "note: process %d has %s open; what it writes from now on is left out\n", owner, folder)
	}
	return disk, store.Options{ReadOnly: true, Live: held}, err
}

func newJournalStat(s cli.Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "stat DIR",
		Short:   "Show how much a record contains",
		Example: `  quern journal stat quern-data`,
		Args:    cli.ExactArguments(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return readRecord(s, args[0], func(record *store.Log, found *store.Opened) error {
				stat, err := record.Stat()
				if err != nil {
					return err
				}
				return showStat(s, stat, found, asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// statObject is what programs read of a record.
type statObject struct {
	First     uint64   `json:"first"` // batch
	Last      uint64   `json:"last"`
	Decisions uint64   `json:"decisions"` // seq of the last one
	From      string   `json:"from,omitempty"`
	To        string   `json:"to,omitempty"`
	Segments  int      `json:"segments"`
	Bytes     int64    `json:"bytes"`
	Reserved  int64    `json:"reserved"`
	Snapshots []uint64 `json:"snapshots"`
	Torn      bool     `json:"torn"` // the last batch was not written whole
}

func showStat(s cli.Streams, stat store.Stat, found *store.Opened, asJSON bool) error {
	o := statObject{First: stat.First.Batch, Last: stat.End.Batch, Decisions: stat.End.Decision, Segments: stat.Segments, Bytes: stat.Bytes,
		Reserved: stat.Reserved, Snapshots: append([]uint64{}, stat.Snapshots...), Torn: found.Torn != nil}
	if stat.First.Batch > 0 {
		o.From, o.To = format.At(time.Duration(stat.First.At), true), format.At(time.Duration(stat.End.At), true)
	}
	object := func(w io.Writer) error { return json.NewEncoder(w).Encode(o) }
	return s.Show(asJSON, object, o.text)
}

func (o *statObject) text(w io.Writer) error {
	if o.First == 0 {
		_, err := fmt.Fprintln(w, "the record is empty")
		return err
	}
	_, err := fmt.Fprintf(w, "batches    %d to %d\nfrom       %s\nto         %s\ndecisions  %d\nsegments   %d, %d bytes used of %d\nsnapshots  %d\n",
		o.First, o.Last, o.From, o.To, o.Decisions, o.Segments, o.Bytes, o.Reserved, len(o.Snapshots))
	return err
}

// archived are the modules that a record names.
type archived struct {
	folder string // of the record
	log    io.Writer
	opened *live.Service // nil: not yet
}

// policies makes what answers for them when the record is decided again.
func (a *archived) policies(ctx context.Context) (p server.Policies, err error) {
	a.opened, err = live.Open(ctx, live.Options{Archive: cli.ModulesOf(a.folder), Log: slog.New(slog.NewTextHandler(a.log, nil))})
	if err != nil {
		return nil, err
	}
	return a.opened.Policies(false), nil
}

func (a *archived) close(ctx context.Context) {
	if a.opened != nil {
		_ = a.opened.Close(context.WithoutCancel(ctx)) // only instances, which end with the process
	}
}

// tellState tells which state an export begins with, where it does not begin with the first input.
func tellState(w io.Writer, x *server.Exported) error {
	if x.Whole {
		return nil
	}
	_, err := fmt.Fprintf(w, "note: the journal begins with the state of %s\n", format.At(x.State, true))
	return err
}

func newJournalExport(s cli.Streams) *cobra.Command {
	var from exportFlags
	cmd := &cobra.Command{
		Use:   "export [flags] DIR",
		Short: "Write a record as a journal that quern replay reads",
		Long: `Write the inputs of a record, and the answers of policies to them, as JSON Lines to standard output. A replay makes the same decisions
as the live scheduler. An export that does not begin with the first input, because of --from or --since or because earlier inputs
have been compacted, begins with the state at that time, and a line on standard error gives the time. Where processes or predicates
decide, whose answers are recorded, that may be somewhat earlier: at the last snapshot, after which the scheduler asked them again.

A replay of a record with policy modules needs the modules: give --policies the data folder, or the folder that --modules wrote.`,
		Example: `  quern journal export quern-data > monday.jsonl
  quern replay monday.jsonl
  quern journal export --modules modules quern-data > monday.jsonl
  quern replay --policies modules monday.jsonl`,
		Args: cli.ExactArguments(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			begin, err := from.begin()
			if err != nil {
				return err
			}
			return readRecord(s, args[0], func(record *store.Log, _ *store.Opened) error {
				modules := archived{folder: args[0], log: s.Err}
				defer modules.close(cmd.Context())
				x, err := server.Export(record, func() (server.Policies, error) { return modules.policies(cmd.Context()) }, begin, s.Data())
				if err != nil {
					return from.explain(cli.ModulesError(args[0], err))
				}
				err = tellState(s.Err, &x)
				if from.modules != "" {
					err = errors.Join(err, registry.CopyArchived(cli.ModulesOf(args[0]), from.modules, x.Modules))
				}
				return err
			})
		},
	}
	from.register(cmd)
	return cmd
}

// exportFlags say what of a record is exported.
type exportFlags struct {
	from, modules string
	since         uint64
}

func (f *exportFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.from, "from", "", "begin with the first input at a `TIME` (RFC 3339) or later")
	cmd.Flags().Uint64Var(&f.since, "since", 0, "begin with the inputs that caused the decision with this number (`SEQ`)")
	cmd.Flags().StringVar(&f.modules, "modules", "", "copy the policy modules that a replay needs to a folder (`DIR`) for its --policies")
	_ = cmd.MarkFlagDirname("modules")
}

func (f *exportFlags) begin() (b server.Begin, err error) {
	if f.from != "" && f.since > 0 {
		return b, cli.Usage(errors.New("expected --from or --since, found both"))
	}
	b.Decision = f.since
	b.Time, err = sinceFlag(f.from)
	return b, err
}

// explain says which flag an error is about.
func (f *exportFlags) explain(err error) error {
	var (
		gone    *server.CompactedError
		unknown *server.UndecidedError
	)
	switch {
	case errors.As(err, &gone):
		return cli.Usage(fmt.Errorf("--since: decision %d has been compacted: %w", f.since, err))
	case errors.As(err, &unknown):
		return cli.Usage(fmt.Errorf("--since: decision %d has not been made yet: %w", f.since, err))
	}
	return err
}

func sinceFlag(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0, cli.Usage(fmt.Errorf("--from: expected a time such as 2026-03-01T09:00:00Z, found %q", text))
	}
	return time.Duration(at.UnixNano()), nil
}

func newJournalCompact(s cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "compact DIR",
		Short: "Write a snapshot of the end of a record, and remove segments that recovery does not need",
		Long: `Write a snapshot of the end of a record, and remove the segments that are older than the snapshot before it. A live scheduler does
this by itself from time to time.`,
		Example: `  quern journal compact quern-data`,
		Args:    cli.ExactArguments(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRecord(args[0], func(record *store.Log, found *store.Opened) error {
				modules := archived{folder: args[0], log: s.Err}
				defer modules.close(cmd.Context())
				policies, err := modules.policies(cmd.Context())
				if err != nil {
					return err
				}
				removed, err := server.Compact(record, found, policies)
				if err != nil {
					return err
				}
				return s.Say(fmt.Sprintf("segments removed: %d", removed))
			})
		},
	}
}
