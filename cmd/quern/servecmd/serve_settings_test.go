package servecmd

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/auth"
)

// rowOfSettings is a row of the table of settings.
var rowOfSettings = regexp.MustCompile("(?m)^\\| (`[^|]+`) \\| ([^|]+) \\|")

func TestSettingsPage_SaysWhichApplyAtOnce(t *testing.T) {
	page, err := os.ReadFile("../../../docs/run-live/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(page), "\n## Settings\n")
	if !found {
		t.Fatal("docs/run-live/operating.md has no section on settings")
	}
	text, _, _ = strings.Cut(text, "\n## ")
	listed := map[string]string{}
	for _, row := range rowOfSettings.FindAllStringSubmatch(text, -1) {
		for _, name := range strings.Split(row[1], ", ") {
			listed[strings.Trim(name, "`")] = row[2]
		}
	}
	serve := NewServe(cli.Streams{})
	serve.Flags().VisitAll(func(f *pflag.Flag) {
		if cli.CommandLineOnly[f.Name] {
			return
		}
		want := "at the next start"
		if liveSettingOf(f.Name) != nil {
			want = "at once"
		}
		if !strings.HasPrefix(listed[f.Name], want) {
			t.Errorf("docs/run-live/operating.md: %s: expected %q, found %q", f.Name, want, listed[f.Name])
		}
		delete(listed, f.Name)
	})
	if listed[auth.RolesTable] != "at once" {
		t.Errorf("docs/run-live/operating.md: %s: expected \"at once\", found %q", auth.RolesTable, listed[auth.RolesTable])
	}
	delete(listed, auth.RolesTable)
	for name := range listed {
		t.Errorf("docs/run-live/operating.md: %s is no flag of quern serve", name)
	}
	for i := range liveSettings {
		for _, name := range liveSettings[i].flags {
			if serve.Flags().Lookup(name) == nil {
				t.Errorf("%s is no flag of quern serve", name)
			}
		}
	}
}

func FuzzSettings(f *testing.F) {
	f.Add("client-rate = 3\ncors-origin = ['https://board.example']\n[roles.users]\nann = 'viewer'\n")
	f.Add("retain = 1h\n")
	f.Add("a.b.c = [{x = 1}]\n")
	f.Add("Client-Rate = 3\nclient-rate = 4")
	cmd := NewServe(cli.Streams{})
	r := &reload{cmd: cmd, fresh: (&serveFlags{}).fresh, values: valuesOf(cmd.Flags())}
	f.Fuzz(func(t *testing.T, text string) {
		_, flags, _, err := r.parse([]byte(text))
		if err != nil {
			if !strings.Contains(err.Error(), cli.SettingsFile) {
				t.Errorf("%q: the error names no file: %v", text, err)
			}
			return
		}
		_, again, _, err := r.parse([]byte(text))
		if err != nil || len(valuesOf(flags)) != len(r.values) {
			t.Fatalf("%q: the second time: %v", text, err)
		}
		for name, value := range valuesOf(flags) {
			if other := again.Lookup(name).Value.String(); other != value {
				t.Errorf("%q: %s is %q and %q", text, name, value, other)
			}
		}
	})
}
