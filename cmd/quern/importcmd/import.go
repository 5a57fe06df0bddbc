package importcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/importing"
)

// importFlags are what all formats share.
type importFlags struct {
	out, queues string
	times       string
	skipBad     int
}

// The forms of times.
const (
	timesDurations = "durations"
	timesDates     = "dates"
)

func NewImport(s cli.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Turn a workload that was recorded elsewhere into a journal",
		Long: `Turn a workload that was recorded elsewhere into a journal, which quern replay, explain and playground read.

The journal begins with a queue configuration that is made from the queues that jobs name; --queues writes it to a file instead.
Standard error lists what was imported, and what was left out and why. If a file cannot be used in full, no journal is written.`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newImportCSV(s), newImportSWF(s), newImportKubernetes(s), newImportHistory(s))
	return cmd
}

// register registers them. Times is the usual form of times.
func (f *importFlags) register(cmd *cobra.Command, times string) {
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "out", "o", safefile.Stdout, "write the journal to `FILE`")
	flags.StringVar(&f.queues, "queues", "", "write the queue configuration to `FILE`.yaml, and leave it out of the journal")
	flags.IntVar(&f.skipBad, "skip-bad", 0, "leave out up to `N` rows or objects that cannot be read")
	flags.StringVar(&f.times, "times", times, "write times as `FORM`: durations since the first job, or dates")
	_ = cmd.RegisterFlagCompletionFunc("times", cobra.FixedCompletions([]string{timesDurations, timesDates}, cobra.ShellCompDirectiveNoFileComp))
	for _, name := range []string{"out", "queues"} {
		_ = cmd.MarkFlagFilename(name)
	}
}

// importRun is one import.
type importRun struct {
	*importFlags
	told  io.Writer
	env   stream.Env
	bar   cli.Bar
	files *safefile.Transaction
	sink  *importing.Sink
	idle  bool // a replay of the journal goes on until nothing is left to happen
}

// run makes a journal of what read gives to the sink. The names are those of the files that it reads.
func (f *importFlags) run(ctx context.Context, s cli.Streams, names []string, read func(*importRun) error) error {
	if err := f.check(names); err != nil {
		return err
	}
	files := safefile.NewTransaction(s.Data())
	defer files.Discard()
	r := &importRun{importFlags: f, told: s.Err, env: s.Env(ctx), files: files, bar: cli.NewBarOf(s.Err, "reading", stream.Size(names...))}
	r.env.Opened, r.env.Read = files.Reads, r.bar.Add
	r.sink = importing.NewSink(importing.Options{SkipBad: f.skipBad})
	defer r.sink.Close()
	err := read(r)
	r.bar.Done()
	if err = errors.Join(usageOf(r.sink.Err()), err); err != nil {
		return err
	}
	if err := r.write(ctx); err != nil {
		return err
	}
	if err := r.tell(); err != nil || !r.sink.Empty() {
		return err
	}
	return cli.Usage(errors.New("expected nodes, applications or asks, found none: no journal is written"))
}

// usageOf makes an error the file's, if there is one.
func usageOf(err error) error {
	if err == nil {
		return nil
	}
	return cli.Usage(err)
}

func (f *importFlags) check(names []string) error {
	stdin := 0
	for _, name := range names {
		if name == stream.Stdin {
			stdin++
		}
	}
	switch {
	case stdin > 1:
		return cli.Usage(errors.New("expected - once, found it several times"))
	case f.skipBad < 0:
		return cli.Usage(fmt.Errorf("--skip-bad: expected a number of zero or more, found %d", f.skipBad))
	case f.times != timesDurations && f.times != timesDates:
		return cli.Usage(fmt.Errorf("--times: expected %s or %s, found %q", timesDurations, timesDates, f.times))
	case f.out == "":
		return cli.Usage(errors.New("--out: expected a file, or - for standard output, found nothing"))
	case f.out == safefile.Stdout && f.queues == safefile.Stdout:
		return cli.Usage(errors.New("--out and --queues: expected - for one of them, found it for both"))
	}
	return nil
}

// read reads a file into the sink. What keeps it from being read does not name the file; what is wrong with it, which the sink is told, does.
func (r *importRun) read(name string, into func(in io.Reader, file string) error) error {
	file, err := stream.Open(name, r.env)
	if err != nil {
		return err
	}
	if err := into(file, cli.Shown(name)); err != nil {
		_ = file.Close() // the error is told
		return &stream.Error{Err: fmt.Errorf("%s: %w", cli.Shown(name), err)}
	}
	return file.Close()
}

// write writes the journal, and the configuration where it has a file of its own. Files that would be about nothing stay unchanged.
func (r *importRun) write(ctx context.Context) error {
	config, err := r.sink.Queues.Config()
	if err != nil {
		return cli.Usage(err)
	}
	if config == "" && r.queues != "" {
		return cli.Usage(errors.New("--queues: expected jobs that name queues, found none"))
	}
	layout := importing.Layout{Dates: r.times == timesDates, Idle: r.idle, Config: config}
	if r.queues != "" {
		layout.Config = ""
		file, err := r.files.Create("--queues", r.queues)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(file.Writer(), config); err != nil {
			return err
		}
	}
	file, err := r.files.Create("--out", r.out)
	if err != nil {
		return err
	}
	err = r.sink.Write(&interruptibleWriter{ctx, file.Writer()}, layout)
	if bad := (*importing.Error)(nil); errors.As(err, &bad) {
		return cli.Usage(err)
	}
	if err != nil || r.sink.Empty() {
		return err
	}
	return r.files.Commit()
}

// interruptibleWriter fails once its context has ended.
type interruptibleWriter struct {
	ctx context.Context
	w   io.Writer
}

func (w *interruptibleWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.w.Write(p)
}

// tell tells what was taken, and what was not.
func (r *importRun) tell() error {
	bad, errs := r.sink.Allowed()
	var wrong config.Grouping
	for _, e := range errs {
		wrong.Add(e.Error())
	}
	for _, text := range wrong.Lines() {
		_, _ = fmt.Fprintln(r.told, "left out: "+format.Line(text))
	}
	r.sink.LeftOut(bad, "item", "cannot be read")
	for _, line := range r.sink.Lines() {
		_, _ = fmt.Fprintln(r.told, format.Line(line))
	}
	if r.queues != "" && r.out != safefile.Stdout && !r.sink.Empty() {
		_, _ = fmt.Fprintln(r.told, format.Line("replay it with: quern replay --config "+r.queues+" "+r.out))
	}
	return nil
}

// given are the names that are not empty.
func given(names ...string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "" })
}
