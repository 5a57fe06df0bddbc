package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// serveIn is the variable that has the test binary serve a folder, in the place of running tests.
const serveIn = "QUERN_TEST_SERVE_IN"

func TestServeAFolderInThisProcess(t *testing.T) {
	dir := os.Getenv(serveIn)
	if dir == "" {
		t.Skip("skipped, because this is a part of another test")
	}
	os.Exit(run(context.Background(), []string{"serve", "--data", dir, "--http", "127.0.0.1:0"}, streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}

// host is `quern serve` in a process of its own.
type host struct {
	command *exec.Cmd
	address string
	grpc    string
}

func startHost(t *testing.T, dir string) *host {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := &host{command: exec.Command(self, "-test.run=^TestServeAFolderInThisProcess$")}
	h.command.Env = append(os.Environ(), serveIn+"="+dir)
	var diagnostics bytes.Buffer
	h.command.Stderr = &diagnostics
	out, err := h.command.StdoutPipe()
	if err == nil {
		err = h.command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	found := regexp.MustCompile(`^serving http=(\S+) grpc=(\S+) seq=\d+\n$`).FindStringSubmatch(line)
	if err != nil || found == nil {
		t.Fatalf("expected a line with the address, found %q (%v)\n%s", line, err, diagnostics.String())
	}
	h.address, h.grpc = "http://"+found[1], found[2]
	return h
}

// kill ends the process at once, as a crash would.
func (h *host) kill(t *testing.T) {
	t.Helper()
	if err := h.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = h.command.Wait() // it says that it was killed
}

// capacity is that of the one node, in vcores, and reloader the client that does nothing but change the configuration.
const (
	capacity = 60
	reloader = "r"
)

// client sends requests, and remembers what it was told. Where it was told nothing, it sends the same again.
type client struct {
	name     string
	random   *rand.Rand
	n        int
	key      string // of the request under way
	body     string
	told     map[int]string // decisions, by seq
	requests int            // answered
	ranges   [][2]int       // numbers of inputs
}

// answered is what a request is answered with.
type answered struct {
	First, Last int
	Decisions   []json.RawMessage
}

// next makes up a request.
func (c *client) next() {
	c.n++
	c.key = c.name + strconv.Itoa(c.n)
	if c.name == reloader {
		c.body = fmt.Sprintf(`{"type":"config.set","config":"partitions: [{name: default, queues: [{name: root, queues: [{name: default, resources: {max: {vcore: %d}}}]}]}]"}`, 30+c.random.IntN(40))
		return
	}
	app, ask := fmt.Sprintf("%s-a%d", c.name, c.n/20), c.key
	lines := []string{fmt.Sprintf(`{"type":"ask.add","id":%q,"app":%q,"resources":{"vcore":%d}}`, ask, app, 1+c.random.IntN(4))}
	if c.n%20 == 0 {
		lines = append([]string{fmt.Sprintf(`{"type":"app.add","id":%q,"queue":"root.default"}`, app)}, lines...)
	}
	if c.n > 15 {
		lines = append(lines, fmt.Sprintf(`{"type":"allocation.release","id":"%s%d"}`, c.name, c.n-10-c.random.IntN(5)))
	}
	c.body = strings.Join(lines, "\n")
}

// send sends the request under way, and goes on to the next one when it is answered.
func (c *client) send(address string) error {
	err := c.once(address)
	if err == nil {
		c.next()
	}
	return err
}

// once sends the request under way.
func (c *client) once(address string) error {
	request, err := http.NewRequest(http.MethodPost, address+"/v1/inputs", strings.NewReader(c.body))
	if err != nil {
		return err
	}
	request.Header.Set("Idempotency-Key", c.key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(response.Body)
	_ = response.Body.Close() // it was read
	if err != nil || response.StatusCode == http.StatusServiceUnavailable {
		return fmt.Errorf("no answer: %w", err)
	}
	var a answered
	if err := json.Unmarshal(text, &a); err != nil || response.StatusCode != http.StatusOK {
		return fmt.Errorf("the answer is %s %s", response.Status, text)
	}
	c.hear(&a)
	return nil
}

func (c *client) hear(a *answered) {
	for _, d := range a.Decisions {
		c.told[seqIn(string(d))] = string(d)
	}
	c.ranges = append(c.ranges, [2]int{a.First, a.Last})
	c.requests++
}

func seqIn(line string) int {
	var d struct{ Seq int }
	_ = json.Unmarshal([]byte(line), &d) // 0 of what is no decision
	return d.Seq
}

// kills is how often the host is killed; `make kill-test` does it more often.
func kills(t *testing.T) int {
	usual := 30
	if testing.Short() {
		usual = 5
	}
	n, err := strconv.Atoi(os.Getenv("KILLS"))
	if os.Getenv("KILLS") != "" && err != nil {
		t.Fatalf("KILLS: expected a number, found %q", os.Getenv("KILLS"))
	}
	if n == 0 {
		return usual
	}
	return n
}

// A host is killed again and again while clients send. Everything that they were told must be there afterwards, nothing twice, and the
// exported journal must replay to the same decisions.
func TestAKilledHostKeepsWhatItAcknowledged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	clients := make([]*client, 4)
	for i := range clients {
		clients[i] = &client{name: []string{"a", "b", "c", reloader}[i], random: rand.New(rand.NewPCG(uint64(i), 3)), n: -1, told: map[int]string{}}
		clients[i].next()
	}
	h := startHost(t, dir)
	setUp := &client{key: "set-up", told: map[int]string{}, body: fmt.Sprintf(`{"type":"node.add","id":"n1","capacity":{"vcore":%d}}`, capacity)}
	if err := setUp.once(h.address); err != nil {
		t.Fatal(err)
	}
	for n := range kills(t) {
		load(t, h, clients, time.Duration(100+37*n%400)*time.Millisecond)
		h = startHost(t, dir)
	}
	for _, c := range clients {
		if err := c.send(h.address); err != nil {
			t.Fatal(err)
		}
	}
	held(t, h, append(clients, setUp))
	decisions := allDecisions(t, h.address)
	h.kill(t)
	exported := filepath.Join(t.TempDir(), "exported.jsonl")
	r := quern("", "journal", "export", dir)
	r.want(t, succeeded, `"type":"node.add"`, "")
	if err := os.WriteFile(exported, []byte(r.out), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := quern("", "replay", "--out", "-", exported); !strings.HasPrefix(r.out, strings.Join(decisions, "\n")) {
		t.Errorf("the exported journal decides differently")
	}
	quern("", "journal", "verify", dir).want(t, succeeded, "sound", "")
}

// load has clients send for a while, and kills the host meanwhile.
func load(t *testing.T, h *host, clients []*client, d time.Duration) {
	var sending sync.WaitGroup
	for _, c := range clients {
		sending.Go(func() {
			for c.send(h.address) == nil {
			}
		})
	}
	time.Sleep(d)
	h.kill(t)
	sending.Wait()
}

// allDecisions reads all decisions that a host has.
func allDecisions(t *testing.T, address string) (lines []string) {
	for {
		body, _ := get(t, fmt.Sprintf("%s/v1/decisions?from=%d&limit=1000", address, len(lines)+1))
		if body == "" {
			return lines
		}
		lines = append(lines, strings.Split(strings.TrimSuffix(body, "\n"), "\n")...)
	}
}

// held checks that a host has what clients were told, and no input twice.
func held(t *testing.T, h *host, clients []*client) {
	t.Helper()
	all := allDecisions(t, h.address)
	runs(t, all)
	requests, told := 0, 0
	numbers := map[int]string{}
	for _, c := range clients {
		requests, told = requests+c.requests, told+len(c.told)
		for seq, line := range c.told {
			if seq > len(all) || all[seq-1] != line {
				t.Errorf("client %s was told\n%s", c.name, line)
			}
		}
		for _, r := range c.ranges {
			for n := r[0]; n <= r[1]; n++ {
				if by := numbers[n]; by != "" {
					t.Errorf("input %d is of %s and of %s", n, by, c.name)
				}
				numbers[n] = c.name
			}
		}
	}
	t.Logf("%d requests answered, %d decisions told, %d made", requests, told, len(all))
}

// runs goes through decisions by seq: none is missing, nothing is allocated twice, and never is more in use than there is.
func runs(t *testing.T, all []string) {
	t.Helper()
	running, used := map[string]int{}, 0 // vcores by allocation
	for i, line := range all {
		var d struct {
			Type, ID  string
			Resources struct{ VCore string }
		}
		if err := json.Unmarshal([]byte(line), &d); err != nil || seqIn(line) != i+1 {
			t.Fatalf("decision %d is %s (%v)", i+1, line, err)
		}
		switch d.Type {
		case "allocation":
			milli, err := strconv.Atoi(strings.TrimSuffix(d.Resources.VCore, "m"))
			if _, twice := running[d.ID]; twice || err != nil {
				t.Errorf("%s was allocated twice, or no resources: %s (%v)", d.ID, line, err)
			}
			running[d.ID] = milli
			used += milli
		case "release":
			used -= running[d.ID]
			running[d.ID] = 0
		}
		if used > 1000*capacity {
			t.Fatalf("%d of %d thousandths of a vcore are in use at %s", used, 1000*capacity, line)
		}
	}
	if len(running) == 0 {
		t.Error("nothing was ever allocated")
	}
}
