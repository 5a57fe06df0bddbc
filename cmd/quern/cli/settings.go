package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/nearest"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/files/safefile"
)

// SettingsFile is where settings are read from, in the folder where quern is started.
const SettingsFile = "quern.toml"

// LoadSettings gives every flag that the command line left open its value from the environment or from a file, if there
// is one. A setting has the name of its flag: `--grace 10s`, `QUERN_GRACE=10s` and the line `grace = "10s"` say the same,
// and the first of them wins. A name that no command has is an error, since it is a misspelt setting.
func LoadSettings(cmd *cobra.Command, file string) error {
	text, err := ReadSettings(file)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = nil, nil
	}
	if err != nil {
		return err
	}
	s, err := ParseSettings(file, text)
	if err != nil {
		return err
	}
	return errors.Join(s.RefuseUnknown(cmd.Root()), s.Fill(cmd.Flags()))
}

// ReadSettings reads the text of a file of settings.
func ReadSettings(file string) ([]byte, error) { return safefile.Read(file, config.MostSettings) }

// settings are what a file and the environment say.
type settings struct {
	file   string
	lines  map[string]int // of the names in the file
	values *viper.Viper
}

// ParseSettings reads settings from the text of a file, and from the environment.
func ParseSettings(file string, text []byte) (*settings, error) {
	s := &settings{file: file, lines: map[string]int{}, values: viper.New()}
	s.values.SetEnvPrefix("QUERN")
	s.values.SetEnvKeyReplacer(strings.NewReplacer("-", "_"))
	s.values.AutomaticEnv()
	if err := config.CheckTOML(file, text, settingsNames{}); err != nil {
		return nil, err
	}
	values := map[string]any{}
	if _, err := config.DecodeTOML(file, text, &values); err != nil {
		return nil, err
	}
	for name, line := range config.TOMLLines(text) {
		s.lines[strings.ToLower(name)] = line // as viper has it
	}
	for _, name := range SettingsTables {
		if _, ok := values[name].(map[string]any); ok {
			delete(values, name)
		}
	}
	return s, s.values.MergeConfigMap(values)
}

// settingsNames has the names of a file of settings, which differ by more than case: viper merges others. Those of users and groups, which
// have roles, are data.
type settingsNames struct {
	Roles struct {
		Users  map[string]any `toml:"users"`
		Groups map[string]any `toml:"groups"`
	} `toml:"roles"`
}

// SettingsTables are the tables of the file that are no flags. Who needs one reads it.
var SettingsTables = []string{auth.RolesTable}

// place is where the file has a setting.
func (s *settings) place(name string) string {
	return fmt.Sprintf("%s:%d: %s", s.file, s.lines[name], name)
}

// origin names the source of a setting.
func (s *settings) origin(name string) string {
	variable := "QUERN_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	if os.Getenv(variable) != "" {
		return variable
	}
	return s.place(name)
}

// RefuseUnknown refuses names in the file that are no flag of any command.
func (s *settings) RefuseUnknown(root *cobra.Command) error {
	names := map[string]bool{}
	var collect func(*cobra.Command)
	collect = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { names[f.Name] = !CommandLineOnly[f.Name] })
		for _, sub := range c.Commands() {
			collect(sub)
		}
	}
	collect(root)
	var all []error
	found := s.values.AllKeys()
	slices.Sort(found)
	for _, key := range found {
		if s.values.InConfig(key) && !names[key] {
			all = append(all, fmt.Errorf("%s: expected the name of a flag such as grace, found something unknown%s", s.place(key), nearest.Hint(nearest.Names(key, slices.Sorted(maps.Keys(names))))))
		}
	}
	return errors.Join(all...)
}

// CommandLineOnly are the flags that are no settings.
var CommandLineOnly = map[string]bool{"help": true, "version": true}

// Fill gives flags that have no value yet the one of their setting.
func (s *settings) Fill(flags *pflag.FlagSet) error {
	var all []error
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed || CommandLineOnly[f.Name] || !s.values.IsSet(f.Name) {
			return
		}
		if err := s.fillFlag(flags, f); err != nil {
			all = append(all, err)
		}
	})
	return errors.Join(all...)
}

func (s *settings) fillFlag(flags *pflag.FlagSet, f *pflag.Flag) error {
	value := s.values.Get(f.Name)
	var err error
	switch value.(type) {
	case map[string]any:
		return nil // its keys are refused as unknown
	case []any:
		err = Replace(f, s.values.GetStringSlice(f.Name))
	default:
		err = flags.Set(f.Name, s.values.GetString(f.Name))
	}
	if err != nil {
		kind := ""
		if flagKinds[f.Value.Type()] != "" {
			kind = ", " + flagKinds[f.Value.Type()]
		}
		return fmt.Errorf("%s: expected a value for --%s%s, found %q", s.origin(f.Name), f.Name, kind, fmt.Sprint(value))
	}
	return flags.SetAnnotation(f.Name, asSetting, []string{s.origin(f.Name)})
}

// Replace gives a flag that takes a list another one.
func Replace(f *pflag.Flag, list []string) error {
	value, ok := f.Value.(pflag.SliceValue)
	if !ok {
		return errors.New("this flag takes no list")
	}
	f.Changed = true
	return value.Replace(list)
}

// asSetting annotates the flags that a setting has given their value with where it comes from.
const asSetting = "setting"

// OnCommandLine reports whether the command line itself gives a flag.
func OnCommandLine(flags *pflag.FlagSet, name string) bool {
	f := flags.Lookup(name)
	_, setting := f.Annotations[asSetting]
	return f.Changed && !setting
}

// Wrong returns the error for a bad value of a flag. It names the origin of the value: the command line or a setting.
func Wrong(flags *pflag.FlagSet, name, format string, values ...any) error {
	origin := "--" + name
	if f := flags.Lookup(name); f != nil && len(f.Annotations[asSetting]) > 0 {
		origin = f.Annotations[asSetting][0]
	}
	return fmt.Errorf("%s: %w", origin, fmt.Errorf(format, values...))
}
