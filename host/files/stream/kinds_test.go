//go:build unix

package stream

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const journalText = `{"at":"0s","type":"tick"}` + "\n"

// piped is the name of a descriptor that the text comes from, as a shell's process substitution makes it.
func piped(t *testing.T, text string) (string, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(); _ = w.Close() })
	if _, err := w.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return "/dev/fd/" + strconv.Itoa(int(r.Fd())), w
}

func TestJournalsAndConfigurationsMayComeByProcessSubstitution(t *testing.T) {
	env := Env{Context: t.Context()}
	name, w := piped(t, journalText)
	_ = w.Close()
	j, err := Journals([]string{name}, env)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := j.Source.Next(); err != nil || e.Input.Type() != "tick" {
		t.Errorf("found %v, %v", e, err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	name, w = piped(t, "partitions: []\n")
	_ = w.Close()
	if in, err := Config(name, env); err != nil || in.Config != "partitions: []\n" {
		t.Errorf("found %v, %v", in, err)
	}
}

func TestAStreamThatSaysNothingIsGivenUpWithTheContext(t *testing.T) {
	name, _ := piped(t, "partitions:")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := Text(name, Env{Context: ctx}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("found %v", err)
	}
}

func TestANamedPipeInThePlaceOfAFileIsRefusedAtOnce(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	env := Env{Context: t.Context(), Stdin: strings.NewReader(`{"at":"0s","type":"config.set","file":"` + pipe + `"}` + "\n")}
	_, asJournal := Journals([]string{pipe}, env)
	_, asConfig := Config(pipe, env)
	_, asMap := Openb(Trace{Map: pipe}, env)
	j, err := Journals([]string{Stdin}, env)
	if err != nil {
		t.Fatal(err)
	}
	_, named := j.Source.Next()
	for what, err := range map[string]error{"journal": asJournal, "configuration": asConfig, "map": asMap, "configuration in a journal": named} {
		if err == nil || !strings.Contains(err.Error(), pipe+": expected a file, found a named pipe") {
			t.Errorf("%s: found %v", what, err)
		}
	}
}

func TestConfig_CompressedAsConfigMapsHaveIt(t *testing.T) {
	const text = "partitions: []\n"
	var whole bytes.Buffer
	z := gzip.NewWriter(&whole)
	if _, err := z.Write([]byte(text)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	coded := base64.StdEncoding.EncodeToString(whole.Bytes())
	for name, content := range map[string]string{"queues.yaml.gz": whole.String(), "lines.yaml.gz": coded[:20] + "\n" + coded[20:] + "\n", "queues.toml.gz": coded} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := Config(path, Env{Context: t.Context()})
		if err != nil || in.Config != text || in.Format != strings.Split(name, ".")[1] {
			t.Errorf("%s: %+v, %v", name, in, err)
		}
	}
}
