// Command wasmbuild makes a WebAssembly module of the project, small enough for pages to load: the scheduler, the runner of
// features, or the checks of policies.
//
//	go run ./internal/cmd/wasmbuild core|features|policytest FILE
//	go run ./internal/cmd/wasmbuild all DIR
//	go run ./internal/cmd/wasmbuild packages PACKAGE...
//
// With packages it compiles them as parts of a module, which proves that they can be, and makes nothing.
// It runs the Go compiler, with functions that are not worth it left out of line, and then packs the module.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// modules are what can be built, and the package of each.
var modules = map[string]string{
	"core":       "github.com/quern-project/quern/wasm/browser/coremodule",
	"features":   "github.com/quern-project/quern/wasm/browser/featuresmodule",
	"policytest": "github.com/quern-project/quern/wasm/browser/policytest",
}

// cold are the packages whose functions are not inlined, since inlining costs more space there than its speed is worth.
// The packages of the core that an ask passes on its way to its allocation are not among them.
var cold = []string{
	"regexp/...", "crypto/...", "go.yaml.in/...", "github.com/BurntSushi/...", "encoding/...", "fmt", "reflect", "time", "unicode", "os", "io/...",
	"sort", "strings", "bytes", "bufio", "errors", "path",
	"sync", "internal/sync", "internal/poll", "internal/fmtsort", "internal/bisect", "internal/godebug", "internal/reflectlite", "internal/syscall/...",
	"strconv", "internal/strconv", "slices", "hash/...", "container/heap", "syscall", "math",
	"github.com/quern-project/quern/core/config", "github.com/quern-project/quern/core/internal/access", "github.com/quern-project/quern/core/internal/placement",
	"github.com/quern-project/quern/core/journal", "github.com/quern-project/quern/core/ledger", "github.com/quern-project/quern/wasm/...",
	"github.com/quern-project/quern/sdk/...",
	"github.com/quern-project/quern/core/internal/inspect", "github.com/quern-project/quern/core/explain",
	"github.com/quern-project/quern/core/nearest", "github.com/quern-project/quern/core/internal/quota",
	// A fill does not pass these; the search for victims is worth some space, but less than it takes.
	"github.com/quern-project/quern/core/policy", "github.com/quern-project/quern/core/internal/victim", "github.com/quern-project/quern/core/internal/preempt",
}

func main() {
	packages := len(os.Args) > 2 && os.Args[1] == "packages"
	if !packages && (len(os.Args) != 3 || modules[os.Args[1]] == "" && os.Args[1] != "all") {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/cmd/wasmbuild core|features|policytest FILE, all DIR, or packages PACKAGE...")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	err := run(ctx, os.Args[1], os.Args[2:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, what string, args []string) error {
	switch what {
	case "all":
		return buildAll(ctx, args[0])
	case "packages":
		return compile(ctx, nil, args...)
	}
	return build(ctx, modules[what], args[0])
}

// build compiles a package into a module, and packs it in place.
func build(ctx context.Context, main, file string) error {
	if err := compile(ctx, linked(file), main); err != nil {
		return err
	}
	module, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	packed, err := pack(module)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, packed, 0o644)
}

// linked are the arguments that have the linker make a module.
func linked(file string) []string { return []string{"-buildmode=c-shared", "-o", file} }

// compile compiles packages for modules, and with the arguments of linked one of them into a module as the linker leaves it.
func compile(ctx context.Context, output []string, packages ...string) error {
	args := append([]string{"build", "-trimpath", "-ldflags", "-s -w", "-buildvcs=false"}, output...)
	for _, p := range cold {
		args = append(args, "-gcflags="+p+"=-l")
	}
	compile := exec.CommandContext(ctx, "go", append(args, packages...)...)
	compile.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	compile.Stdout, compile.Stderr = os.Stderr, os.Stderr
	if err := compile.Run(); err != nil {
		return fmt.Errorf("compiling the module: %w", err)
	}
	return nil
}
