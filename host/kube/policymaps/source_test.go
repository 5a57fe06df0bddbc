package policymaps

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/quern-project/quern/internal/await"
)

// configMap holds the module score, with settings unless they are empty. It is that many seconds old at time zero.
func configMap(name, module, settings string, age int64) *corev1.ConfigMap {
	m := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: "quern", Name: name, Labels: map[string]string{Label: "true"}, CreationTimestamp: metav1.Unix(-age, 0)},
		BinaryData: map[string][]byte{"score.wasm": []byte(module)},
	}
	if settings != "" {
		m.Data = map[string]string{"score.toml": settings}
	}
	return m
}

// log is a log that a test reads while it is written.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.text.String(), text)
}

// file is the content of a file; empty: it is not there.
func file(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheFolderFollowsTheConfigMaps(t *testing.T) {
	unlabelled := configMap("other", "no", "", 0)
	unlabelled.Labels = nil
	elsewhere := configMap("elsewhere", "no", "", 0)
	elsewhere.Namespace = "default"
	client, dir, told := fake.NewClientset(configMap("a", "one", "fuel = 1", 10), unlabelled, elsewhere), t.TempDir(), &log{}
	s, err := New(Options{Client: client, Namespace: "quern", Dir: dir, Log: slog.New(slog.NewTextHandler(told, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { s.Run(ctx); close(ended) }()
	maps := client.CoreV1().ConfigMaps("quern")
	is := func(module, settings string) func() bool {
		return func() bool { return file(t, dir, "score.wasm") == module && file(t, dir, "score.toml") == settings }
	}
	await.True(t, "the module", is("one", "fuel = 1"))

	if _, err := maps.Update(t.Context(), configMap("a", "two", "", 10), metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	await.True(t, "the module that has changed, without settings", is("two", ""))

	if _, err := maps.Create(t.Context(), configMap("b", "three", "", 5), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	await.True(t, "an error that names both", func() bool { return told.has("ConfigMap quern/b: score.wasm") && told.has("older ConfigMap a") })
	if !is("two", "")() {
		t.Error("the newer ConfigMap counts")
	}

	if err := maps.Delete(t.Context(), "a", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	await.True(t, "the module of the other", is("three", ""))
	if err := maps.Delete(t.Context(), "b", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	await.True(t, "nothing", is("", ""))
	cancel()
	<-ended
}

// Settings alone could name a program, which then would run as the user of the host.
func TestSettingsWithoutAModuleAreRefused(t *testing.T) {
	dir := t.TempDir()
	s, err := New(Options{Dir: dir, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	m := configMap("a", "", "[process]\ncommand = \"rm\"", 0)
	m.BinaryData = nil
	if err := s.take([]*corev1.ConfigMap{m}); err == nil || !strings.Contains(err.Error(), "score.toml: expected the file score.wasm beside it") {
		t.Error(err)
	}
	if file(t, dir, "score.toml") != "" {
		t.Error("the settings are in the folder")
	}
}
