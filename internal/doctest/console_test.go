package doctest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// folder is where the program is built. TestMain makes and removes it.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "quern-doctest-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// compile builds the program, once for all tests that want it.
var compile = sync.OnceValue(func() error {
	cmd := exec.Command("go", "build", "-o", filepath.Join(folder, "quern"), "./cmd/quern")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
})

// build returns the folder that the program is in.
func build(t *testing.T) string {
	t.Helper()
	if err := compile(); err != nil {
		t.Fatal(err)
	}
	return folder
}

// environment is that of the test without settings of quern's, and with the program found first. A make that runs the tests
// must not make those of the pages talk of folders.
func environment(bin string) []string {
	kept := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "QUERN_") || strings.HasPrefix(v, "PATH=") || strings.HasPrefix(v, "MAKE") || strings.HasPrefix(v, "MFLAGS=")
	})
	return append(kept, "NO_COLOR=1", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// live has a scheduler that a page starts served on free ports, where the page's commands find it, and keeps them from the contexts of
// whoever runs the test.
func live(t *testing.T) []string {
	t.Helper()
	var ports [2]string
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }() // after both are known, so that they differ
		ports[i] = l.Addr().String()
	}
	home := t.TempDir()
	return []string{"QUERN_HTTP=" + ports[0], "QUERN_GRPC=" + ports[1], "QUERN_SERVER=" + ports[0], "HOME=" + home, "XDG_CONFIG_HOME=" + home}
}

func TestEveryConsoleBlockShowsWhatIsPrinted(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("skipped, because there is no sh")
	}
	if runtime.GOOS == "windows" {
		t.Skip("skipped, because the pages are written for a Unix shell")
	}
	env := append(environment(build(t)), live(t)...)
	count := 0
	for _, name := range pages(t) {
		commands := Commands(read(t, name))
		if len(commands) == 0 {
			continue
		}
		count += len(commands)
		t.Run(filepath.Base(name), func(t *testing.T) { runPage(t, name, commands, env) })
	}
	if count < 20 {
		t.Errorf("only %d commands found in the pages", count)
	}
}

// runPage runs a page's commands from the top in one folder, which holds the examples.
func runPage(t *testing.T, name string, commands []Command, env []string) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "docs/examples"))); err != nil {
		t.Fatal(err)
	}
	text := read(t, name)
	written := 0
	for i := range commands {
		c := commands[i]
		if lacking := missing(t, c.Needs, dir); lacking != "" {
			t.Run(fmt.Sprintf("line %d", c.Line), func(t *testing.T) { t.Skipf("skipped, because there is no %s: $ %s", lacking, c.Text) })
			continue
		}
		written += writeFiles(t, dir, Files(text)[written:], c.Line)
		cmd := exec.Command("sh", "-c", c.Text)
		cmd.Dir, cmd.Env = dir, env
		out, _ := cmd.CombinedOutput() // the page shows exit codes where they matter
		if Shows(c.Output, string(out)) {
			continue
		}
		if !*update {
			t.Errorf("%s:%d: $ %s\nis shown as\n%s\nand prints\n%s", name, c.Line, c.Text, c.Output, out)
			continue
		}
		text = Rewritten(text, c, string(out))
		copy(commands[i+1:], Commands(text)[i+1:])
	}
	if *update {
		write(t, name, text)
	}
}

// missing returns the first of these programs that is not on the path, nothing where all are. A policy, NAME.wasm, is one that was built, and is
// copied to the folder of the page.
func missing(t *testing.T, programs []string, dir string) string {
	for _, p := range programs {
		if strings.HasSuffix(p, ".wasm") {
			module, err := os.ReadFile(filepath.Join(root, "build", "policies", p))
			if err != nil {
				return p
			}
			write(t, filepath.Join(dir, p), string(module))
			continue
		}
		if _, err := exec.LookPath(p); err != nil {
			return p
		}
	}
	return ""
}

// writeFiles writes the files that stand before a line of their page, and returns how many.
func writeFiles(t *testing.T, dir string, files []File, line int) int {
	t.Helper()
	for i, f := range files {
		if f.Line > line {
			return i
		}
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, path, f.Text)
	}
	return len(files)
}

// samplePage has blocks of each kind.
const samplePage = "text\n```console\n$ one\nprints\n```\n```c file=new/a.c\nint a;\n\nint b;\n```\n```c\n$ no command\n```\n" +
	"```console needs clang wasm-ld\n$ two\n$ three\n```\n```console needed\n$ four\n```\n```toml file=b.toml\n```\n"

func TestBlocksSayWhatTheyNeed(t *testing.T) {
	needs := []string{"clang", "wasm-ld"}
	want := []Command{
		{Line: 3, Text: "one", Output: "prints\n", last: 4},
		{Line: 15, Text: "two", Needs: needs, last: 15},
		{Line: 16, Text: "three", Needs: needs, last: 16},
	}
	if got := Commands(samplePage); !reflect.DeepEqual(got, want) {
		t.Errorf("expected %+v, found %+v", want, got)
	}
	if got := missing(t, []string{"sh", "no-such-program", "nor-this"}, t.TempDir()); got != "no-such-program" {
		t.Errorf("expected no-such-program to be missing, found %q", got)
	}
}

func TestDocPage_FilesBeforeCommands(t *testing.T) {
	want := []File{{Line: 6, Name: "new/a.c", Text: "int a;\n\nint b;\n"}, {Line: 21, Name: "b.toml"}}
	files := Files(samplePage)
	if !reflect.DeepEqual(files, want) {
		t.Fatalf("expected %+v, found %+v", want, files)
	}
	dir := t.TempDir()
	for _, c := range []struct{ line, count int }{{3, 0}, {15, 1}, {30, 2}} {
		if got := writeFiles(t, dir, files, c.line); got != c.count {
			t.Errorf("line %d: expected %d files, found %d", c.line, c.count, got)
		}
	}
	if got := read(t, filepath.Join(dir, "new/a.c")); got != want[0].Text {
		t.Errorf("expected %q, found %q", want[0].Text, got)
	}
}

func TestBothFormatsOfTheExampleSayTheSame(t *testing.T) {
	env := environment(build(t))
	printed := map[string]bool{}
	for _, name := range []string{"queues.yaml", "queues.toml"} {
		cmd := exec.Command("sh", "-c", "quern validate --print "+name)
		cmd.Dir, cmd.Env = filepath.Join(root, "docs/examples"), env
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		printed[string(out)] = true
	}
	if len(printed) != 1 {
		t.Errorf("queues.yaml and queues.toml differ: %v", printed)
	}
}

func TestDotsInWhatIsShownStandForAnything(t *testing.T) {
	cases := []struct {
		name, shown, printed string
		want                 bool
	}{
		{"the same", "a\nb\n", "a\nb\n", true},
		{"blanks at the end", "a\n", "a   \n\n", true},
		{"another line", "a\n", "a\nb\n", false},
		{"lines left out", "a\n...\nd\n", "a\nb\nc\nd\n", true},
		{"no lines left out", "a\n...\nb\n", "a\nb\n", true},
		{"the rest left out", "a\n...\n", "a\nb\n", true},
		{"text left out", "took ... in all\n", "took 3ms in all\n", true},
		{"text left out ends with its line", "took ... in all\n", "took\n3ms in all\n", false},
		{"all left out", "...\n", "", true},
		{"nothing shown", "", "a\n", false},
		{"what looks like an expression", "a.c*\n", "abc*\n", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := Shows(c.shown, c.printed); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
