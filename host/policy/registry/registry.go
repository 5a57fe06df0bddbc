package registry

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/policy/process/sandbox"
	"github.com/quern-project/quern/host/policy/wazero"
)

// Options are what a Registry is opened with.
type Options struct {
	Dir     string   // empty: none
	Files   []string // modules beside those of the folder, each NAME.wasm or NAME.toml; one of a name in the folder takes its place
	Cache   string   // folder for compiled code; empty: none
	Memory  int64    // of the instances of all modules together, in bytes; 0: wazero.DefaultMemory
	Keep    bool     // a version that Scan replaces is kept in Dir/.previous, for a rollback
	Archive string   // folder of modules that are found by their hash alone; empty: none
	// Ahead settles whether there is memory for a module before it serves: then each scheduler of a live host has it, and none fails where
	// another did not.
	Ahead bool
	Wait  bool // schedulers wait for shadows, so that what is reported of them is the same in every run
	Off   bool // modules are announced, but none is asked: fallbacks answer

	Sandbox *sandbox.Sandbox // confines programs; nil: nothing does
	// Log takes lines that modules and the registry write; nil: they are dropped. Any goroutine may call it.
	Log func(policy, level, text string)
}

// Refusal is a module that does not serve, with the reason, which begins with the file to blame.
type Refusal struct {
	Name string
	Err  error
}

// Registry keeps the modules of a folder. One goroutine may Scan while another, with its scheduler, asks a Binding.
type Registry struct {
	options   Options
	runtime   *wazero.Runtime
	scanning  sync.Mutex           // held while the folder is looked at, or written to
	seen      map[string]fileState // as last read; while scanning is held
	moving    map[string]fileState // that differ from that, as last looked at
	announced map[string]announced // at the last scan

	mu       sync.Mutex // of what is below; nothing is compiled or started while it is held
	code     map[codeKey]*wazero.Module
	files    map[string]string // of WebAssembly, by hash
	current  map[string]*module
	builtins map[string]*module // by name of a built-in: its shadow
	refused  map[string]Refusal // by name, of modules in the folder
	bindings []*Binding
}

// codeKey says which compiled code serves: the file, and the bound of its memory, which is compiled in.
type codeKey struct {
	name   string // lines that it logs bear it
	sha256 string
	pages  uint32
}

// Open reads a folder and tests its modules. Refused modules are reported and do not serve.
func Open(ctx context.Context, o Options) (*Registry, []Refusal, error) {
	if o.Log == nil {
		o.Log = func(string, string, string) {}
	}
	budget := o.Memory
	if o.Ahead {
		budget = math.MaxInt64
	}
	log := func(module string, level wazero.Level, text string) { o.Log(module, level.String(), text) }
	runtime, err := wazero.New(ctx, wazero.Options{Cache: o.Cache, Memory: budget, Log: log})
	if err != nil {
		return nil, nil, err
	}
	r := &Registry{options: o, runtime: runtime, code: map[codeKey]*wazero.Module{}, files: map[string]string{},
		current: map[string]*module{}, seen: map[string]fileState{}, moving: map[string]fileState{}, refused: map[string]Refusal{}}
	list, err := r.candidates()
	if err != nil {
		return nil, nil, errors.Join(err, r.Close(ctx))
	}
	for _, c := range list {
		r.seen[c.name] = look(c, fileState{})
	}
	proven, refused := r.proveAll(ctx, list)
	for _, m := range proven {
		if err := r.swap(m); err != nil {
			m.retire()
			refused = append(refused, Refusal{m.name, m.blame(err)})
		}
	}
	refused = append(refused, r.pair()...)
	r.note(nil, refused)
	r.announced = r.state()
	return r, refused, nil
}

// candidates lists the modules of the folder, and those named beside it.
func (r *Registry) candidates() ([]candidate, error) {
	var list []candidate
	if r.options.Dir != "" {
		var err error
		if list, err = candidates(r.options.Dir); err != nil {
			return nil, err
		}
	}
	for _, path := range r.options.Files {
		c, err := candidateOf(path)
		if err != nil {
			return nil, err
		}
		list = append(slices.DeleteFunc(list, func(other candidate) bool { return other.name == c.name }), c)
	}
	return list, nil
}

// retire ends evaluators that were ready and never used.
func (m *module) retire() {
	if m.ready != nil {
		m.ready.end()
		m.ready = nil
	}
}

// Announced lists what serves, by name. Shadows decide nothing and are not in it.
func (r *Registry) Announced() []core.Announcement {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []core.Announcement
	for _, name := range slices.Sorted(maps.Keys(r.current)) {
		if m := r.current[name]; m.settings.ShadowOf == "" {
			list = append(list, m.announced)
		}
	}
	return list
}

// Close ends everything that was started.
func (r *Registry) Close(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range r.bindings {
		b.endAll()
	}
	for _, m := range r.current {
		m.retire()
	}
	r.bindings, r.current = nil, map[string]*module{}
	return r.runtime.Close(ctx)
}

// Error sums a refusal up in a line.
func (x Refusal) Error() string { return fmt.Sprintf("policy %q is refused: %v", x.Name, x.Err) }

// errNoFile says that the folder has no file with a hash.
var errNoFile = errors.New("the folder has no file with this hash")

// codeOf returns the compiled code of a file with a hash.
func (r *Registry) codeOf(ctx context.Context, name, sha256 string, l wazero.Limits) (*wazero.Module, error) {
	key := codeKey{name, strings.ToLower(sha256), l.Pages}
	m, path := r.known(key)
	if path == "" {
		path = r.archived(key.sha256)
	}
	switch {
	case m != nil:
		return m.Limited(l), nil
	case path == "":
		return nil, errNoFile
	}
	data, err := readWith(path, key.sha256)
	if archived := r.archived(key.sha256); err != nil && archived != "" && archived != path {
		path = archived
		data, err = readWith(path, key.sha256)
	}
	if err != nil {
		return nil, err
	}
	return r.compile(ctx, key, path, data, l)
}

// readWith reads a file that has a hash.
func readWith(path, sha256 string) ([]byte, error) {
	data, err := safefile.Read(path, MostBytes)
	if err != nil {
		return nil, err
	}
	if found := hashOf(data); found != sha256 {
		return nil, fmt.Errorf("%s: expected sha256 %s, found %s: the file has changed", path, sha256, found)
	}
	return data, nil
}

// known is the code that was compiled, or where its file is.
func (r *Registry) known(key codeKey) (*wazero.Module, string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.code[key], r.files[key.sha256]
}

// compile returns the code of a file that was read, and keeps it.
func (r *Registry) compile(ctx context.Context, key codeKey, path string, data []byte, l wazero.Limits) (*wazero.Module, error) {
	m, err := r.runtime.Load(ctx, key.name, data, l)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.code[key] = m
	return m, nil
}
