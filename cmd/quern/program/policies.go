package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/replay"
)

// policyFlags say which policy modules there are.
type policyFlags struct {
	dir, missing, cache string
	memory              string
	off                 bool
	sandbox             sandboxFlag
}

// What --policies-missing may be.
const (
	missingIsError    = "error"
	missingIsFallback = "fallback"
)

func (f *policyFlags) register(cmd *cobra.Command) {
	f.registerFolder(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.missing, "policies-missing", missingIsError, "the `ACTION` when a module of the journal is missing: error, or fallback to use its fallback")
	flags.BoolVar(&f.off, "no-policies", false, "call no policy module: use their fallbacks")
	_ = cmd.RegisterFlagCompletionFunc("policies-missing", cobra.FixedCompletions([]string{missingIsError, missingIsFallback}, cobra.ShellCompDirectiveNoFileComp))
}

// registerFolder registers the flags that say where modules are.
func (f *policyFlags) registerFolder(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.dir, "policies", "", "the folder (`DIR`) of policy modules, available from the start")
	flags.StringVar(&f.cache, "policy-cache", "", "the folder (`DIR`) for compiled modules, or none (default: quern in the user's cache folder)")
	flags.StringVar(&f.memory, "policy-memory", "1GiB", "the most memory (`SIZE`) that the instances of all modules may use together, such as 512MiB")
	f.sandbox.register(cmd)
	_ = cmd.MarkFlagDirname("policies")
	_ = cmd.MarkFlagDirname("policy-cache")
}

func (f *policyFlags) check() error {
	switch f.missing {
	case "", missingIsError, missingIsFallback:
		return nil
	}
	return usage(fmt.Errorf("--policies-missing: expected %s or %s, found %q", missingIsError, missingIsFallback, f.missing))
}

// checkFolders checks where modules are, and returns the bound of their memory.
func (f *policyFlags) checkFolders() (memory int64, err error) {
	if err := folderOf("--policies", f.dir); err != nil {
		return 0, err
	}
	if err := folderOf("--policy-cache", f.cache); err != nil && f.cache != "none" {
		return 0, err
	}
	return f.bytes()
}

// open opens the folder of modules; what is refused in it is told in lines to w.
func (f *policyFlags) open(ctx context.Context, w io.Writer, files ...string) (*replay.Policies, error) {
	memory, err := f.checkFolders()
	if err != nil {
		return nil, err
	}
	box, err := f.sandbox.open()
	if err != nil {
		return nil, err
	}
	p, err := replay.OpenPolicies(ctx, replay.PolicyOptions{
		Dir: f.dir, Files: files, Cache: f.cacheFolder(), Memory: memory, Sandbox: box, Off: f.off, Fallback: f.missing == missingIsFallback,
	}, w)
	if err != nil && len(files) > 0 || errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		err = codeError{err: err, code: badInput}
	}
	return p, err
}

// reads notes the files of the folder of modules, and modules beside it, so that no output takes their places.
func (f *policyFlags) reads(files *safefile.Transaction, modules ...string) error {
	for _, name := range modules {
		base := strings.TrimSuffix(name, filepath.Ext(name))
		modules = append(modules, base+".wasm", base+".toml")
	}
	entries, _ := os.ReadDir(f.dir) // what is wrong with the folder is told by who reads it
	for _, e := range entries {
		modules = append(modules, filepath.Join(f.dir, e.Name()))
	}
	for _, name := range append(modules, settingsFile) {
		info, err := os.Stat(name)
		if err != nil {
			continue
		}
		if err := files.Reads(name, info); err != nil {
			return err
		}
	}
	return nil
}

// cacheFolder is where compiled modules are kept, empty where there is no place for them.
func (f *policyFlags) cacheFolder() string {
	switch {
	case f.cache == "none":
		return ""
	case f.cache != "":
		return f.cache
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "quern")
}

// bytes is the bound of the memory; 0: the default.
func (f *policyFlags) bytes() (int64, error) {
	if f.memory == "" {
		return 0, nil
	}
	n, err := parseSize(f.memory)
	if err != nil {
		return 0, usage(fmt.Errorf("--policy-memory: %w", err))
	}
	return n, nil
}

// parseSize reads a size, in bytes.
func parseSize(text string) (int64, error) {
	for unit, shift := range map[string]int{"KiB": 10, "MiB": 20, "GiB": 30} {
		number, ok := strings.CutSuffix(text, unit)
		n, err := strconv.ParseUint(number, 10, 62-shift)
		if ok && err == nil && n > 0 {
			return int64(n) << shift, nil
		}
	}
	return 0, fmt.Errorf("expected a size such as 512MiB or 2GiB, found %q", text)
}
