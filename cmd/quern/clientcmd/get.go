package clientcmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/listing"
	"github.com/quern-project/quern/host/remote"
)

// kinds are what can be listed, by what a user may call them.
var kinds = map[string]remote.Kind{
	"queues": remote.Queues, "queue": remote.Queues, "apps": remote.Apps, "app": remote.Apps,
	"nodes": remote.Nodes, "node": remote.Nodes, "asks": remote.Asks, "ask": remote.Asks,
	"gangs": remote.Gangs, "gang": remote.Gangs, "windows": remote.Windows, "window": remote.Windows, "policies": remote.Policies, "policy": remote.Policies,
}

// kindFilters are the fields that select things of a kind.
var kindFilters = map[remote.Kind][]string{
	remote.Queues: {"state"}, remote.Apps: {"node", "queue", "state", "user"}, remote.Nodes: {"partition", "state"}, remote.Asks: {"app", "gang", "node", "queue", "state", "user"},
	remote.Gangs: {"app", "queue", "state", "user"}, remote.Windows: {"partition"},
}

type getFlags struct {
	HostFlags
	output  string
	watch   bool
	limit   int
	filters map[string]*string
	// of decisions
	from uint64
	last int
}

func NewGet(s cli.Streams) *cobra.Command {
	f := getFlags{filters: map[string]*string{}}
	cmd := &cobra.Command{
		Use:   "get queues|apps|nodes|asks|gangs|windows|policies|decisions [NAME]",
		Short: "List queues, applications, nodes, asks, gangs, windows, policies or decisions of a live scheduler",
		Long: `List the queues, applications, nodes, asks, atomic gangs, windows or policy modules of a live scheduler, or its last decisions, or show one of them by
name. The name of a gang is APP/GANG.
With --watch, continue with changes until Ctrl-C.`,
		Example: `  quern get queues
  quern get asks --queue root.research.vision --state pending
  quern get node cpu-01 -o yaml
  quern get gangs --state broken
  quern get decisions --type preemption --watch`,
		Args:              cli.ArgumentsBetween(1, 2),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, args, s)
		},
	}
	f.Register(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", string(listing.Table), "the `FORMAT` of the output: "+strings.Join(listing.Outputs, ", "))
	flags.BoolVar(&f.watch, "watch", false, "continue with changes until Ctrl-C")
	flags.IntVar(&f.limit, "limit", 0, "at most `N`; 0: all, or the last 20 decisions")
	for name, usage := range map[string]string{
		"queue": "only objects in the queue with this `PATH` or below it", "app": "only objects of the application with this `ID`", "node": "only objects on the node with this `ID`",
		"state": "only objects in this `STATE`", "partition": "only nodes and windows of the partition with this `NAME`", "user": "only objects of the user with this `NAME`", "gang": "only asks of the atomic gang with this `ID`", "type": "only decisions of this `TYPE`", "id": "only decisions about this `ID`",
	} {
		f.filters[name] = flags.String(name, "", usage)
	}
	flags.Uint64Var(&f.from, "from", 0, "begin with the decision that has this number (`SEQ`)")
	flags.IntVar(&f.last, "last", 0, "begin with the last `N` decisions, at most 1000")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(listing.Outputs, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("queue", f.completeNames(remote.Queues))
	_ = cmd.RegisterFlagCompletionFunc("app", f.completeNames(remote.Apps))
	_ = cmd.RegisterFlagCompletionFunc("node", f.completeNames(remote.Nodes))
	_ = cmd.RegisterFlagCompletionFunc("state", cobra.FixedCompletions([]string{"pending", "allocated", "leaving", "waiting", "accumulating", "whole", "broken", "single"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (f *getFlags) run(cmd *cobra.Command, args []string, s cli.Streams) error {
	if !slices.Contains(listing.Outputs, f.output) {
		return cli.Misused(cmd, fmt.Errorf("--output: expected one of %s, found %q", strings.Join(listing.Outputs, ", "), f.output))
	}
	if f.limit < 0 || f.last < 0 || f.last > mostLast {
		return cli.Misused(cmd, fmt.Errorf("expected --limit from 0 and --last from 0 to %d, found %d and %d", mostLast, f.limit, f.last))
	}
	kind, known := kinds[args[0]]
	switch {
	case args[0] == "decisions" && len(args) == 1:
		return f.decisions(cmd, s)
	case args[0] == "decisions":
		return cli.Misused(cmd, fmt.Errorf("expected no name with decisions, found %q: use --id or --from", args[1]))
	case !known:
		return cli.Misused(cmd, fmt.Errorf("expected one of queues, apps, nodes, asks, gangs, windows, policies and decisions, found %q", args[0]))
	}
	filter, err := f.filter(cmd, kindFilters[kind], "output", "watch", "limit")
	if err != nil {
		return err
	}
	if len(args) == 2 && (len(filter) > 0 || f.limit > 0) {
		return cli.Misused(cmd, fmt.Errorf("expected either a name or flags that select, found both"))
	}
	host, err := f.Dial()
	if err != nil {
		return err
	}
	g := getter{host: host, kind: kind, filter: filter, limit: f.limit, output: listing.Output(f.output), s: s}
	if len(args) == 2 {
		g.name = args[1]
	}
	if f.watch {
		return HostError(g.watch(cmd.Context()))
	}
	return HostError(g.once(cmd.Context()))
}

// filter is what flags select by. Flags that do not belong to the kind are refused.
func (f *getFlags) filter(cmd *cobra.Command, belong []string, others ...string) (map[string]string, error) {
	filter := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(f.filters)) {
		if *f.filters[name] == "" {
			continue
		}
		if !slices.Contains(belong, name) {
			return nil, cli.Misused(cmd, fmt.Errorf("--%s: this list cannot be filtered by it%s", name, flagList(belong)))
		}
		filter[name] = *f.filters[name]
	}
	for _, name := range []string{"from", "last"} {
		if cmd.Flags().Changed(name) && !slices.Contains(others, name) {
			return nil, cli.Misused(cmd, fmt.Errorf("--%s: only decisions take this flag", name))
		}
	}
	return filter, nil
}

// flagList names flags in brackets; of none it is empty.
func flagList(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " (--" + strings.Join(names, ", --") + ")"
}

// getter lists things of a kind, or shows one.
type getter struct {
	host   remote.Host
	kind   remote.Kind
	name   string // empty: a list
	filter map[string]string
	limit  int
	output listing.Output
	s      cli.Streams
}

func (g *getter) read(ctx context.Context) ([]json.RawMessage, error) {
	if g.name == "" {
		return g.host.List(ctx, g.kind, g.filter, g.limit)
	}
	object, err := g.host.One(ctx, g.kind, g.name)
	return []json.RawMessage{object}, err
}

func (g *getter) once(ctx context.Context) error {
	items, err := g.read(ctx)
	if err != nil {
		return err
	}
	return g.show(items)
}

// show writes things; one that was named is an object of its own for programs.
func (g *getter) show(items []json.RawMessage) error {
	asJSON := g.output == listing.JSON
	write := func(w io.Writer) error {
		if g.name != "" && (asJSON || g.output == listing.YAML) {
			return listing.Object(w, g.output, items[0])
		}
		l := listing.List{Kind: g.kind, Items: items, Heading: dimmed(g.s.Out)}
		return l.Write(w, g.output)
	}
	if len(items) == 0 && (g.output == listing.Table || g.output == listing.Wide) {
		_, err := fmt.Fprintf(g.s.Err, "There are no %s%s.\n", g.kind, selected(g.filter))
		return err
	}
	return g.s.Show(asJSON, write, write)
}

// selected says that a list was of some things only.
func selected(filter map[string]string) string {
	if len(filter) == 0 {
		return ""
	}
	return " that match"
}

// dimmed is how headings are coloured; nil: they are not.
func dimmed(w io.Writer) func(string) string {
	if !cli.Colored(w) {
		return nil
	}
	return func(line string) string { return "\x1b[2m" + line + "\x1b[0m" }
}

// lineOf is a decision as a line of an output, folded to the width of a terminal; as YAML it is a document.
func lineOf(s cli.Streams, o listing.Output, object json.RawMessage) (string, error) {
	switch o {
	case listing.JSON:
		return string(object), nil
	case listing.YAML:
		var text strings.Builder
		text.WriteString("---\n")
		err := listing.Object(&text, o, object)
		return strings.TrimSuffix(text.String(), "\n"), err
	case listing.Name:
		return listing.DecisionName(object)
	}
	return listing.Decision(object, cli.Columns(s.Out))
}

// linesTo is where lines of an output go.
func linesTo(s cli.Streams, o listing.Output) *format.Writer {
	if o == listing.JSON {
		return format.NewJSONWriter(s.Out)
	}
	return s.Text()
}
