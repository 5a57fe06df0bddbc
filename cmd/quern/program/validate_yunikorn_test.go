package program

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

const fromYuniKorn = `kind: ConfigMap
data:
  log.level: INFO
  queues.yaml: |
    partitions:
      - name: default
        queues:
          - name: root
            submitacl: "*"
            queues:
              - name: a
                properties:
                  application.sort.policy: stateaware
`

func TestAConfigMapBecomesAConfigurationAndNotes(t *testing.T) {
	folder(t, map[string]string{"cm.yaml": fromYuniKorn})
	r := quern("", "validate", "--from", "yunikorn", "cm.yaml")
	r.want(t, cli.Succeeded, "application.sort.policy: stateaware", "note: cm.yaml:13:19: root.a: application.sort.policy: in YuniKorn stateaware means fifo; here")
	if !strings.Contains(r.err, "note: cm.yaml:3:3: settings: log.level: ") || strings.Count(r.err, "\n") != 2 {
		t.Errorf("notes:\n%s", r.err)
	}
	quern(r.out, "validate", "-").want(t, cli.Succeeded, "stdin: valid", "")
	quern(fromYuniKorn, "validate", "--from", "yunikorn", "-").want(t, cli.Succeeded, "partitions:", "note: stdin:13:19:")
	quern("", "validate", "cm.yaml").want(t, cli.BadInput, "", `found "kind"`)
}

func TestNotesAndTheNormalFormAreInTheObject(t *testing.T) {
	folder(t, map[string]string{"cm.yaml": fromYuniKorn, "bad.yaml": strings.Replace(fromYuniKorn, "stateaware", "rank", 1), "none.yaml": "kind: ConfigMap\ndata: {a: b}\n"})
	r := quern("", "validate", "--json", "--from", "yunikorn", "cm.yaml", "bad.yaml", "none.yaml")
	r.want(t, cli.BadInput, "", "")
	var o struct {
		Files []struct {
			Valid       bool
			Errors      []struct{ Text string }
			Differences []struct{ Key, There, Here string }
			Normalised  string
		}
	}
	if err := json.Unmarshal([]byte(r.out), &o); err != nil || len(o.Files) != 3 {
		t.Fatalf("%v\n%s", err, r.out)
	}
	good, bad, none := o.Files[0], o.Files[1], o.Files[2]
	if !good.Valid || len(good.Differences) != 2 || good.Differences[1].Here == "" || !strings.HasPrefix(good.Normalised, "partitions:") {
		t.Errorf("cm.yaml: %+v", good)
	}
	if bad.Valid || len(bad.Differences) > 0 || !strings.HasPrefix(bad.Errors[0].Text, "bad.yaml:13:44: root.a: ") {
		t.Errorf("bad.yaml: %+v", bad)
	}
	if none.Valid || none.Errors[0].Text != "none.yaml:2:7: data: expected an entry queues.yaml or queues.yaml.gz, found none" {
		t.Errorf("none.yaml: %+v", none)
	}
}
