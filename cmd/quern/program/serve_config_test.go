package program

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/internal/await"
)

func queuesText(names string) string {
	return "partitions: [{name: default, queues: [{name: root, queues: [" + names + "]}]}]"
}

// soon waits until a route answers with a text.
func soon(t *testing.T, url, text string) {
	t.Helper()
	await.True(t, url+" to answer with "+text, func() bool {
		body, _ := get(t, url)
		return strings.Contains(body, text)
	})
}

func TestServe_AppliesAChangedConfigurationFile(t *testing.T) {
	dir := folder(t, map[string]string{"queues.yaml": queuesText("{name: a}")})
	file, data := filepath.Join(dir, "queues.yaml"), filepath.Join(dir, "data")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file+".new", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(file+".new", file); err != nil { // as editors do
			t.Fatal(err)
		}
	}
	address, end := hosted(t, "--data", data, "--config", file)
	write(queuesText("{name: a}, {name: b}"))
	soon(t, address+"/v1/queues/root.b", `"leaf":true`)
	soon(t, address+"/v1/config/history", `"number":2`)

	write(queuesText("{name: a, maxapplications: lots}"))
	soon(t, address+"/v1/config/history", `"file":{"file":"`+file+`","error":"`)
	if body, _ := get(t, address+"/v1/config"); body != queuesText("{name: a}, {name: b}") {
		t.Errorf("a wrong file was put in force: %s", body)
	}
	if _, ready := get(t, address+"/readyz"); ready.StatusCode != http.StatusOK {
		t.Errorf("a wrong file made the host unready: %s", ready.Status)
	}
	write(queuesText("{name: a}, {name: c}"))
	soon(t, address+"/v1/config", "c}")
	if body, _ := get(t, address+"/v1/config/history"); strings.Contains(body, `"error"`) || strings.Count(body, `"source":"file"`) != 3 {
		t.Errorf("found %s", body)
	}
	end()

	address, end = hosted(t, "--data", data, "--config", file, "--watch=false")
	if body, _ := get(t, address+"/v1/config/history"); strings.Count(body, `"source":"file"`) != 3 {
		t.Errorf("the history did not survive: %s", body)
	}
	end()
}

func TestConfigFile_BesideBusyOnes(t *testing.T) {
	dir := folder(t, map[string]string{"queues.yaml": queuesText("{name: a}"), "serve.log": ""})
	file := filepath.Join(dir, "queues.yaml")
	write := func(text string) {
		t.Helper()
		if err := errors.Join(os.WriteFile(file+".new", []byte(text), 0o600), os.Rename(file+".new", file)); err != nil {
			t.Fatal(err)
		}
	}
	h := hostedWith(t, "--ephemeral", "--config", file)
	soon(t, "http://"+h.http+"/metrics", `quern_config_refused{source="file"} 0`)
	wrong := queuesText("{name: a, maxapplications: lots}")
	write(wrong)
	soon(t, "http://"+h.http+"/metrics", `quern_config_refused{source="file"} 1`)
	soon(t, "http://"+h.http+"/v1/stats", `"configuration":{"number":1,"source":"file","file":"`+file+`","since":"`)
	soon(t, "http://"+h.http+"/v1/stats", `"refused":[{"source":"file","file":"`+file+`","since":"`)
	for range 3 {
		if err := os.WriteFile(filepath.Join(dir, "serve.log"), []byte("a line\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		write(wrong) // touched
	}
	write(queuesText("{name: a}"))
	soon(t, "http://"+h.http+"/metrics", `quern_config_refused{source="file"} 0`)
	write(queuesText("{name: a}, {name: b}"))
	soon(t, "http://"+h.http+"/v1/config/history", `"number":2`)
	h.end()
	for text, want := range map[string]int{"the configuration is unchanged": 1, "the configuration is valid again": 1, "the configuration has been applied": 1} {
		if n := strings.Count(h.said(), text); n != want {
			t.Errorf("%q was logged %d times: %s", text, n, h.said())
		}
	}
}

func TestConfigFile_OfAConfigMap(t *testing.T) {
	dir := t.TempDir()
	for version, text := range map[string]string{"v1": queuesText("{name: a}"), "v2": "partitions: 3"} {
		if err := errors.Join(os.Mkdir(filepath.Join(dir, version), 0o700), os.WriteFile(filepath.Join(dir, version, "queues.yaml"), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("v1", filepath.Join(dir, "..data")), os.Symlink("..data/queues.yaml", filepath.Join(dir, "queues.yaml"))); err != nil {
		t.Fatal(err)
	}
	address, end := hosted(t, "--ephemeral", "--config", filepath.Join(dir, "queues.yaml"))
	if err := errors.Join(os.Symlink("v2", filepath.Join(dir, "..next")), os.Rename(filepath.Join(dir, "..next"), filepath.Join(dir, "..data"))); err != nil {
		t.Fatal(err)
	}
	soon(t, address+"/metrics", `quern_config_refused{source="configmap"} 1`)
	soon(t, address+"/metrics", `quern_config_time_seconds{source="configmap"}`)
	end()
}
