package checkcmd

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/core/nearest"
	"github.com/quern-project/quern/host/schema"
)

// schemas are those that quern schema prints, by name.
func schemas(root *cobra.Command) map[string]func() *jsonschema.Schema {
	return map[string]func() *jsonschema.Schema{
		"queues": schema.Queues, "journal": schema.Journal, "policy": schema.Module,
		"settings": func() *jsonschema.Schema { return schema.Settings(settingsOf(root)) },
	}
}

// NewSchema makes the command quern schema.
func NewSchema(s cli.Streams) *cobra.Command {
	names := slices.Sorted(maps.Keys(schemas(nil)))
	return &cobra.Command{
		Use:   "schema queues|journal|policy|settings",
		Short: "Print the JSON Schema of a configuration, a journal or a settings file",
		Long: `Print the JSON Schema of a queue configuration (YAML or TOML), of a line of a journal, of the settings of a policy
(NAME.toml), or of quern.toml. Editors use it for completion and checks. A schema accepts everything that quern accepts;
quern validate and quern itself check more.`,
		Example: `  quern schema queues > queues.schema.json
  quern schema settings > quern.schema.json`,
		Args:      cli.ExactArguments(1),
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			build, ok := schemas(cmd.Root())[args[0]]
			if !ok {
				return cli.Usage(fmt.Errorf("expected queues, journal, policy or settings, found %q%s", args[0], nearest.Hint(nearest.Names(args[0], names))))
			}
			return schema.Write(s.Out, build())
		},
	}
}

// settingsOf lists the keys of quern.toml: the flags of all commands, each once, with what the first command says of it.
func settingsOf(root *cobra.Command) []schema.Setting {
	var list []schema.Setting
	var collect func(*cobra.Command)
	collect = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			known := slices.ContainsFunc(list, func(s schema.Setting) bool { return s.Name == f.Name })
			if cli.CommandLineOnly[f.Name] || known {
				return
			}
			_, text := pflag.UnquoteUsage(f)
			list = append(list, schema.Setting{Name: f.Name, Kind: f.Value.Type(), Doc: c.CommandPath() + ": " + text})
		})
		for _, sub := range c.Commands() {
			collect(sub)
		}
	}
	collect(root)
	for _, name := range cli.SettingsTables {
		list = append(list, schema.Setting{Name: name, Doc: "quern serve: the roles of users and groups", Table: true})
	}
	return list
}
