package program

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// fixture is a small cluster: two nodes, an application that runs, and one that waits for more than there is.
const fixture = `{"type":"node.add","id":"n1","capacity":{"vcore":4,"memory":"8Gi"},"attributes":{"zone":"east"}}
{"type":"node.add","id":"n2","capacity":{"vcore":4,"memory":"8Gi","nvidia.com/gpu":2},"occupied":{"vcore":1}}
{"type":"app.add","id":"train","queue":"root.a","user":"ann"}
{"type":"ask.add","id":"w1","app":"train","resources":{"vcore":2,"memory":"1Gi"},"priority":5}
{"type":"ask.add","id":"w2","app":"train","resources":{"vcore":"500m"},"node":"n2"}
{"type":"app.add","id":"big","queue":"root.b","user":"bob"}
{"type":"ask.add","id":"huge","app":"big","resources":{"vcore":100}}
`

const fixtureQueues = `partitions:
- name: default
  queues:
  - name: root
    queues:
    - name: a
      resources: {guaranteed: {vcore: 2}, max: {vcore: 6}}
    - name: b
`

// withCluster serves the fixture and has commands find it.
func withCluster(t *testing.T) (address string) {
	t.Helper()
	dir := folder(t, map[string]string{"queues.yaml": fixtureQueues, "inputs.jsonl": fixture})
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	t.Setenv("HOME", dir)
	address, _ = hosted(t, "--ephemeral", "--config", "queues.yaml")
	t.Setenv("QUERN_SERVER", address)
	quern("", "submit", "inputs.jsonl").want(t, cli.Succeeded, "allocation        w1 on n1 in root.a", "")
	return address
}

// times are what differs from run to run.
var times = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+Z)?|\d\d:\d\d:\d\d`)

var updateHost = flag.Bool("update-host", false, "write anew what commands about a host print")

func TestEveryOutputOfGet(t *testing.T) {
	file, err := filepath.Abs("testdata/get.golden")
	if err != nil {
		t.Fatal(err)
	}
	withCluster(t)
	var all strings.Builder
	for _, args := range []string{
		"get queues", "get queue root.a", "get queues -o wide", "get queues -o name",
		"get nodes", "get nodes -o wide", "get nodes -o name", "get apps", "get apps --queue root.b",
		"get asks", "get asks -o wide", "get asks --state pending -o name", "get asks --node n2", "get asks --queue root.nowhere",
		"get decisions", "get decisions --type app.accepted -o json", "get decisions --from 3 --limit 2",
		"explain --ask huge", "explain --ask huge --preempt", "explain --queue root.b", "explain --app train",
	} {
		r := quern("", strings.Split(args, " ")...)
		if r.code != cli.Succeeded {
			t.Errorf("%s: exit code %d, %s", args, r.code, r.err)
		}
		all.WriteString("$ quern " + args + "\n" + times.ReplaceAllString(r.out, "TIME") + r.err + "\n")
	}
	if *updateHost {
		if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := read(t, file); want != all.String() {
		t.Errorf("expected\n%s\nfound\n%s", want, all.String())
	}
	for line := range strings.Lines(all.String()) {
		if n := len([]rune(line)); n > 81 && strings.HasPrefix(line, "root") && !strings.Contains(line, "fair") && !strings.Contains(line, "fifo") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestDecisionsAreFoldedToTheTerminal(t *testing.T) {
	withCluster(t)
	unfolded := quern("", "get", "decisions", "--last", "1000").out
	t.Setenv("COLUMNS", "80")
	folded := quern("", "get", "decisions", "--last", "1000").out
	for line := range strings.Lines(folded) {
		if n := len([]rune(line)) - 1; n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if words := strings.Fields(unfolded); folded == unfolded || !reflect.DeepEqual(words, strings.Fields(folded)) {
		t.Errorf("expected the words of\n%s\nfound\n%s", unfolded, folded)
	}
}

func TestProgramsGetWhatTheHostSent(t *testing.T) {
	address := withCluster(t)
	for args, path := range map[string]string{
		"get queue root.a": "queues/root.a", "get node n2": "nodes/n2", "get app big": "apps/big", "get ask huge": "asks/huge",
		"get asks": "asks", "get asks --state pending": "asks?state=pending", "get asks --user ann": "asks?user=ann", "get nodes --limit 5": "nodes?limit=5", "get nodes --state schedulable": "nodes?state=schedulable",
	} {
		text, _ := get(t, address+"/v1/"+path)
		var sent, asJSON, asYAML any
		in := strings.Split(args, " ")
		err := errors.Join(json.Unmarshal([]byte(text), &sent), json.Unmarshal([]byte(quern("", append(in, "-o", "json")...).out), &asJSON),
			yaml.Unmarshal([]byte(quern("", append(in, "-o", "yaml")...).out), &asYAML))
		again, failed := json.Marshal(asYAML) // YAML has integers where JSON has numbers
		if err := errors.Join(err, failed, json.Unmarshal(again, &asYAML)); err != nil || sent == nil {
			t.Errorf("%s: %v", args, err)
		}
		if page, _ := sent.(map[string]any); page["items"] != nil {
			delete(page, "seq") // a list may be of several pages
		}
		if !reflect.DeepEqual(sent, asJSON) || !reflect.DeepEqual(sent, asYAML) {
			t.Errorf("%s: expected\n%v\nfound\n%v\nand\n%v", args, sent, asJSON, asYAML)
		}
	}
	quern("", "explain", "--ask", "w1", "--json").want(t, cli.Succeeded, `"text": "Ask w1 runs on node n1. It was submitted and allocated at `, "")
	quern("", "get", "apps", "-o", "wide").want(t, cli.Succeeded, "vcore 2.5, memory 1 GiB", "")
}

func TestDescribeSaysAllAboutAThing(t *testing.T) {
	withCluster(t)
	for args, want := range map[string][]string{
		"queue root.a": {"guaranteed    vcore 2\n", "used          vcore 2.5, memory 1 GiB\n", "pending asks  0\n", "fair share    1.25\n", "\nQueue root.a has nothing pending.\n"},
		"node n1":      {"attributes   zone=east\n", "allocations  w1\n"},
		"app big":      {"queue ", "root.b\n", "\nApplication big in root.b is Accepted with 1 ask pending"},
		"ask huge":     {"resources ", "vcore 100\n", "\nAsk huge of application big waits in root.b", "\nAsk huge of application big in root.b cannot preempt"},
		"ask w1":       {"node ", "\nAsk w1 runs on node n1."},
	} {
		for _, text := range want {
			quern("", append([]string{"describe"}, strings.Split(args, " ")...)...).want(t, cli.Succeeded, text, "")
		}
	}
}

func TestWhatACommandAboutAHostRefuses(t *testing.T) {
	withCluster(t)
	for args, c := range map[string]struct {
		code int
		err  string
	}{
		"get":                                    {cli.BadInput, "See quern get --help"},
		"get clusters":                           {cli.BadInput, "expected one of queues, apps, nodes, asks, gangs, windows, policies and decisions"},
		"get queues -o xml":                      {cli.BadInput, "--output: expected one of table, wide, json, yaml, name"},
		"get queues --node n1":                   {cli.BadInput, "--node: this list cannot be filtered by it (--state)"},
		"get queues --from 3":                    {cli.BadInput, "--from: only decisions take this flag"},
		"get queue root.a --state active":        {cli.BadInput, "expected either a name or flags that select"},
		"get asks --limit -1":                    {cli.BadInput, "--limit"},
		"get decisions x":                        {cli.BadInput, "expected no name"},
		"get decisions --from 1 --last 2":        {cli.BadInput, "--from or --last"},
		"get decisions --last 2000":              {cli.BadInput, "--last"},
		"get decisions --from 999":               {cli.BadInput, "from: expected at most"},
		"get queue root.nowhere":                 {cli.Failed, "Not found"},
		"describe ask nobody":                    {cli.Failed, "nobody"},
		"describe cluster x":                     {cli.BadInput, "expected queue, app, node, ask, gang or policy"},
		"explain --ask nobody":                   {cli.Failed, "nobody"},
		"explain --ask w1 --preempt":             {cli.Failed, "not pending"},
		"submit nowhere.jsonl":                   {cli.BadInput, "nowhere.jsonl"},
		"submit queues.yaml":                     {cli.BadInput, "queues.yaml:1:"},
		"what-if queues.yaml":                    {cli.BadInput, "queues.yaml:1:"},
		"drain nobody":                           {cli.Failed, `there is no node "nobody"`},
		"get queues --server ftp://x":            {cli.BadInput, "--server: expected an address"},
		"get queues --server http://127.0.0.1:1": {cli.Failed, "Start one with quern serve"},
		"get queues --ca nowhere.pem":            {cli.BadInput, "nowhere.pem"},
		"get queues --token-file nowhere":        {cli.BadInput, "--token-file: "},
		"get queues --context nowhere":           {cli.BadInput, `there is no context "nowhere"; there are: none`},
		"get queue root.bb":                      {cli.Failed, "did you mean root.b or root.a?"},
		"get policy x":                           {cli.Failed, "There is no policy module of this name"},
		"config get --server http://127.0.0.1:1": {cli.Failed, "http://127.0.0.1:1: connection refused: no program listens at this address"},
		"context use nowhere":                    {cli.BadInput, "there is no context"},
		"context remove nowhere":                 {cli.BadInput, "there is no context"},
		"context add x --server ftp://x":         {cli.BadInput, "expected an address"},
		"get queues --server http://example.invalid:1 --token-file inputs.jsonl": {cli.BadInput, "expected https://"},
	} {
		t.Run(args, func(t *testing.T) {
			quern("", append([]string{}, strings.Split(args, " ")...)...).want(t, c.code, "", c.err)
		})
	}
	quern("", "submit", "-").want(t, cli.BadInput, "", "stdin: expected lines of JSON")
	quern(`{"type":"app.add","id":"train","queue":"root.a"}`, "submit", "-").want(t, cli.Succeeded, "app.rejected", "")
	quern(`{"type":"app.add","id":"x","queue":"root.a","at":"1s"}`, "submit", "-").want(t, cli.BadInput, "", "stdin:1: at")
	quern(`{"type":"tick"}`, "submit", "-", "--key", strings.Repeat("k", 300)).want(t, cli.BadInput, "", "idempotency key")
}

func TestInputsAreAppliedOnceByTheirKey(t *testing.T) {
	withCluster(t)
	line := `{"type":"app.add","id":"once","queue":"root.a"}`
	first := quern(line, "submit", "-", "--key", "k", "--json")
	first.want(t, cli.Succeeded, `"app.accepted"`, "")
	if again := quern(line, "submit", "-", "--key", "k", "--json"); again != first {
		t.Errorf("expected %v, found %v", first, again)
	}
	quern(`{"type":"app.add","id":"other","queue":"root.a"}`, "submit", "-", "--key", "k").want(t, cli.BadInput, "", "idempotency key")
}

func TestWhatIf_ChangesNothing(t *testing.T) {
	withCluster(t)
	quern(`{"type":"app.add","id":"new","queue":"root.b"}`, "what-if", "-").want(t, cli.Succeeded, "app.accepted      new in root.b", "")
	quern(`{"type":"app.add","id":"new","queue":"root.b"}`, "what-if", "-", "--json").want(t, cli.Succeeded, `"decisions"`, "")
	quern("", "get", "app", "new").want(t, cli.Failed, "", "new")
}

func TestANodeIsDrainedAndResumed(t *testing.T) {
	withCluster(t)
	quern("", "drain", "n1").want(t, cli.Succeeded, "node n1 takes no new allocations; 1 keep running\n", "")
	quern("", "get", "node", "n1").want(t, cli.Succeeded, "drained", "")
	quern("", "resume", "n1").want(t, cli.Succeeded, "node n1 takes new allocations; 1 run there\n", "")
	quern("", "get", "node", "n1").want(t, cli.Succeeded, "schedulable", "")
}

func TestDecisionsAreListedInEachForm(t *testing.T) {
	withCluster(t)
	quern("", "get", "decisions", "--type", "node.accepted", "--limit", "1", "-o", "yaml").want(t, cli.Succeeded, "---\nseq: ", "")
	quern("", "get", "decisions", "--from", "1", "--limit", "1", "-o", "name").want(t, cli.Succeeded, "1\n", "")
}

func TestAListOfAQueueHasWhatIsBelowIt(t *testing.T) {
	withCluster(t)
	for _, kind := range []string{"apps", "asks"} {
		leaf := quern("", "get", kind, "-o", "name")
		if below := quern("", "get", kind, "-o", "name", "--queue", "root"); below.out != leaf.out || leaf.out == "" {
			t.Errorf("%s: found %q, expected %q", kind, below.out, leaf.out)
		}
	}
}

// watching runs a command until the test ends, and returns its lines.
func watching(t *testing.T, args ...string) (lines *bufio.Reader, end func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	read, write := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, args, cli.Streams{In: strings.NewReader(""), Out: write, Err: io.Discard})
		_ = write.Close() // of a pipe: never fails
	}()
	return bufio.NewReader(read), func() int {
		cancel()
		_, _ = io.Copy(io.Discard, read)
		return <-code
	}
}

// expectLine reads lines until one has a text in it.
func expectLine(t *testing.T, lines *bufio.Reader, text string) {
	t.Helper()
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("expected a line with %q: %v", text, err)
		}
		if strings.Contains(line, text) {
			return
		}
	}
}

func TestWatchingShowsWhatChanges(t *testing.T) {
	withCluster(t)
	decisions, endDecisions := watching(t, "get", "decisions", "--type", "allocation", "--watch")
	nodes, endNodes := watching(t, "get", "nodes", "--watch", "-o", "json")
	expectLine(t, decisions, "w1 on n1")
	expectLine(t, nodes, `"node":"n1","schedulable":true`)
	quern(`{"type":"ask.add","id":"w3","app":"train","resources":{"vcore":1},"node":"n1"}`, "submit", "-").want(t, cli.Succeeded, "w3 on n1", "")
	expectLine(t, decisions, "w3 on n1")
	expectLine(t, nodes, `"allocations":["w1","w3"]`)
	quern(`{"type":"node.add","id":"late","capacity":{"vcore":1}}`, "submit", "-").want(t, cli.Succeeded, "", "")
	expectLine(t, nodes, `"node":"late"`)
	table, endTable := watching(t, "get", "nodes", "--watch")
	expectLine(t, table, "late")
	quern(`{"type":"node.remove","id":"late"}`, "submit", "-").want(t, cli.Succeeded, "", "")
	expectLine(t, nodes, `{"gone":true,"node":"late"}`)
	expectLine(t, table, "no longer listed: late")
	endTable()
	if a, b := endDecisions(), endNodes(); a != cli.Failed || b != cli.Failed {
		t.Errorf("exit codes %d and %d", a, b)
	}
}

func TestWatch_ResumesAfterARestartOfTheHost(t *testing.T) {
	dir := folder(t, map[string]string{"inputs.jsonl": fixture})
	data := filepath.Join(dir, "data")
	address, end := hosted(t, "--data", data)
	t.Setenv("QUERN_SERVER", address)
	t.Setenv("XDG_CONFIG_HOME", dir)
	quern(`{"type":"node.add","id":"n1","capacity":{"vcore":1}}`, "submit", "-").want(t, cli.Succeeded, "", "")
	lines, stop := watching(t, "get", "decisions", "--watch")
	expectLine(t, lines, "n1")
	if code := end(); code != cli.Succeeded {
		t.Fatalf("exit code %d", code)
	}
	_, end = hosted(t, "--data", data, "--http", strings.TrimPrefix(address, "http://"))
	quern(`{"type":"node.add","id":"n2","capacity":{"vcore":1}}`, "submit", "-").want(t, cli.Succeeded, "", "")
	expectLine(t, lines, "n2")
	stop()
	end()
}

func TestContexts(t *testing.T) {
	address := withCluster(t)
	t.Setenv("QUERN_SERVER", "")
	if err := os.WriteFile("token", []byte("secret-token"), 0o600); err != nil {
		t.Fatal(err)
	}
	quern("", "context", "list").want(t, cli.Succeeded, "There are no contexts", "")
	quern("", "context", "add", "here", "--server", address, "--token-file", "token").want(t, cli.Succeeded, "", "")
	quern("", "context", "add", "there", "--server", "https://quern.example.org").want(t, cli.Succeeded, "", "")
	quern("", "context", "list").want(t, cli.Succeeded, "*  here   "+address, "")
	quern("", "get", "nodes", "-o", "name").want(t, cli.Succeeded, "n1\nn2\n", "")
	quern("", "context", "use", "there").want(t, cli.Succeeded, "", "")
	quern("", "context", "list").want(t, cli.Succeeded, "*  there", "")
	quern("", "get", "nodes", "-o", "name", "--context", "here").want(t, cli.Succeeded, "n1\nn2\n", "")
	quern("", "get", "nodes", "-o", "name", "--server", address).want(t, cli.Succeeded, "n1\nn2\n", "")
	file := filepath.Join("config", "quern", "contexts.toml")
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if text := read(t, file); strings.Contains(text, "secret") || !strings.Contains(text, filepath.Join("", "token")) {
		t.Errorf("found %s", text)
	}
	quern("", "context", "remove", "there").want(t, cli.Succeeded, "", "")
	quern("", "context", "list").want(t, cli.Succeeded, "here", "")
	for text, want := range map[string]string{"current = 3": "contexts.toml:1: current: expected a text, found a whole number", "colour = 3": "colour: expected current", "x": "contexts.toml:1:"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		quern("", "get", "nodes").want(t, cli.BadInput, "", want)
	}
}

// completed are the names that a shell is offered.
func completed(t *testing.T, args ...string) string {
	t.Helper()
	r := quern("", append([]string{cobra.ShellCompRequestCmd}, args...)...)
	names, _, _ := strings.Cut("\n"+r.out, "\n:")
	return strings.TrimSpace(strings.ReplaceAll(names, "\n", " "))
}

func TestNamesAreCompletedByTheHost(t *testing.T) {
	withCluster(t)
	for args, want := range map[string]string{
		"get ":              "queues apps nodes asks gangs windows policies decisions",
		"get queues ":       "root root.a root.b",
		"get node n":        "n1 n2",
		"describe ask ":     "huge w1 w2",
		"drain ":            "n1 n2",
		"resume ":           "n1 n2",
		"get asks --queue ": "root root.a root.b",
		"drain n1 ":         "",
	} {
		found := completed(t, strings.Split(args, " ")...)
		for tries := 1; found == "" && want != "" && tries < 10; tries++ { // a slow machine has no names in time
			found = completed(t, strings.Split(args, " ")...)
		}
		if found != want {
			t.Errorf("%q: expected %q, found %q", args, want, found)
		}
	}
	t.Setenv("QUERN_SERVER", "http://127.0.0.1:1")
	if r := quern("", cobra.ShellCompRequestCmd, "drain", ""); strings.Contains(r.out, "n1") || strings.Contains(r.err, "refused") {
		t.Errorf("found %v", r)
	}
}

func TestCompletionDoesNotWaitForASlowHost(t *testing.T) {
	folder(t, nil)
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer slow.Close()
	t.Setenv("QUERN_SERVER", slow.URL)
	began := time.Now()
	if found := completed(t, "drain", ""); found != "" || time.Since(began) > 5*time.Second {
		t.Errorf("%q after %s", found, time.Since(began))
	}
}

func TestRefusalByHost_PrintedAsASentence(t *testing.T) {
	folder(t, nil)
	for status, want := range map[int]string{http.StatusUnauthorized: "--token-file", http.StatusForbidden: "a user who has that role"} {
		host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(status)
			_ = json.NewEncoder(w).Encode(map[string]string{"title": "No"})
		}))
		defer host.Close()
		quern("", "get", "nodes", "--server", host.URL).want(t, cli.Failed, "", want)
	}
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }))
	defer page.Close()
	quern("", "get", "nodes", "--server", page.URL).want(t, cli.Failed, "", "not a live scheduler")
}
