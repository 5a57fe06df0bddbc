package program

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/cmd/quern/servecmd"
	"github.com/quern-project/quern/internal/await"
)

// liveHost is `quern serve` in this process.
type liveHost struct {
	http, grpc string        // addresses
	end        func() int    // ends it: the exit code
	ended      func() int    // waits until it has ended by itself: the exit code
	said       func() string // what it told on standard error; after end
}

// hostedWith starts `quern serve` in this process.
func hostedWith(t *testing.T, args ...string) *liveHost {
	t.Helper()
	return started(t, nil, "serve", args...)
}

// started starts a command that serves in this process.
func started(t *testing.T, extensions []servecmd.Extension, command string, args ...string) *liveHost {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	read, write := io.Pipe()
	code := make(chan int, 1)
	var diagnostics strings.Builder
	go func() {
		code <- run(ctx, append([]string{command, "--http", "127.0.0.1:0", "--grpc", "127.0.0.1:0"}, args...), cli.Streams{In: strings.NewReader(""), Out: write, Err: &diagnostics}, extensions...)
		_ = write.Close() // of a pipe: never fails
	}()
	line, err := bufio.NewReader(read).ReadString('\n')
	found := regexp.MustCompile(`^serving http=(\S+) grpc=(\S+) seq=\d+\n$`).FindStringSubmatch(line)
	if err != nil || found == nil {
		t.Fatalf("expected a line with the addresses, found %q (%v)", line, err)
	}
	ended := func() int { return await.Value(t, code, "the command to end") }
	return &liveHost{http: found[1], grpc: found[2], said: diagnostics.String, end: func() int { cancel(); return ended() }, ended: ended}
}

// hosted starts `quern serve` in this process, and returns its address and what ends it: the exit code.
func hosted(t *testing.T, args ...string) (address string, end func() int) {
	t.Helper()
	h := hostedWith(t, args...)
	return "http://" + h.http, h.end
}

// post sends inputs, and returns the status of the answer and its text.
func post(t *testing.T, address, body string) (int, string) {
	t.Helper()
	response, err := http.Post(address+"/v1/inputs", "application/jsonl", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close() // it was read
	return response.StatusCode, string(text)
}

func TestServe_ResumesWhereItEnded(t *testing.T) {
	dir := folder(t, map[string]string{"queues.yaml": "partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]"})
	data := filepath.Join(dir, "data")
	address, end := hosted(t, "--data", data, "--config", "queues.yaml")
	c := &client{key: "k", told: map[int]string{}, body: `{"type":"app.add","id":"x","queue":"root.a"}` + "\n" + `{"type":"ask.add","id":"x1","app":"x","resources":{"vcore":1}}`}
	if err := c.once(address); err != nil {
		t.Fatal(err)
	}
	if code := end(); code != cli.Succeeded {
		t.Errorf("exit code %d", code)
	}
	address, end = hosted(t, "--data", data, "--config", "queues.yaml")
	if body, _ := get(t, address+"/v1/asks/x1"); !strings.Contains(body, `"state":"pending"`) {
		t.Errorf("found %s", body)
	}
	if body, _ := get(t, address+"/v1/decisions?type=config.accepted"); strings.Count(body, "\n") != 1 {
		t.Errorf("a file that has not changed was applied again: %s", body)
	}
	quern("", "serve", "--data", data, "--http", "127.0.0.1:0").want(t, cli.BadInput, "", "has it open")
	if code := end(); code != cli.Succeeded {
		t.Errorf("exit code %d", code)
	}
	if err := os.WriteFile("queues.yaml", []byte("partitions: [{name: default, queues: [{name: root, queues: [{name: a}, {name: b}]}]}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	address, end = hosted(t, "--data", data, "--config", "queues.yaml")
	if body, _ := get(t, address+"/v1/queues/root.b"); !strings.Contains(body, `"leaf":true`) {
		t.Errorf("a file that has changed was not applied: %s", body)
	}
	end()
}

func TestWrongSettingsOfALiveScheduler(t *testing.T) {
	folder(t, map[string]string{"broken.yaml": "partitions: 3", "file": ""})
	for name, c := range map[string]struct {
		args []string
		err  string
	}{
		"a public address":   {[]string{"--http", "0.0.0.0:9080"}, "other machines may reach"},
		"a name":             {[]string{"--http", "example.org:80"}, "other machines may reach"},
		"no address":         {[]string{"--http", "9080"}, "expected an address"},
		"a file as a folder": {[]string{"--data", "file"}, "--data"},
		"a bad file":         {[]string{"--config", "broken.yaml", "--ephemeral"}, "broken.yaml:1:13"},
		"no file":            {[]string{"--config", "nowhere.yaml", "--ephemeral"}, "nowhere.yaml"},
		"both":               {[]string{"--data", "x", "--ephemeral"}, "ephemeral"},
		"a retention":        {[]string{"--retain", "long"}, "retain"},
		"no size":            {[]string{"--segment-size", "small"}, `--segment-size: expected a size such as 512MiB or 2GiB, found "small"`},
		"a small segment":    {[]string{"--segment-size", "63KiB"}, "--segment-size: expected 64KiB to 1GiB, found 63KiB"},
		"a large segment":    {[]string{"--segment-size", "1025MiB"}, "--segment-size: expected 64KiB to 1GiB, found 1025MiB"},
		"no snapshots":       {[]string{"--snapshot-batches", "0"}, "--snapshot-batches: expected 1 or more, found 0"},
		"one resource type":  {[]string{"--max-resource-types", "1"}, "--max-resource-types: expected 2 to 10000, found 1"},
		"no predicates":      {[]string{"--max-predicates", "0"}, "--max-predicates: expected 1 to 1000000, found 0"},
		"an argument":        {[]string{"now"}, "now"},
	} {
		args := append([]string{"serve"}, c.args...)
		if !strings.Contains(strings.Join(args, " "), "--http") {
			args = append(args, "--http", "127.0.0.1:0")
		}
		if r := quern("", args...); r.code != cli.BadInput || !strings.Contains(r.err, c.err) {
			t.Errorf("%s: exit code %d, %s", name, r.code, r.err)
		}
	}
}

func TestADamagedRecordIsNotServed(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	_, end := hosted(t, "--data", data)
	end()
	quern("", "journal", "stat", data).want(t, cli.Succeeded, "empty", "")
	address, end := hosted(t, "--data", data)
	c := &client{key: "k", told: map[int]string{}, body: `{"type":"node.add","id":"n1","capacity":{"vcore":1}}`}
	if err := c.once(address); err != nil {
		t.Fatal(err)
	}
	end()
	quern("", "journal", "stat", "--json", data).want(t, cli.Succeeded, `"decisions":1`, "")
	quern("", "journal", "export", "--from", "2100-01-01T00:00:00Z", data).want(t, cli.Succeeded, `"type":"journal"`, "note:")
	quern("", "journal", "export", "--from", "later", data).want(t, cli.BadInput, "", "--from")
	quern("", "journal", "compact", data).want(t, cli.Succeeded, "segments removed: 0", "")
	segment := filepath.Join(data, "00000000000000000001.log")
	text := []byte(read(t, segment))
	text[100] ^= 1
	if err := os.WriteFile(segment, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"serve", "--data", data, "--http", "127.0.0.1:0"}, {"journal", "verify", data}} {
		quern("", args...).want(t, cli.Failed, "", "00000000000000000001.log: damaged at offset 64")
	}
	quern("", "journal", "verify", filepath.Join(data, "nowhere")).want(t, cli.BadInput, "", "nowhere")
}
