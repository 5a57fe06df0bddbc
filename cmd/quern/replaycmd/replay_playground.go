package replaycmd

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/playground"
	"github.com/quern-project/quern/host/report/html"
)

// checkPlayground refuses what is not the address of a page.
func (f *ReplayFlags) checkPlayground() error {
	if f.playground == "" {
		return nil
	}
	if f.Report == "" {
		return cli.Usage(errors.New("--playground: expected --report beside it"))
	}
	if u, err := url.Parse(f.playground); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Fragment != "" {
		return cli.Usage(fmt.Errorf("--playground: expected the address of a page, such as https://quern.example/, found %q", f.playground))
	}
	return nil
}

// watch is the command that shows the run in the playground; empty: it cannot show all that was run.
func (f *WorkloadFlags) watch(journals []string) string {
	if f.Trace != "" || f.Policies.Dir != "" || f.Config == stream.Stdin || slices.Contains(journals, stream.Stdin) {
		return ""
	}
	words := []string{"quern", "playground"}
	if f.Config != "" {
		words = append(words, "--config", filepath.ToSlash(f.Config))
	}
	words = append(words, journals...)
	for i, word := range words {
		if strings.ContainsFunc(word, unsafeInShell) {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// unsafeInShell reports whether a shell may take a character for something else than itself.
func unsafeInShell(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("/._-=,:+", r)
}

// MostPacked bounds the files of which a link is tried, in bytes: larger ones are too long for it.
const MostPacked = 1 << 20

// InPlayground says how a report leads into the playground, a hosted one at an address; empty: there is none. A run whose files are small
// goes into its links.
func (f *WorkloadFlags) InPlayground(address, until string, journals []string, env stream.Env) func(end time.Duration) html.Playground {
	return func(end time.Duration) html.Playground {
		p := html.Playground{Address: address, Command: f.watch(journals)}
		size := stream.Size(journals...) // below 0: not all are files that can be read again
		if p.Command != "" && 0 <= size && size <= MostPacked {
			p.Session = f.packed(until, journals, env, end)
		}
		return p
	}
}

// packed reads the workload once more, for a link; empty: it cannot have one.
func (f *WorkloadFlags) packed(until string, journals []string, env stream.Env, end time.Duration) string {
	w, err := f.Open(journals, env)
	if err != nil {
		return ""
	}
	defer func() { _ = w.Close() }()
	times, err := f.Times("--until", until, w, io.Discard)
	if err != nil {
		return ""
	}
	given, err := playground.Give(w, times)
	if err != nil {
		return ""
	}
	return given.Packed(end)
}
