package program

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/playground"
	"github.com/quern-project/quern/internal/await"
	"github.com/quern-project/quern/wasm/browser/site"
)

// served starts `quern playground` with arguments, and returns the address that it prints and what ends it: the exit code.
func served(t *testing.T, args ...string) (address string, end func() int) {
	t.Helper()
	return servedBy(t, append([]string{"playground", "--no-open"}, args...)...)
}

// servedBy starts a command that serves a site.
func servedBy(t *testing.T, args ...string) (address string, end func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	read, write := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, args, cli.Streams{In: strings.NewReader(""), Out: write, Err: io.Discard})
		_ = write.Close() // of a pipe: never fails
	}()
	line, err := bufio.NewReader(read).ReadString('\n')
	found := regexp.MustCompile(`http://\S+/(#\S+)?`).FindString(line)
	if err != nil || found == "" {
		t.Fatalf("expected a line with the address, found %q (%v)", line, err)
	}
	return found, func() int {
		cancel()
		return await.Value(t, code, "the command to end")
	}
}

func get(t *testing.T, address string) (string, *http.Response) {
	t.Helper()
	a, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Body.Close() }() // it was read
	body, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body), a
}

func TestThePlaygroundIsServedUntilItIsEnded(t *testing.T) {
	address, end := served(t, "--listen", "127.0.0.1:0")
	page, answer := get(t, address)
	if !strings.Contains(page, "Quern playground") || answer.Header.Get("Content-Security-Policy") == "" {
		t.Errorf("expected the page, with a policy; found %.200q", page)
	}
	for _, script := range regexp.MustCompile(`(?:src|href)="\./([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if _, a := get(t, address+script[1]); a.StatusCode != http.StatusOK {
			t.Errorf("%s: expected what the page names to be there, found %d", script[1], a.StatusCode)
		}
	}
	if playground.Whole(site.Files()) {
		if module, _ := get(t, address+"core.wasm.gz"); !strings.HasPrefix(module, "\x1f\x8b") {
			t.Errorf("expected the scheduler, compressed; found %.20q", module)
		}
	}
	if code := end(); code != cli.Succeeded {
		t.Errorf("ended by the user: expected %d, found %d", cli.Succeeded, code)
	}
}

func TestPlayground_LackingModulesSaysHowToGetThem(t *testing.T) {
	if playground.Whole(site.Files()) {
		t.Skip("skipped, because make build has put the modules into this program")
	}
	var out, errs strings.Builder
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // it ends as soon as it serves
	code := run(ctx, []string{"playground", "--no-open", "--listen", "127.0.0.1:0"}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	if code == cli.BadInput || !strings.Contains(errs.String(), "make build") {
		t.Errorf("exit code %d, found %q", code, errs.String())
	}
}

func TestThePlaygroundIsServedCompressed(t *testing.T) {
	address, end := served(t, "--listen", "127.0.0.1:0")
	page, _ := get(t, address)
	script := regexp.MustCompile(`src="\./(assets/[^"]+\.js)"`).FindStringSubmatch(page)
	if script == nil {
		t.Fatalf("expected a script, found %.400q", page)
	}
	whole, _ := get(t, address+script[1]) // the client decompresses
	for path, want := range map[string]string{script[1]: "gzip", "later/binaryen.wasm.gz": ""} {
		request, err := http.NewRequest(http.MethodGet, address+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept-Encoding", "gzip, br")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		sent, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close() // it was read
		if found := answer.Header.Get("Content-Encoding"); err != nil || found != want {
			t.Errorf("%s: expected the coding %q, found %q (%v)", path, want, found, err)
		}
		if path == script[1] && len(sent) > len(whole)/2 {
			t.Errorf("%s: expected less than half of %d bytes, found %d", path, len(whole), len(sent))
		}
	}
	if code := end(); code != cli.Succeeded {
		t.Errorf("expected %d, found %d", cli.Succeeded, code)
	}
}

func TestThePlaygroundOpensWithWhatItIsGiven(t *testing.T) {
	const config, journals = "../../../docs/examples/queues.yaml", "../../../docs/examples/journal.jsonl"
	address, end := served(t, "--listen", "127.0.0.1:0", "--grace", "1500ms", "--config", config, journals)
	root, fragment, _ := strings.Cut(address, "#")
	if fragment != "given" {
		t.Errorf("expected an address that names what was given, found %q", address)
	}
	journal, _ := get(t, root+"given.jsonl")
	for i, want := range []string{`{"type":"journal","version":1,"grace":"1.5s"}`, "# title: journal.jsonl", `"type":"config.set"`, `"type":"node.add"`} {
		if lines := strings.Split(journal, "\n"); i >= len(lines) || !strings.Contains(lines[i], want) {
			t.Errorf("line %d: expected %s in a journal that begins %.400q", i+1, want, journal)
		}
	}
	again := filepath.Join(t.TempDir(), "given.jsonl")
	if err := os.WriteFile(again, []byte(journal), 0o600); err != nil {
		t.Fatal(err)
	}
	if a, b := decided(t, again), decided(t, "--grace", "1500ms", "--config", config, journals); a != b || a == "" {
		t.Errorf("expected that what is given decides the same as what it was made of, found\n%s\nand\n%s", a, b)
	}
	if code := end(); code != cli.Succeeded {
		t.Errorf("expected %d, found %d", cli.Succeeded, code)
	}

	address, _ = served(t, "--listen", "127.0.0.1:0", "--config", config, "--grace", "2s")
	root, _, _ = strings.Cut(address, "#")
	if journal, _ := get(t, root+"given.jsonl"); strings.Count(journal, "\n") != 3 || !strings.HasPrefix(journal, `{"type":"journal","version":1,"grace":"2s"}`) || !strings.Contains(journal, `"at":"0s","type":"config.set"`) {
		t.Errorf("a configuration alone: expected a journal of it, found %.300q", journal)
	}
}

// decided are the decisions of a replay.
func decided(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs strings.Builder
	if code := run(context.Background(), append([]string{"replay", "--out", "-"}, args...), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); code != cli.Succeeded {
		t.Fatalf("%v: exit code %d: %s", args, code, errs.String())
	}
	return out.String()
}

func TestAPlaygroundThatCannotBeServedSaysWhy(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }() // the test is over
	for _, bad := range []struct {
		args []string
		want string
	}{
		{[]string{"--listen", taken.Addr().String()}, "--listen"},
		{[]string{"--listen", "nowhere"}, "--listen"},
		{[]string{"--dir", t.TempDir()}, "index.html"},
		{[]string{"absent.jsonl"}, "absent.jsonl"},
		{[]string{"--config", "absent.yaml"}, "absent.yaml"},
		{[]string{"../../../docs/examples/queues.yaml"}, "queues.yaml:1"},
		{[]string{"--grace", "-1s"}, "--grace"},
		{[]string{"-", "-"}, "expected - once"},
	} {
		var out, errs strings.Builder
		code := run(context.Background(), append([]string{"playground", "--no-open"}, bad.args...), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if code != cli.BadInput || !strings.Contains(errs.String(), bad.want) {
			t.Errorf("%v: expected exit code %d and %q, found %d: %s", bad.args, cli.BadInput, bad.want, code, errs.String())
		}
	}
}
