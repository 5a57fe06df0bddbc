package features

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/cucumber/godog"
	"github.com/cucumber/godog/colors"
)

// The formats in which a run is told.
const (
	FormatProgress = "progress"
	FormatPretty   = "pretty"
	FormatCucumber = "cucumber"
	FormatJUnit    = "junit"
)

// Formats lists them.
func Formats() []string { return []string{FormatPretty, FormatProgress, FormatCucumber, FormatJUnit} }

// Report is a format that goes to a file.
type Report struct{ Format, Path string }

// ParseFormats reads what people write, `NAME` or `NAME:FILE`, one or several with commas. At most one of them has no
// file, since two would write into each other on the standard output; where none has, it is empty.
func ParseFormats(texts []string) (out string, files []Report, err error) {
	for _, text := range texts {
		for _, one := range splitFormats(text) {
			name, path, named := strings.Cut(one, ":")
			switch {
			case !slices.Contains(Formats(), name):
				return "", nil, fmt.Errorf("format: expected pretty, progress, cucumber or junit, or one of them with a file such as junit:report.xml, found %q", one)
			case named && path == "":
				return "", nil, fmt.Errorf("format: expected a file behind %q", one)
			case named && path != "-":
				files = append(files, Report{name, path})
			case out != "" && out != name:
				return "", nil, fmt.Errorf("format: %s and %s would both go to the standard output; name a file for one of them, such as %s:FILE", out, name, name)
			default:
				out = name
			}
		}
	}
	return out, files, nil
}

// splitFormats splits at the commas behind which another format is named: others belong to a path.
func splitFormats(text string) []string {
	var list []string
	for i, part := range strings.Split(text, ",") {
		name, _, _ := strings.Cut(part, ":")
		if i == 0 || slices.Contains(Formats(), name) {
			list = append(list, part)
		} else {
			list[len(list)-1] += "," + part
		}
	}
	return list
}

// Whole finds out whether a report was written to its end: the library does not tell when it could not.
func (r Report) Whole(text []byte) error {
	switch r.Format {
	case FormatCucumber:
		return json.Unmarshal(text, new(any))
	case FormatJUnit:
		return xml.Unmarshal(text, new(struct{}))
	}
	if !strings.Contains(string(text), "\nNo step") && !strings.Contains(string(text), " step") {
		return errors.New("the line that counts the steps is missing")
	}
	return nil
}

// The library's list of formats is one for the whole program. Ours stand in it under names of their own: as they are, and
// for files, which have no colors.
const (
	ours   = "quern-"
	toFile = "-to-file"
)

var registerFormats = sync.OnceFunc(func() {
	cucumber := func(suite string, out io.Writer) godog.Formatter { return godog.NewCukeFmt(suite, out) }
	for name, format := range map[string]godog.FormatterFunc{
		FormatProgress: newProgress, FormatPretty: newPretty, FormatCucumber: cucumber, FormatJUnit: newJUnit,
	} {
		godog.Format(ours+name, name, format)
		godog.Format(ours+name+toFile, name+" without colors", func(suite string, out io.Writer) godog.Formatter {
			return format(suite, colors.Uncolored(out))
		})
	}
})

// formats are the formats as the library wants them.
func (o Options) formats() (string, error) {
	registerFormats()
	if !slices.Contains(Formats(), o.Format) {
		return "", fmt.Errorf("format: expected pretty, progress, cucumber or junit, found %q", o.Format)
	}
	list := []string{ours + o.Format}
	for _, r := range o.Reports {
		if !slices.Contains(Formats(), r.Format) {
			return "", fmt.Errorf("format: expected pretty, progress, cucumber or junit, found %q", r.Format)
		}
		if err := os.MkdirAll(filepath.Dir(r.Path), 0o755); err != nil {
			return "", fmt.Errorf("reports: %w", err)
		}
		list = append(list, ours+r.Format+toFile+":"+r.Path)
	}
	return strings.Join(list, ","), nil
}

// report writes what a formatter has to say at the end of a run.
func report(out io.Writer, text string) {
	if _, err := io.WriteString(out, text); err != nil {
		unreported(err)
	}
}

// unreported tells of a report that could not be written: the library has no way to return it.
func unreported(err error) { fmt.Fprintln(os.Stderr, "a report could not be written:", err) }
