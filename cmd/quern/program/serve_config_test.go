package program

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func queuesText(names string) string {
	return "partitions: [{name: default, queues: [{name: root, queues: [" + names + "]}]}]"
}

// soon waits until a route answers with a text.
func soon(t *testing.T, url, text string) {
	t.Helper()
	body := ""
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if body, _ = get(t, url); strings.Contains(body, text) {
			return
		}
	}
	t.Fatalf("%s: expected %s soon, found %s", url, text, body)
}

func TestAChangedConfigurationFileIsAppliedWhileItServes(t *testing.T) {
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
