package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Origins add to errors where the values of flags come from: the command line, a variable of the environment, or a line of a file.
type Origins struct{ Command *cobra.Command }

var (
	flagName = regexp.MustCompile(`--([a-z][a-z0-9-]*)`)
	flagHead = regexp.MustCompile(`^--([a-z][a-z0-9-]*): `)
)

// added returns the text of an error with the origins of the flags that it is about: those that it names, and those whose value, a file
// or an address, it begins with or contains.
func (o Origins) added(text string) string {
	if o.Command == nil {
		return text
	}
	if f := o.valued(text); f != nil {
		text = "--" + f.Name + ": " + text
	}
	plain, misused := strings.CutPrefix(text, o.Command.CommandPath()+": ")
	if misused && slices.ContainsFunc(o.settings(), func(origin string) bool { return strings.HasPrefix(plain, origin+": ") }) {
		text = plain // a place in a file stands in front
	}
	if head := flagHead.FindStringSubmatch(plain); head != nil {
		if origin := o.setting(head[1]); origin != "" {
			text = origin + ": " + plain[len(head[0]):]
		}
	}
	for _, f := range o.about(text) {
		if origin := o.setting(f); !strings.Contains(text, origin) {
			text += fmt.Sprintf("; --%s comes from %s", f, origin)
		}
	}
	return text
}

// setting returns the place of the setting that gave a flag its value; empty: none did.
func (o Origins) setting(flag string) string {
	if f := o.Command.Flags().Lookup(flag); f != nil && len(f.Annotations[asSetting]) > 0 {
		return f.Annotations[asSetting][0]
	}
	return ""
}

// settings lists the places of all settings.
func (o Origins) settings() (all []string) {
	o.Command.Flags().Visit(func(f *pflag.Flag) { all = append(all, f.Annotations[asSetting]...) })
	return all
}

// valued returns the flag that names the file which a text is about as a whole; nil: none does, or the text says a line of the file.
func (o Origins) valued(text string) (found *pflag.Flag) {
	o.Command.Flags().Visit(func(f *pflag.Flag) {
		if found == nil && slices.ContainsFunc(valuesNamed(f), func(value string) bool { return strings.HasPrefix(text, value+": ") }) {
			found = f
		}
	})
	return found
}

// about lists the flags with a setting that a text names, or whose value it contains.
func (o Origins) about(text string) (names []string) {
	for _, found := range flagName.FindAllStringSubmatch(text, -1) {
		if o.setting(found[1]) != "" && !slices.Contains(names, found[1]) {
			names = append(names, found[1])
		}
	}
	o.Command.Flags().Visit(func(f *pflag.Flag) {
		named := func(value string) bool { return strings.ContainsAny(value, "/.:") && strings.Contains(text, value) }
		if o.setting(f.Name) != "" && !slices.Contains(names, f.Name) && slices.ContainsFunc(valuesNamed(f), named) {
			names = append(names, f.Name)
		}
	})
	return names
}

// valuesNamed lists the values of a flag that may be files or addresses.
func valuesNamed(f *pflag.Flag) []string {
	switch value := f.Value.(type) {
	case pflag.SliceValue:
		return slices.DeleteFunc(value.GetSlice(), func(s string) bool { return s == "" })
	default:
		if text := f.Value.String(); text != "" && f.Value.Type() == "string" {
			return []string{text}
		}
	}
	return nil
}
