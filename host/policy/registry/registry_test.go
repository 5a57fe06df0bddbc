package registry_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policy/registry"
)

// scored is a module in C whose score is a column times a parameter-less constant, so that versions can be told apart.
const scored = `
typedef unsigned u32;
extern unsigned char __heap_base;
#define EXPORT(name) __attribute__((export_name(#name))) name
u32 EXPORT(quern_abi)(void) { return 1u << 16; }
const char *EXPORT(quern_manifest)(void) { return "{\"name\":\"scored\",\"version\":\"1\",\"abi\":\"1.0\","
  "\"parameters\":{\"weight\":{\"type\":\"number\",\"default\":1,\"min\":0,\"max\":9},\"zone\":{\"type\":\"text\",\"default\":\"zone\"}},"
  "\"points\":{\"node.score\":{\"columns\":[\"free:vcore\",\"attribute_code:$zone\"],\"keys\":1,\"depends\":\"row\"}}}"; }
u32 EXPORT(quern_reserve)(u32 bytes) {
  u32 start = ((u32)&__heap_base + 63) & ~63u, have = __builtin_wasm_memory_size(0) << 16;
  if (start + bytes > have && __builtin_wasm_memory_grow(0, (start + bytes - have + 0xffff) >> 16) == (__SIZE_TYPE__)-1) return 0;
  return start;
}
static double weight;
u32 EXPORT(quern_configure)(const char *json, u32 bytes) { weight = json[10] - '0'; return 0; }
u32 EXPORT(node_score)(unsigned char *f) {
  const u32 *h = (const u32 *)f, *d = (const u32 *)(f + h[0]), *idx = (const u32 *)(f + h[8]);
  for (u32 i = 0; i < h[3]; i++)
    ((double *)(f + h[9]))[idx[i]] = *(const double *)(f + d[2] + idx[i] * d[3]) * weight + VERSION;
  return 0;
}`

// build makes a version of the module.
func build(t *testing.T, version string) []byte {
	t.Helper()
	for _, tool := range []string{"clang", "wasm-ld"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped, because %s is missing: make toolchains", tool)
		}
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "m.c"), []byte(scored))
	for _, command := range [][]string{
		{"clang", "--target=wasm32", "-nostdlib", "-O2", "-DVERSION=" + version, "-c", "m.c", "-o", "m.o"},
		{"wasm-ld", "--no-entry", "--stack-first", "m.o", "-o", "m.wasm"},
	} {
		c := exec.Command(command[0], command[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	file, err := os.ReadFile(filepath.Join(dir, "m.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// open opens a folder; what is refused in it is an error unless it is wanted.
func open(t *testing.T, o registry.Options) (*registry.Registry, []registry.Refusal) {
	t.Helper()
	r, refused, err := registry.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return r, refused
}

// scoreOf asks about a node with 10 free.
func scoreOf(t *testing.T, e policy.Evaluator) float64 {
	t.Helper()
	if e == nil {
		t.Fatal("nobody answers")
	}
	b := &policy.Batch{Point: policy.NodeScore, Epoch: 1, Keys: 1, Depends: policy.OnRow, Rows: []int32{0}, Changed: []int32{0}, Out: []float64{0},
		Columns: []policy.Column{{Kind: policy.Free, Arg: "vcore"}, {Kind: policy.AttributeCode, Arg: "zone"}}, Cols: [][]float64{{10}, {0}}}
	if err := e.Eval(b); err != nil {
		t.Fatal(err)
	}
	return b.Out[0]
}

func TestAFolderIsProvenModuleByModule(t *testing.T) {
	dir, file := t.TempDir(), build(t, "0.5")
	for name, settings := range map[string]string{
		"plain": "", "heavy": "[parameters]\nweight = 3\nzone = \"rack\"\n",
		"unknown": "[parameters]\nwieght = 3\n", "large": "[parameters]\nweight = 10\n", "text": "[parameters]\nweight = \"2\"\n",
		"date": "[parameters]\nweight = 1979-05-27\n", "tables": "[[parameters.weight]]\n",
		"pinned": "sha256 = \"" + strings.Repeat("00", 32) + "\"\n", "elsewhere": "[fallback]\n\"app.order\" = \"fair\"\n",
		"shadow": "shadow_of = \"ghost\"\n", "process": "[process]\ncommand = \"x\"\n", "noroom": "[limits]\nmemory = \"64KiB\"\n",
		"deadline": "[limits]\ndeadline = \"5ms\"\n", "args": "[process]\nargs = [\"-v\"]\n", "lists": "[[parameters]]\nweight = 3\n",
		"nan": "[parameters]\nweight = nan\n", "inf": "[parameters]\nweight = -inf\n",
		"starving": "[limits]\nfuel = 3\nfuel_per_item = 3\n",
	} {
		write(t, filepath.Join(dir, name+".wasm"), file)
		if settings != "" {
			write(t, filepath.Join(dir, name+".toml"), []byte(settings))
		}
	}
	write(t, filepath.Join(dir, "memory.toml"), []byte("[limits]\nmemory = \"1MiB\"\n[process]\ncommand = \"x\"\n"))
	for name, text := range map[string]string{
		"little": "memory = \"1MiB\"", "unit": "memory = \"2\"", "nothing": "memory = \"\"", "cpus": "cpus = -1", "nocpus": "cpus = 0",
		"reads": "read = [\"\"]", "writes": "write = [\"a\", \"\"]", "misspelt": "net = true",
	} {
		write(t, filepath.Join(dir, name+".toml"), []byte("[process]\ncommand = \"x\"\n"+text+"\n"))
	}
	for name, text := range map[string]string{"reading": "read = []", "networked": "network = true", "sized": "memory = \"1GiB\""} {
		write(t, filepath.Join(dir, name+".wasm"), file)
		write(t, filepath.Join(dir, name+".toml"), []byte("[process]\n"+text+"\n"))
	}
	write(t, filepath.Join(dir, "fair.wasm"), file)
	write(t, filepath.Join(dir, "Shouting.wasm"), file)
	write(t, filepath.Join(dir, "junk.wasm"), []byte("junk"))
	write(t, filepath.Join(dir, "half.wasm"), file[:len(file)/2])
	write(t, filepath.Join(dir, "alone.toml"), []byte("[parameters]\n"))
	write(t, filepath.Join(dir, ".hidden.wasm"), []byte("junk"))
	write(t, filepath.Join(dir, "notes.txt"), []byte("junk"))
	if err := os.Mkdir(filepath.Join(dir, "folder.wasm"), 0o755); err != nil {
		t.Fatal(err)
	}
	r, refused := open(t, registry.Options{Dir: dir})
	found := map[string]string{}
	for _, x := range refused {
		found[x.Name] = x.Err.Error()
	}
	for name, expected := range map[string]string{
		"unknown":   "unknown.toml:2: parameters.wieght: expected one of weight, zone, found \"wieght\"",
		"large":     "large.toml:2: parameters.weight: expected 9 or less, found 10",
		"text":      "text.toml:2: parameters.weight: expected a number, found 2",
		"date":      "date.toml:2: parameters.weight: expected a number, found something else",
		"tables":    "tables.toml:1: parameters.weight: expected a number, found something else",
		"pinned":    "pinned.toml:1: sha256: the pin is 0000",
		"elsewhere": "elsewhere.toml:2: fallback.\"app.order\": the module does not serve this point",
		"shadow":    "shadow.toml: shadow_of: expected a built-in, or a policy of this folder that decides",
		"process":   "process.toml:2: process.command: expected no command, since process.wasm exists",
		"noroom":    "noroom.wasm: ",
		"starving":  "starving.wasm: ",
		"deadline":  "deadline.toml:2: limits.deadline: expected none: it is for programs",
		"args":      "args.toml:2: process.args: expected none: it is for programs",
		"lists":     "lists.toml:1: parameters: expected one table [parameters], found a list",
		"nan":       "nan.toml:2: parameters.weight: expected a finite number, found NaN",
		"inf":       "inf.toml:2: parameters.weight: expected a finite number, found -Inf",
		"memory":    "memory.toml:2: limits.memory: expected none: it is for WebAssembly modules",
		"little":    "little.toml:3: process.memory: expected 16MiB to 1024GiB, found \"1MiB\"",
		"unit":      "unit.toml:3: process.memory: expected 16MiB to 1024GiB, found \"2\"",
		"nothing":   "nothing.toml:3: process.memory: expected 16MiB to 1024GiB, found an empty text",
		"cpus":      "cpus.toml:3: process.cpus: expected 1 or more, found -1",
		"nocpus":    "nocpus.toml:3: process.cpus: expected 1 or more, found 0",
		"reads":     "reads.toml:3: process.read: expected paths, found an empty text",
		"writes":    "writes.toml:3: process.write: expected paths, found an empty text",
		"misspelt":  "misspelt.toml:3: process.net: expected one of command, args, round, read, write, network, memory, cpus, found",
		"reading":   "reading.toml:2: process.read: expected none: it is for programs",
		"networked": "networked.toml:2: process.network: expected none: it is for programs",
		"sized":     "sized.toml:2: process.memory: expected none: it is for programs",
		"fair":      "fair.wasm: name: \"fair\" is a built-in",
		"Shouting":  "Shouting.wasm: name: expected small letters",
		"junk":      "junk.wasm: ",
		"half":      "half.wasm: ",
		"alone":     "alone.toml: process.command: expected a command, or the file alone.wasm beside this one",
		"folder":    "folder.wasm: expected a file, found a folder",
	} {
		if !strings.Contains(found[name], expected) {
			t.Errorf("%s: expected %q, found %q", name, expected, found[name])
		}
		delete(found, name)
	}
	if len(found) > 0 {
		t.Errorf("refused too: %v", found)
	}
	b := r.Bind(t.Context())
	scores := map[string]float64{}
	for _, a := range r.Announced() {
		scores[a.Name] = scoreOf(t, b.Evaluator(a))
		if a.Name == "heavy" && !strings.Contains(a.Manifest, `"attribute_code:rack"`) {
			t.Errorf("the parameter is not in %s", a.Manifest)
		}
	}
	if len(scores) != 2 || scores["plain"] != 10.5 || scores["heavy"] != 30.5 {
		t.Errorf("found %v", scores)
	}
}

// announcement is what a scheduler tells of a module after it has parsed its manifest.
func announcement(t *testing.T, m core.PolicyModule) core.Announcement {
	t.Helper()
	parsed, err := policy.ParseManifest(m.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	return core.Announcement{PolicyModule: m, Parsed: parsed}
}

func TestABindingAsksByHash(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "m.wasm"), build(t, "1"))
	write(t, filepath.Join(dir, "other.wasm"), build(t, "2"))
	r, _ := open(t, registry.Options{Dir: dir})
	list := r.Announced()
	b := r.Bind(t.Context())
	if got := scoreOf(t, b.Evaluator(announcement(t, core.PolicyModule{Name: "m", SHA256: list[1].SHA256, Manifest: strings.Replace(list[1].Manifest, `"other"`, `"m"`, 1)}))); got != 12 {
		t.Errorf("expected the answer of the other file, found %v", got)
	}
	if e := b.Evaluator(announcement(t, core.PolicyModule{Name: "m", SHA256: strings.Repeat("ab", 32), Manifest: list[0].Manifest})); e != nil {
		t.Error("somebody answers for a hash that nobody has")
	}
	missing := b.Missing()
	if len(missing) != 1 || !strings.Contains(missing[0].Error(), `policy "m": expected a module with sha256 abab`) || len(b.Missing()) != 0 {
		t.Errorf("found %v", missing)
	}
	off, _ := open(t, registry.Options{Dir: dir, Off: true})
	if e := off.Bind(t.Context()).Evaluator(announcement(t, core.PolicyModule{Name: "m", SHA256: list[0].SHA256, Manifest: list[0].Manifest})); e != nil {
		t.Error("a module answers though all are off")
	}
}

func TestAPredicateOfAModulesNameLeavesTheModuleAlone(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "m.wasm"), build(t, "2"))
	r, _ := open(t, registry.Options{Dir: dir})
	for name, b := range map[string]*registry.Binding{"a replay": r.Bind(t.Context()), "a live host": r.BindLive(t.Context(), true)} {
		e := b.Evaluator(announcement(t, r.Announced()[0].PolicyModule))
		if predicate := b.Evaluator(core.Announcement{PolicyModule: core.PolicyModule{Name: "m"}}); predicate != nil {
			t.Errorf("%s: the module answers for the predicate", name)
		}
		if found := scoreOf(t, e); found != 12 {
			t.Errorf("%s: the module answers %v", name, found)
		}
	}
}

// scans looks at the folder twice, so that what changed has settled.
func scans(t *testing.T, r *registry.Registry) ([]registry.Change, []registry.Refusal) {
	t.Helper()
	var changes []registry.Change
	var refused []registry.Refusal
	for range 2 {
		c, x, err := r.Scan(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		changes, refused = append(changes, c...), append(refused, x...)
	}
	return changes, refused
}

func TestAModuleIsSwappedOnceItsSuccessorIsProven(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.wasm")
	first, second := build(t, "1"), build(t, "2")
	r, _ := open(t, registry.Options{Dir: dir, Keep: true})
	b := r.Bind(t.Context())
	step := func(what string, changes, refusals int, score float64) {
		t.Helper()
		got, refused := scans(t, r)
		if len(got) != changes || len(refused) != refusals {
			t.Fatalf("%s: expected %d changes and %d refusals, found %v and %v", what, changes, refusals, got, refused)
		}
		for _, c := range got {
			if !c.Removed {
				if found := scoreOf(t, b.Evaluator(announcement(t, c.PolicyModule))); found != score {
					t.Fatalf("%s: expected %v, found %v", what, score, found)
				}
			}
		}
	}
	later := time.Now()
	touch := func(name string) { // so that no two writes have one time
		later = later.Add(time.Second)
		if err := os.Chtimes(name, later, later); err != nil {
			t.Fatal(err)
		}
	}
	step("nothing is there", 0, 0, 0)
	write(t, path, first)
	touch(path)
	step("dropped in", 1, 0, 11)
	step("nothing changed", 0, 0, 0)
	touch(path)
	step("touched", 0, 0, 0)
	write(t, path, second[:100])
	touch(path)
	step("half of a file", 0, 1, 0)
	step("told once", 0, 0, 0)
	if list := r.Announced(); len(list) != 1 {
		t.Fatalf("the one before is gone: %v", list)
	}
	write(t, path, second)
	touch(path)
	step("the whole file", 1, 0, 12)
	if kept, err := os.ReadFile(filepath.Join(dir, registry.PreviousFolder, "m.wasm")); err != nil || string(kept) != string(first) {
		t.Errorf("the version before was not kept: %v", err)
	}
	write(t, filepath.Join(dir, "m.toml"), []byte("[parameters]\nweight = 2\n"))
	step("other parameters", 1, 0, 22)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "v3")
	write(t, elsewhere, build(t, "3"))
	if err := os.Symlink(elsewhere, path); err != nil {
		t.Fatal(err)
	}
	step("a link in its place", 1, 0, 23)
	if err := os.Rename(path, filepath.Join(dir, "n.wasm")); err != nil {
		t.Fatal(err)
	}
	got, refused := scans(t, r)
	if len(refused) != 1 || !strings.Contains(refused[0].Err.Error(), "m.toml: process.command: expected a command, or the file m.wasm") {
		t.Errorf("settings that were left alone: found %v", refused)
	}
	if len(got) != 1 || got[0].Name != "n" {
		t.Errorf("a new name: found %v", got)
	}
	if err := os.Remove(filepath.Join(dir, "m.toml")); err != nil {
		t.Fatal(err)
	}
	if got, _ := scans(t, r); len(got) != 1 || !got[0].Removed || got[0].Name != "m" {
		t.Errorf("removed: found %v", got)
	}
}

func TestAFileThatIsBeingWrittenIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	r, _ := open(t, registry.Options{Dir: dir})
	file := build(t, "1")
	for n := range 5 {
		write(t, filepath.Join(dir, "m.wasm"), file[:len(file)*(n+1)/5])
		changes, refused, err := r.Scan(t.Context())
		if err != nil || len(changes)+len(refused) > 0 {
			t.Fatalf("part %d: found %v, %v, %v", n, changes, refused, err)
		}
	}
	if changes, refused, err := r.Scan(t.Context()); err != nil || len(changes) != 1 || len(refused) != 0 {
		t.Fatalf("found %v, %v, %v", changes, refused, err)
	}
}
