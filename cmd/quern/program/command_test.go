package program

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// result is what a command line came to.
type result struct {
	code     int
	out, err string
}

// quern runs a command line in this process.
func quern(stdin string, args ...string) result {
	var out, err bytes.Buffer
	code := run(context.Background(), args, cli.Streams{In: strings.NewReader(stdin), Out: &out, Err: &err})
	return result{code, out.String(), err.String()}
}

// folder is a fresh folder with these files, which the test then stands in.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return dir
}

// want fails unless the code is as expected and the texts hold what they should.
func (r result) want(t *testing.T, code int, out, err string) {
	t.Helper()
	if r.code != code || !strings.Contains(r.out, out) || !strings.Contains(r.err, err) {
		t.Errorf("exit code %d, want %d\nstdout, want %q in it:\n%s\nstderr, want %q in it:\n%s", r.code, code, out, r.out, err, r.err)
	}
}

// count is a number of the summary.
func (r result) count(t *testing.T, name string) float64 {
	t.Helper()
	var o map[string]any
	if err := json.Unmarshal([]byte(r.out), &o); err != nil {
		t.Fatalf("expected a JSON object: %v\n%s%s", err, r.out, r.err)
	}
	n, ok := o[name].(float64)
	if !ok {
		t.Fatalf("expected a number called %s in\n%s", name, r.out)
	}
	return n
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstandard(t *testing.T, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

// small is a node of two cores, and three asks of one core each: one waits until another ends.
const small = `{"type":"journal","version":1}
# a comment
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":2,"memory":"4Gi"}}
{"at":"1s","type":"app.add","id":"a","queue":"root.default"}
{"at":"2s","type":"ask.add","id":"x","app":"a","resources":{"vcore":1},"run":"10s","count":3}
{"at":"3s","type":"tick"}
`

const queues = `partitions:
- name: default
  queues:
  - name: root
    queues:
    - name: default
      resources:
        guaranteed: {vcore: 1}
        max: {vcore: 1}
`

const badQueues = `partitions:
- name: default
  queues:
  - name: root
    queues:
    - name: default
      resources:
        max: {vcore: 1.0001}
`
