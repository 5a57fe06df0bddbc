package program

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

const implausibleQueues = `partitions:
- name: default
  queues:
  - name: root
    queues:
    - name: a
      resources: {max: {memroy: 4, memory: 64, vcore: 2000000, nvidia.com/gpus: 2}}
      properties: {priority.offset: high}
`

func TestValidateWarnsAboutLikelySlipsAlsoBesideErrors(t *testing.T) {
	folder(t, map[string]string{"q.yaml": implausibleQueues, "bad.yaml": implausibleQueues + "      bogus: 1\n",
		"good.yaml": strings.Replace(implausibleQueues, "{memroy: 4, memory: 64, vcore: 2000000, nvidia.com/gpus: 2}", "{memory: 1Mi, vcore: 999999, fpga: 1}", 1)})
	for file, code := range map[string]int{"q.yaml": cli.Succeeded, "bad.yaml": cli.BadInput} {
		r := quern("", "validate", file)
		for _, want := range []string{
			`warning: ` + file + `:7:25: root.a: resources.max.memroy: "memroy" is an unusual resource type; is "memory" meant?`,
			`warning: ` + file + `:7:44: root.a: resources.max.memory: 64 bytes of memory are implausible; is a suffix such as Mi or Gi missing?`,
			`warning: ` + file + `:7:55: root.a: resources.max.vcore: 2000000 cores are implausible; is the suffix m, for thousandths of a core, missing?`,
			`warning: ` + file + `:7:64: root.a: resources.max.nvidia.com/gpus: "nvidia.com/gpus" is an unusual resource type; is "nvidia.com/gpu" meant?`,
			`warning: ` + file + `:8:37: root.a: priority.offset: "high" is not a 32-bit number; 0 is used`,
		} {
			r.want(t, code, "", want)
		}
	}
	quern("", "validate", "--json", "bad.yaml").want(t, cli.BadInput, `"key": "resources.max.memroy"`, "")
	if r := quern("", "validate", "good.yaml"); strings.Count(r.err, "warning") != 1 { // that of the offset
		t.Errorf("found %s", r.err)
	}
}

func TestReplayWarnsAboutLikelySlips(t *testing.T) {
	folder(t, map[string]string{"q.yaml": implausibleQueues, "j.jsonl": `{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":8,"memory":"8Gi","example.com/tpu":2}}
{"at":"0s","type":"node.add","id":"n2","capacity":{"vcore":20000,"memory":512}}
{"at":"0s","type":"app.add","id":"a","queue":"root.a"}
{"at":"0s","type":"ask.add","id":"k","app":"a","resources":{"vcores":1,"memory":64,"example.com/tpus":1,"fpga":1}}
`})
	r := quern("", "replay", "--config", "q.yaml", "j.jsonl")
	for _, want := range []string{
		`warning: q.yaml:7:25: root.a: resources.max.memroy: no node has the resource type "memroy"; is "memory" meant?`,
		`warning: j.jsonl:4: ask.add k: resources.vcores: no node has the resource type "vcores"; is "vcore" meant?`,
		`warning: j.jsonl:4: ask.add k: resources.example.com/tpus: no node has the resource type "example.com/tpus"; is "example.com/tpu" meant?`,
		`warning: j.jsonl:4: ask.add k: resources.memory: 64 bytes of memory are implausible`,
		`warning: j.jsonl:2: node.add n2: capacity.memory: 512 bytes of memory are implausible`,
		`warning: j.jsonl:2: node.add n2: capacity.vcore: 20000 cores are implausible`,
	} {
		r.want(t, cli.Succeeded, "", want)
	}
	if strings.Contains(r.err, "fpga") || strings.Count(r.err, "is not a 32-bit number") != 1 {
		t.Errorf("expected no warning about fpga, and each warning once, found %s", r.err)
	}
	if r := quern("", "replay", "j.jsonl", "--compare", "q.yaml"); strings.Count(r.err, `"example.com/tpus"`) != 1 || strings.Count(r.err, `"memroy"`) != 1 {
		t.Errorf("expected each warning once, found %s", r.err)
	}
}

func TestAReloadWarnsAboutLikelySlips(t *testing.T) {
	dir := folder(t, map[string]string{"queues.yaml": implausibleQueues})
	file := filepath.Join(dir, "queues.yaml")
	h := hostedWith(t, "--ephemeral", "--config", file)
	if code, text := post(t, "http://"+h.http, `{"type":"node.add","id":"n","capacity":{"vcore":1,"example.com/tpu":1}}`); code != http.StatusOK {
		t.Fatal(text)
	}
	changed := strings.Replace(implausibleQueues, "nvidia.com/gpus", "example.com/tpus", 1)
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	soon(t, "http://"+h.http+"/v1/config", "tpus")
	put, err := http.NewRequest(http.MethodPost, "http://"+h.http+"/v1/config/validate", strings.NewReader(changed))
	if err != nil {
		t.Fatal(err)
	}
	put.Header.Set("Content-Type", "application/yaml")
	answer, err := http.DefaultClient.Do(put)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil || !strings.Contains(string(body), `is \"example.com/tpu\" meant?`) {
		t.Errorf("found %s, %v", body, err)
	}
	if code := h.end(); code != cli.Succeeded {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{`resources.max.memory: 64 bytes of memory are implausible`, `is \"nvidia.com/gpu\" meant?`, `is \"example.com/tpu\" meant?`} {
		if !strings.Contains(strings.ReplaceAll(h.said(), `\\\"`, `\"`), want) {
			t.Errorf("expected a warning with %s, found %s", want, h.said())
		}
	}
}
