package cli

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

// PolicyFlags say which policy modules there are.
type PolicyFlags struct {
	Dir, missing, Cache string
	Memory              string
	off                 bool
	Sandbox             SandboxFlag
}

// What --policies-missing may be.
const (
	missingIsError    = "error"
	missingIsFallback = "fallback"
)

func (f *PolicyFlags) Register(cmd *cobra.Command) {
	f.RegisterFolder(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.missing, "policies-missing", missingIsError, "the `ACTION` when a module of the journal is missing: error, or fallback to use its fallback")
	flags.BoolVar(&f.off, "no-policies", false, "call no policy module: use their fallbacks")
	_ = cmd.RegisterFlagCompletionFunc("policies-missing", cobra.FixedCompletions([]string{missingIsError, missingIsFallback}, cobra.ShellCompDirectiveNoFileComp))
}

// RegisterFolder registers the flags that say where modules are.
func (f *PolicyFlags) RegisterFolder(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Dir, "policies", "", "the folder (`DIR`) of policy modules, available from the start")
	flags.StringVar(&f.Cache, "policy-cache", "", "the folder (`DIR`) for compiled modules, or none (default: quern in the user's cache folder)")
	flags.StringVar(&f.Memory, "policy-memory", "1GiB", "the most memory (`SIZE`) that the instances of all modules may use together, such as 512MiB")
	f.Sandbox.Register(cmd)
	_ = cmd.MarkFlagDirname("policies")
	_ = cmd.MarkFlagDirname("policy-cache")
}

func (f *PolicyFlags) Check() error {
	switch f.missing {
	case "", missingIsError, missingIsFallback:
		return nil
	}
	return Usage(fmt.Errorf("--policies-missing: expected %s or %s, found %q", missingIsError, missingIsFallback, f.missing))
}

// CheckFolders checks where modules are, and returns the bound of their memory.
func (f *PolicyFlags) CheckFolders() (memory int64, err error) {
	if err := FolderOf("--policies", f.Dir); err != nil {
		return 0, err
	}
	if err := FolderOf("--policy-cache", f.Cache); err != nil && f.Cache != "none" {
		return 0, err
	}
	return f.bytes()
}

// Open opens the folder of modules. It writes a line to w for each module that is refused.
func (f *PolicyFlags) Open(ctx context.Context, w io.Writer, files ...string) (*replay.Policies, error) {
	memory, err := f.CheckFolders()
	if err != nil {
		return nil, err
	}
	box, err := f.Sandbox.Open()
	if err != nil {
		return nil, err
	}
	p, err := replay.OpenPolicies(ctx, replay.PolicyOptions{
		Dir: f.Dir, Files: files, Cache: f.CacheFolder(), Memory: memory, Sandbox: box, Off: f.off, Fallback: f.missing == missingIsFallback,
	}, w)
	if err != nil && len(files) > 0 || errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		err = CodeError{Err: err, Code: BadInput}
	}
	return p, err
}

// Reads notes the files of the folder of modules, and modules beside it, so that no output takes their places.
func (f *PolicyFlags) Reads(files *safefile.Transaction, modules ...string) error {
	for _, name := range modules {
		base := strings.TrimSuffix(name, filepath.Ext(name))
		modules = append(modules, base+".wasm", base+".toml")
	}
	entries, _ := os.ReadDir(f.Dir) // what is wrong with the folder is told by who reads it
	for _, e := range entries {
		modules = append(modules, filepath.Join(f.Dir, e.Name()))
	}
	for _, name := range append(modules, SettingsFile) {
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

// CacheFolder is where compiled modules are kept, empty where there is no place for them.
func (f *PolicyFlags) CacheFolder() string {
	switch {
	case f.Cache == "none":
		return ""
	case f.Cache != "":
		return f.Cache
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "quern")
}

// bytes is the bound of the memory; 0: the default.
func (f *PolicyFlags) bytes() (int64, error) {
	if f.Memory == "" {
		return 0, nil
	}
	n, err := ParseSize(f.Memory)
	if err != nil {
		return 0, Usage(fmt.Errorf("--policy-memory: %w", err))
	}
	return n, nil
}

// ParseSize reads a size, in bytes.
func ParseSize(text string) (int64, error) {
	for unit, shift := range map[string]int{"KiB": 10, "MiB": 20, "GiB": 30} {
		number, ok := strings.CutSuffix(text, unit)
		n, err := strconv.ParseUint(number, 10, 62-shift)
		if ok && err == nil && n > 0 {
			return int64(n) << shift, nil
		}
	}
	return 0, fmt.Errorf("expected a size such as 512MiB or 2GiB, found %q", text)
}
