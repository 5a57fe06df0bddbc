package contract

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/policy/tool"
)

// prelude is a whole module but for what a test defines: the parts of it can be replaced one by one.
const prelude = `
typedef unsigned u32;
extern unsigned char __heap_base;
#define EXPORT(name) __attribute__((export_name(#name))) name
#define QUOTE(...) #__VA_ARGS__
#define TEXT(x) QUOTE(x)
#ifndef DEPENDS
#define DEPENDS row
#endif
#ifndef POINT
#define POINT node.score
#define FUNCTION node_score
#define COLUMNS ["free:vcore", "attribute_code:zone"]
#endif
#ifndef MANIFEST
static const char text[] = "{\"name\":\"m\",\"version\":\"1\",\"abi\":\"1.0\","
  "\"parameters\":{\"weight\":{\"type\":\"number\",\"default\":1,\"min\":0,\"max\":9}},"
  "\"points\":{\"" TEXT(POINT) "\":{\"columns\":[" TEXT2 "],\"keys\":1,\"depends\":\"" TEXT(DEPENDS) "\"}}}";
const char *EXPORT(quern_manifest)(void) { return text; }
#endif
#ifndef ABI
u32 EXPORT(quern_abi)(void) { return 1u << 16; }
#endif
#ifndef CONFIGURE
u32 EXPORT(quern_configure)(const char *json, u32 bytes) { return 0; }
#endif
u32 EXPORT(quern_reserve)(u32 bytes) {
  u32 start = ((u32)&__heap_base + 63) & ~63u, have = __builtin_wasm_memory_size(0) << 16;
  if (start + bytes > have && __builtin_wasm_memory_grow(0, (start + bytes - have + 0xffff) >> 16) == (__SIZE_TYPE__)-1) return 0;
  return start;
}
#ifndef STRIDE
#define STRIDE h[10]
#endif
#define COLUMN(i, row) (*(const double *)(f + ((const u32 *)(f + h[0] + (i) * STRIDE))[2] + (row) * ((const u32 *)(f + h[0] + (i) * STRIDE))[3]))
#define OPEN const u32 *h = (const u32 *)f; const u32 *idx = (const u32 *)(f + h[8]); double *out = (double *)(f + h[9]); if (h[1] >> 16 != 1) return 1;
#define EACH(i) for (u32 i = 0; i < h[3]; i++)
`

// with returns the definitions that a test wants, and then the prelude. Columns are those of node.score unless said.
func with(definitions string) string {
	columns := `"\"free:vcore\",\"attribute_code:zone\""`
	if strings.Contains(definitions, "POINT queue.order") {
		columns = `"\"pending_share\""`
	}
	return definitions + "\n#define TEXT2 " + columns + "\n" + prelude
}

// sound answers what it should.
const sound = `u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) out[idx[i]] = COLUMN(0, idx[i]); return 0; }`

// compile makes m.wasm of C in a fresh folder and returns its path.
func compile(t *testing.T, source string) string {
	t.Helper()
	for _, tool := range []string{"clang", "wasm-ld"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped, because %s is missing: make toolchains", tool)
		}
	}
	dir := t.TempDir()
	in, object, out := filepath.Join(dir, "m.c"), filepath.Join(dir, "m.o"), filepath.Join(dir, "m.wasm")
	if err := os.WriteFile(in, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"clang", "--target=wasm32", "-nostdlib", "-O2", "-c", in, "-o", object},
		{"wasm-ld", "--no-entry", "--stack-first", object, "-o", out},
	} {
		if said, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, said)
		}
	}
	return out
}

// judge holds a module to the contract as the command does.
func judge(t *testing.T, path string) *Report {
	t.Helper()
	s, err := tool.Find(path)
	if err != nil {
		t.Fatal(err)
	}
	h, err := s.Open(t.Context(), nil)
	var refused *tool.RefusedError
	if errors.As(err, &refused) {
		return Refused(s, refused, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := h.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	r, err := Run(t.Context(), h, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// failures are the checks that failed, by name, with what was expected and found.
func failures(r *Report) map[string]string {
	found := map[string]string{}
	for _, c := range r.Checks {
		if c.Result == "failed" {
			found[c.Name] = c.Expected + "; " + c.Found
		}
	}
	return found
}

func TestASoundModulePassesEveryCheck(t *testing.T) {
	r := judge(t, compile(t, with("")+sound))
	if found := failures(r); !r.Passed || len(found) > 0 || len(r.Checks) != 24 {
		t.Errorf("expected 24 checks to pass, found %d checks and %v", len(r.Checks), found)
	}
}

func TestEachBreachOfTheContractFailsItsCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped, because this is a short run, and there are many modules to compile")
	}
	for _, c := range []struct{ check, found, source string }{
		{"the same question gets the same answer", "item 0, key 0", with("") +
			`double calls; u32 EXPORT(node_score)(unsigned char *f) { OPEN calls++; EACH(i) out[idx[i]] = calls; return 0; }`},
		{"another instance answers the same", "", with("") + // what is left in the memory of the first call is another's
			`int asked; double first; u32 EXPORT(node_score)(unsigned char *f) { OPEN if (!asked && h[3]) { asked = 1; first = h[2]; } EACH(i) out[idx[i]] = first; return 0; }`},
		{"other batches in between change nothing", "", with("") +
			`double most; u32 EXPORT(node_score)(unsigned char *f) { OPEN if (h[3] > most) most = h[3]; EACH(i) out[idx[i]] = most; return 0; }`},
		{"a divided batch gets the same answers", "", with("") +
			`u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) out[idx[i]] = h[3]; return 0; }`},
		{"the order of rows changes nothing", "", with("") +
			`u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) out[idx[i]] = idx[i]; return 0; }`},
		{"other codes for the same texts change nothing", "item ", with("") +
			`u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) out[idx[i]] = COLUMN(1, idx[i]); return 0; }`},
		{"texts that appear later are accepted", "item ", with("") + // it listens once
			`u32 known, told; u32 EXPORT(quern_dictionary)(const u32 *data, u32 bytes) { if (!told++) known = data[0] + data[1]; return 0; }
			u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) out[idx[i]] = COLUMN(1, idx[i]) == 0 ? 0 : 1 + (COLUMN(1, idx[i]) < known); return 0; }`},
		{"no row, one row, 10,000 rows", "0 rows", with("") +
			`u32 EXPORT(node_score)(unsigned char *f) { OPEN if (h[2] == 0 && h[4] == 1) __builtin_trap(); EACH(i) out[idx[i]] = COLUMN(0, idx[i]); return 0; }`},
		{"zeros, huge and negative numbers", "found NaN", with("") +
			`u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) out[idx[i]] = COLUMN(0, idx[i]) == -1 ? __builtin_nan("") : 1; return 0; }`},
		{"NaN and infinities do not make it fail", "NaN in every column", with("") +
			`u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) { double v = COLUMN(0, idx[i]); if (v != v) __builtin_trap(); out[idx[i]] = v; } return 0; }`},
		{"it writes only answers", "offset 48 of the frame", with("") +
			`u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) out[idx[i]] = COLUMN(0, idx[i]); f[48] ^= 1; return 0; }`},
		{"it writes only answers", "outside of the frame", with("") +
			`u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) out[idx[i]] = COLUMN(0, idx[i]); f[-8] ^= 1; return 0; }`},
		{"it answers all rows asked about, and no others", "which was not asked about", with("") +
			`u32 EXPORT(node_score)(unsigned char *f) { OPEN for (u32 i = 0; i < h[2]; i++) out[i] = COLUMN(0, i); return 0; }`},
		{"it answers all rows asked about, and no others", "not answered", with("") + // it leaves out a row of few
			`u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) if (i != 32 || h[3] != 33) out[idx[i]] = COLUMN(0, idx[i]); return 0; }`},
		{"its memory does not grow in 10,000 calls", "after 10000", with("") +
			`u32 calls; u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) out[idx[i]] = COLUMN(0, idx[i]); if (++calls % 1000 == 0) __builtin_wasm_memory_grow(0, 1); return 0; }`},
		{"answers depend only on declared columns", "when other items change", with("") +
			`u32 EXPORT(node_score)(unsigned char *f) { OPEN double sum = 0; EACH(i) sum += COLUMN(0, idx[i]); EACH(i) out[idx[i]] = sum; return 0; }`},
		{"answers depend only on declared columns", "rows not asked about", with("#define DEPENDS siblings\n#define POINT queue.order") +
			`u32 EXPORT(queue_order)(unsigned char *f) { OPEN double sum = 0; for (u32 i = 0; i < h[2]; i++) { double v = COLUMN(0, i); sum += v == v ? v : 0; } EACH(i) out[idx[i]] = sum; return 0; }`},
		{"1, 1,000 and 10,000 rows are answered within its limits", "used up its fuel", with("") +
			`u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) { double v = 0; for (u32 k = 0; k < h[3]; k++) v += COLUMN(0, idx[i]) / (k + 1); out[idx[i]] = v; } return 0; }`},
		{"every default and every bound configures it", "weight = 9", ""},
		{"longer headers and descriptors are read by their sizes", "", with("#define STRIDE 16") + // the second descriptor is elsewhere
			`u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) out[idx[i]] = COLUMN(0, idx[i]) + (COLUMN(1, idx[i]) != 0); return 0; }`},
		{"unknown flags are ignored", "", with("") +
			`u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) out[idx[i]] = COLUMN(0, idx[i]) + (h[5] > 1); return 0; }`},
		{"frames of another major version are refused", "node.score: 0", with("") + "\n#undef OPEN\n" +
			`#define OPEN const u32 *h = (const u32 *)f; const u32 *idx = (const u32 *)(f + h[8]); double *out = (double *)(f + h[9]);` + "\n" + sound},
		{"its version and its manifest are the same every time", "others in instance 1", with("#define MANIFEST") +
			`static char changing[] = "{\"name\":\"m\",\"version\":\"1\",\"abi\":\"1.0\",\"points\":{\"node.score\":{\"columns\":[\"free:vcore\"],\"keys\":1,\"depends\":\"row\"}}}";
			const char *EXPORT(quern_manifest)(void) { changing[23]++; return changing; }` + sound},
		{"the host loads it", "expected version 1.0", with("#define ABI") + `u32 EXPORT(quern_abi)(void) { return 2u << 16; }` + sound},
		{"the host loads it", "missing-export", with("") + `int nothing;`},
	} {
		t.Run(c.check+" "+c.found, func(t *testing.T) {
			t.Parallel()
			if c.source == "" {
				c.source = with("#define CONFIGURE") + sound + // it takes no 9
					`u32 EXPORT(quern_configure)(const char *json, u32 bytes) { for (u32 i = 0; i < bytes; i++) if (json[i] == '9') return 2; return 0; }`
			}
			r := judge(t, compile(t, c.source))
			found := failures(r)
			if text, failed := found[c.check]; r.Passed || !failed || !strings.Contains(text, c.found) {
				t.Errorf("expected %q to fail with %q in what was found; failed: %v", c.check, c.found, found)
			}
		})
	}
}

func TestAReportReadsSo(t *testing.T) {
	r := judge(t, compile(t, with("")+`u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) out[idx[i]] = idx[i]; return 0; }`))
	var text, object strings.Builder
	if err := errors.Join(r.Text(&text), r.JSON(&object)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"purity\n  ok      the same question gets the same answer\n",
		"  FAILED  the order of rows changes nothing\n          expected equal answers\n          found node.score: item 0, key 0: 0 at first, then 99\n",
		"  skipped quern_error explains why a call failed: it does not export quern_error, which is optional\n",
		"\nm: ", " failed, 1 skipped\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("expected %q in\n%s", want, text.String())
		}
	}
	for _, want := range []string{`"passed": false`, `"result": "failed"`, `"group": "purity"`, `"sha256": "` + r.SHA256} {
		if !strings.Contains(object.String(), want) {
			t.Errorf("expected %s in\n%s", want, object.String())
		}
	}
}

func TestAScoreThatNeedNotDependOnTheAskIsToldSo(t *testing.T) {
	r := judge(t, compile(t, with("#define DEPENDS ask")+sound))
	for _, c := range r.Checks {
		if c.Group == "dependence" && strings.Contains(c.Note, "row is enough") {
			return
		}
	}
	t.Errorf("expected a note, found %+v", r.Checks)
}

func TestAModuleWithLittleMemoryNeedNotTakeManyRowsAtOnce(t *testing.T) {
	path := compile(t, with("")+sound)
	settings := strings.TrimSuffix(path, "wasm") + "toml"
	if err := os.WriteFile(settings, []byte("[limits]\nmemory = \"320KiB\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := judge(t, path); !r.Passed {
		t.Errorf("found %v", failures(r))
	}
}

// What the host makes of a batch, in pieces perhaps, must come to what one frame does.
func TestAnswersDoNotDependOnHowTheHostDividesABatch(t *testing.T) {
	sum := `u32 EXPORT(queue_order)(unsigned char *f) { OPEN double sum = 0; EACH(i) sum += COLUMN(0, idx[i]); EACH(i) out[idx[i]] = sum ? COLUMN(0, idx[i]) / sum : 0; return 0; }`
	for _, source := range []string{with("") + sound, with("#define DEPENDS siblings\n#define POINT queue.order") + sum} {
		if r := judge(t, compile(t, source)); !r.Passed {
			t.Errorf("found %v", failures(r))
		}
	}
	// The address of a row's answer differs from one layout to the other.
	r := judge(t, compile(t, with("")+`u32 EXPORT(node_score)(unsigned char *f) { OPEN EACH(i) out[idx[i]] = h[9]; return 0; }`))
	if found := failures(r)["1, 1,000 and 10,000 rows are answered within its limits"]; !strings.Contains(found, "equal answers") {
		t.Errorf("expected answers that differ with the layout to be found, found %v", failures(r))
	}
}
