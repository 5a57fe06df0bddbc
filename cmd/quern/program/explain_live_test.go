package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestALiveSchedulerIsAskedWhatAJournalIs(t *testing.T) {
	example(t, "limits.yaml", "limits.jsonl", "placement.yaml", "quota.yaml")
	journal := "limits.jsonl"
	const until = "4s"
	var inputs []string
	for _, line := range strings.Split(read(t, journal), "\n") {
		var in struct{ At, Type string }
		if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &in) != nil || in.At == "60s" || in.At == "90s" || in.Type == "journal" {
			continue
		}
		inputs = append(inputs, expanded(t, line)...)
	}
	if err := os.WriteFile("inputs.jsonl", []byte(strings.Join(inputs, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	address, _ := hosted(t, "--ephemeral", "--config", "limits.yaml")
	t.Setenv("QUERN_SERVER", address)
	quern("", "submit", "inputs.jsonl").want(t, cli.Succeeded, "allocation", "")
	for _, args := range []string{ // as many as a host answers at once
		"--limits", "--limits --user bob --groups course", "--limits --user nobody", "--queue root.lab --user eve --groups course",
		"--queue root.lab --user ", "--queue root.lab --max vcore=3", "--place --user eve --to root.none --tag a=b --tag c=d=e", "--place --partition gpu",
	} {
		of := strings.Split(args, " ")
		want := quern("", append([]string{"explain", "--config", "limits.yaml", journal, "--at", until}, of...)...)
		if want.code != cli.Succeeded || want.out == "" {
			t.Fatalf("%s: of the journal: %+v", args, want)
		}
		quern("", append([]string{"explain"}, of...)...).want(t, cli.Succeeded, want.out, "")
		var offline, live map[string]any
		journalText, liveText := quern("", append([]string{"explain", "--config", "limits.yaml", journal, "--at", until, "--json"}, of...)...).out, quern("", append([]string{"explain", "--json"}, of...)...).out
		if err := errors.Join(json.Unmarshal([]byte(journalText), &offline), json.Unmarshal([]byte(liveText), &live)); err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		delete(offline, "at")
		delete(live, "at")
		if !reflect.DeepEqual(offline, live) {
			t.Errorf("%s: expected\n%s\nfound\n%s", args, journalText, liveText)
		}
	}
}

func TestWhatAQuestionToALiveSchedulerRefuses(t *testing.T) {
	withCluster(t)
	for args, c := range map[string]struct {
		code int
		err  string
	}{
		"--queue root.none --user eve":    {cli.Failed, "root.none"},
		"--queue root.none --max vcore=1": {cli.Failed, "root.none"},
		"--queue root.a --max vcore":      {cli.BadInput, "--max: expected type=amount"},
		"--place --tag namespace":         {cli.BadInput, "--tag: expected name=value"},
		"--limits --groups a,,b":          {cli.BadInput, "--groups: expected names joined by commas"},
		"--limits --server ftp://x":       {cli.BadInput, "--server: expected an address"},
		"--place --user a --at 3s":        {cli.BadInput, "expected a journal"},
	} {
		quern("", append([]string{"explain"}, strings.Split(args, " ")...)...).want(t, c.code, "", c.err)
	}
}

// expanded are the lines that a line of a journal stands for, as a host takes them.
func expanded(t *testing.T, line string) (all []string) {
	t.Helper()
	var in map[string]any
	if err := json.Unmarshal([]byte(line), &in); err != nil {
		t.Fatal(err)
	}
	count, many := in["count"].(float64)
	delete(in, "at")
	delete(in, "count")
	id := in["id"]
	for n := range int(max(1, count)) {
		if many {
			in["id"] = fmt.Sprintf("%v-%d", id, n+1)
		}
		text, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text))
	}
	return all
}
