package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/safefile"
)

// settingsFile is where settings are read from, in the folder where quern is started.
const settingsFile = "quern.toml"

// loadSettings gives every flag that the command line left open its value from the environment or from a file, if there
// is one. A setting has the name of its flag: `--grace 10s`, `QUERN_GRACE=10s` and the line `grace = "10s"` say the same,
// and the first of them wins. A name that no command has is an error, since it is a misspelt setting.
func loadSettings(cmd *cobra.Command, file string) error {
	v := viper.New()
	v.SetEnvPrefix("QUERN")
	v.SetEnvKeyReplacer(strings.NewReplacer("-", "_"))
	v.AutomaticEnv()
	if err := readSettings(v, file); err != nil {
		return err
	}
	if err := refuseUnknown(v, cmd.Root(), file); err != nil {
		return err
	}
	var all []error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if err := fillFlag(cmd.Flags(), f, v, file); err != nil {
			all = append(all, err)
		}
	})
	return errors.Join(all...)
}

func readSettings(v *viper.Viper, file string) error {
	text, err := safefile.Read(file, config.MostSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := config.CheckTOML(file, text); err != nil {
		return err
	}
	values := map[string]any{}
	if _, err := toml.Decode(string(text), &values); err != nil {
		return withPosition(file, err)
	}
	for _, name := range settingsTables {
		if _, ok := values[name].(map[string]any); ok {
			delete(values, name)
		}
	}
	return v.MergeConfigMap(values)
}

// settingsTables are the tables of the file that are no flags. Who needs one reads it.
var settingsTables = []string{auth.RolesTable}

// withPosition puts the file and the place in front of what the TOML library says.
func withPosition(file string, err error) error {
	var bad toml.ParseError
	if errors.As(err, &bad) {
		return fmt.Errorf("%s:%d:%d: %s", file, bad.Position.Line, bad.Position.Col, bad.Message)
	}
	return fmt.Errorf("%s: %s", file, strings.TrimPrefix(err.Error(), "toml: "))
}

// refuseUnknown refuses names in the file that are no flag of any command.
func refuseUnknown(v *viper.Viper, root *cobra.Command, file string) error {
	names := map[string]bool{}
	var collect func(*cobra.Command)
	collect = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { names[f.Name] = !commandLineOnly[f.Name] })
		for _, sub := range c.Commands() {
			collect(sub)
		}
	}
	collect(root)
	var all []error
	found := v.AllKeys()
	slices.Sort(found)
	for _, key := range found {
		if v.InConfig(key) && !names[key] {
			all = append(all, fmt.Errorf("%s: %s: expected the name of a flag such as grace, found something unknown", file, key))
		}
	}
	return errors.Join(all...)
}

// commandLineOnly are the flags that are no settings.
var commandLineOnly = map[string]bool{"help": true, "version": true}

func fillFlag(flags *pflag.FlagSet, f *pflag.Flag, v *viper.Viper, file string) error {
	if f.Changed || commandLineOnly[f.Name] || !v.IsSet(f.Name) {
		return nil
	}
	if err := flags.Set(f.Name, v.GetString(f.Name)); err != nil {
		return fmt.Errorf("%s: expected a value for --%s, found %q", settingOrigin(f.Name, file), f.Name, v.GetString(f.Name))
	}
	return flags.SetAnnotation(f.Name, asSetting, nil)
}

// asSetting annotates the flags that a setting has given their value.
const asSetting = "setting"

// onCommandLine reports whether the command line itself gives a flag.
func onCommandLine(flags *pflag.FlagSet, name string) bool {
	f := flags.Lookup(name)
	_, setting := f.Annotations[asSetting]
	return f.Changed && !setting
}

// settingOrigin names the source of a setting.
func settingOrigin(name, file string) string {
	variable := "QUERN_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	if os.Getenv(variable) != "" {
		return variable
	}
	return file + ": " + name
}
