package replay_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/features"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/policy/registry"
)

// TestTheLifeOfAPolicyModule holds the folder of modules, with both runtimes, against its scenarios.
func TestTheLifeOfAPolicyModule(t *testing.T) {
	stock := buildStock(t)
	var mu sync.Mutex
	var drivers []*folder
	factory := func() (features.Driver, error) {
		f, err := newFolder(stock, t.TempDir())
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			drivers = append(drivers, f)
		}
		return f, err
	}
	var out, problems bytes.Buffer
	o := features.Options{Paths: []string{"../../features/modules"}, Out: &out, Err: &problems, Concurrency: 2, Random: -1, NewDriver: factory}
	if code := features.Run(t.Context(), o); code != features.Passed {
		t.Errorf("exit code %d %s\n%s", code, problems.String(), out.String())
	}
	for _, f := range drivers {
		if err := f.registry.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// buildStock builds the modules of testdata into a folder.
func buildStock(t *testing.T) string {
	t.Helper()
	for _, tool := range []string{"clang", "wasm-ld"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped, because %s is missing: make toolchains", tool)
		}
	}
	dir := t.TempDir()
	sources, err := filepath.Glob("testdata/modules/*.c")
	if err != nil || len(sources) == 0 {
		t.Fatal("no modules to build", err)
	}
	for _, source := range sources {
		name := strings.TrimSuffix(filepath.Base(source), ".c")
		object := filepath.Join(dir, name+".o")
		command(t, "clang", "--target=wasm32", "-nostdlib", "-O2", "-Wall", "-Werror", "-I", "../../sdk/c", "-c", source, "-o", object)
		command(t, "wasm-ld", "--no-entry", "--stack-first", object, "-o", filepath.Join(dir, name+".wasm"))
	}
	command(t, "go", "build", "-o", filepath.Join(dir, "slow"), "./testdata/modules/slow")
	whole, err := os.ReadFile(filepath.Join(dir, "most-free.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"junk": []byte("this is no module"), "half": whole[:len(whole)/2]} {
		if err := os.WriteFile(filepath.Join(dir, name+".wasm"), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func command(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// folder drives a scheduler beside a folder of modules, as a host does.
type folder struct {
	*scheduler.Scheduler
	stock, dir string
	registry   *registry.Registry
	binding    *registry.Binding
	refused    map[string]string
	writes     int
}

func newFolder(stock, dir string) (*folder, error) {
	registry, _, err := registry.Open(context.Background(), registry.Options{Dir: dir, Keep: true})
	if err != nil {
		return nil, err
	}
	f := &folder{stock: stock, dir: dir, registry: registry, binding: registry.Bind(context.Background()), refused: map[string]string{}}
	f.Scheduler = scheduler.New(f.options())
	return f, nil
}

func (f *folder) options() core.Options {
	return core.Options{Witness: f.binding.Witness, Evaluator: func(m core.Announcement) policy.Evaluator {
		return f.binding.Evaluator(m)
	}}
}

// Restored makes another scheduler that asks the same modules.
func (f *folder) Restored() (features.Driver, error) {
	s, err := scheduler.Restore(f.Snapshot(), f.options())
	if err != nil {
		return nil, err
	}
	other := *f
	other.Scheduler = s
	return &other, nil
}

// DropIn copies a module of the stock into the folder: beside its place first, then into it.
func (f *folder) DropIn(module, name, settings string) ([]core.Input, error) {
	if settings != "" || strings.HasPrefix(module, "slow") {
		if strings.HasPrefix(module, "slow") {
			// With time, since a busy machine must not decide: what does not answer here sleeps for a minute.
			settings += fmt.Sprintf("\n[limits]\ndeadline = \"5s\"\n[process]\ncommand = %q\n", filepath.Join(f.stock, module))
		}
		if err := f.put(name+".toml", []byte(settings)); err != nil {
			return nil, err
		}
	}
	if data, err := os.ReadFile(filepath.Join(f.stock, module+".wasm")); err == nil {
		if err := f.put(name+".wasm", data); err != nil {
			return nil, err
		}
	}
	return f.look()
}

// put writes a file; each is later than the one before, as files that people write are.
func (f *folder) put(name string, data []byte) error {
	f.writes++
	path := filepath.Join(f.dir, name)
	if err := safefile.WriteFile(path, data, 0o644); err != nil {
		return err
	}
	at := time.Unix(int64(1_000_000+f.writes), 0)
	return os.Chtimes(path, at, at)
}

// TakeAway removes a module's files.
func (f *folder) TakeAway(name string) ([]core.Input, error) {
	for _, ending := range []string{".wasm", ".toml"} {
		if err := os.Remove(filepath.Join(f.dir, name+ending)); err != nil && !os.IsNotExist(err) {
			return nil, err
		}
	}
	return f.look()
}

// look scans the folder until it has settled.
func (f *folder) look() ([]core.Input, error) {
	var inputs []core.Input
	clear(f.refused)
	for range 2 {
		changes, refused, err := f.registry.Scan(context.Background())
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			if c.Builtin {
				f.RefreshShadows()
				continue
			}
			in := core.Input{Event: &core.SetPolicy{PolicyModule: c.PolicyModule}}
			if c.Removed {
				in = core.Input{Event: &core.RemovePolicy{Name: c.Name}}
			}
			inputs = append(inputs, in)
		}
		for _, r := range refused {
			f.refused[r.Name] = r.Err.Error()
		}
	}
	return inputs, nil
}

// Refused is why a module was refused.
func (f *folder) Refused(name string) string { return f.refused[name] }

// Shadowed reports of a shadow.
func (f *folder) Shadowed(name string) (rounds, otherwise int) {
	for _, s := range f.binding.Shadows() {
		if s.Name == name {
			rounds, otherwise = rounds+s.Rounds, otherwise+s.Differing
		}
	}
	return rounds, otherwise
}

// Crash kills the programs of this driver that run from the stock.
func (f *folder) Crash(name string) error {
	entries, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		return err
	}
	for _, link := range entries {
		exe, err := os.Readlink(link)
		cwd, err2 := os.Readlink(filepath.Join(filepath.Dir(link), "cwd"))
		if err != nil || err2 != nil || filepath.Base(exe) != name || cwd != f.dir {
			continue
		}
		var pid int
		if _, err := fmt.Sscanf(link, "/proc/%d/exe", &pid); err != nil {
			return err
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			return err
		}
		return nil
	}
	return fmt.Errorf("no process of %q runs", name)
}
