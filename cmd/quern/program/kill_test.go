package program

import (
	"bufio"
	"bytes"
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// serveIn is the variable that has the test binary serve a folder, in the place of running tests.
const serveIn = "QUERN_TEST_SERVE_IN"

func TestServeAFolderInThisProcess(t *testing.T) {
	dir := os.Getenv(serveIn)
	if dir == "" {
		t.Skip("skipped, because this is a part of another test")
	}
	os.Exit(run(context.Background(), []string{"serve", "--data", dir, "--http", "127.0.0.1:0"}, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// host is `quern serve` in a process of its own.
type host struct {
	command     *exec.Cmd
	address     string
	grpc        string
	diagnostics *bytes.Buffer
}

// startHost serves a folder, with settings such as QUERN_RETAIN=1h.
func startHost(t *testing.T, dir string, settings ...string) *host {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := &host{command: exec.Command(self, "-test.run=^TestServeAFolderInThisProcess$"), diagnostics: &bytes.Buffer{}}
	h.command.Env = append(append(os.Environ(), serveIn+"="+dir), settings...)
	h.command.Stderr = h.diagnostics
	out, err := h.command.StdoutPipe()
	if err == nil {
		err = h.command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.command.Process.Kill() }) // it has ended, unless the test failed
	line, err := bufio.NewReader(out).ReadString('\n')
	found := regexp.MustCompile(`^serving http=(\S+) grpc=(\S+) seq=\d+\n$`).FindStringSubmatch(line)
	if err != nil || found == nil {
		_ = h.command.Wait() // it ends, and has said why
		t.Fatalf("expected a line with the address, found %q (%v)\n%s", line, err, h.diagnostics.String())
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

const (
	killsOfALife = 25  // at most: then a host begins with an empty folder
	manyKills    = 500 // so many hit every moment that they are aimed at
	nodeCapacity = 60  // of the node that is no resource manager's, in vcores
	killSegment  = 64 << 10
)

// A host is killed again and again while clients of all kinds send: at any time, and while it writes snapshots, begins segments and removes
// them. Everything that they were told must be there afterwards, nothing twice, and the record must replay to the same decisions.
func TestKilledHost_KeepsAcknowledgedInputs(t *testing.T) {
	began, left := time.Now(), kills(t)
	cut := &cutShort{counts: map[string]int{}}
	total := map[string]int{}
	lives := max(2, (left+killsOfALife-1)/killsOfALife)
	for n := range lives {
		share := left / (lives - n)
		left -= share
		l := newLife(t, n, share)
		l.cut = cut
		l.live()
		total["kills"] += share
		total["requests answered"] += l.answers()
		total["resyncs"] += l.manager.resyncs
		total["decisions made"] += len(l.books.lines)
		total["kills at a moment that was aimed at"] += l.hits
		total["times that what a client was told was checked"] += l.books.count
	}
	for _, name := range slices.Sorted(maps.Keys(total)) {
		t.Logf("%d %s", total[name], name)
	}
	for _, name := range []string{cutSnapshot, cutDrop, cutSegment, cutRemoval} {
		t.Logf("%d kills left %s", cut.counts[name], name)
		if cut.counts[name] == 0 && total["kills"] >= manyKills {
			t.Errorf("no kill left %s", name)
		}
	}
	t.Logf("%.2f s a kill", time.Since(began).Seconds()/float64(total["kills"]))
}

// life is that of a data folder.
type life struct {
	*testing.T
	random   *rand.Rand
	kills    int
	dir      string
	settings []string
	keyed    bool // requests have idempotency keys: the whole record stays
	host     *host
	relay    *relay
	books    *books
	archive  archive
	cut      *cutShort
	hits     int // kills at a moment that was aimed at

	clients []*client // over HTTP
	stream  *streamer
	patient *patient // nil: there is none
	manager *manager
	watcher *watcher
	watched int
	ended   func()
}

// load is a client that sends until the host is gone.
type load interface {
	run(*host, *turn) error
	report(*books)
}

func (l *life) loads() (list []load) {
	for _, c := range l.clients {
		list = append(list, c)
	}
	list = append(list, l.stream, l.manager)
	if l.patient != nil {
		list = append(list, l.patient)
	}
	return list
}

// answers is how many requests were answered.
func (l *life) answers() int {
	n := l.stream.answers + l.manager.answers
	for _, c := range l.clients {
		n += c.requests
	}
	if l.patient != nil {
		n += l.patient.answers
	}
	return n
}

// live goes from kill to kill.
func (l *life) live() {
	defer l.ended()
	for n := range l.kills {
		l.untilKilled(n)
		if n%5 == 4 {
			l.archive.recoversFromAny(l.T, l.dir)
		}
		l.restart()
		l.check()
		if n == l.kills/2 {
			l.archive.replays(l.T, l.books.lines)
		}
		if l.Failed() {
			l.Fatalf("after %d kills; the host said\n%s", n+1, l.host.diagnostics.String())
		}
		l.relay.point(l.host.grpc)
		l.watcher.await(l.T, len(l.books.lines))
	}
	l.untilKilled(-1)
	l.archive.replays(l.T, l.books.lines)
	if l.manager.answers == 0 || l.stream.answers == 0 || l.patient != nil && l.patient.answers == 0 {
		l.Errorf("a client was never answered")
	}
}

// untilKilled has clients send, kills the host meanwhile, and looks at what it leaves. The n-th kill has an aim; -1 has none.
func (l *life) untilKilled(n int) {
	l.Helper()
	aims, aim := keylessAims, anyTime
	if l.keyed {
		aims = keyedAims
	}
	if n >= 0 {
		aim = aims[n%len(aims)]
	}
	answers := 1 + l.random.IntN(mostRequests)
	if aim.operation != 0 {
		answers = 2 * mostRequests // the moment, or when there were enough requests
	}
	turn := newTurn(answers)
	hit, stop := aim.watch(l.T, l.dir, l.archive)
	list := l.loads()
	results := make(chan error, len(list))
	for _, c := range list {
		go func() { results <- c.run(l.host, turn) }()
	}
	aimed, onTime := turn.wait(hit, l.random)
	l.relay.point("")
	l.host.kill(l.T)
	close(turn.over)
	for range list {
		if err := <-results; err != nil {
			l.Error(err)
		}
	}
	stop()
	if aimed {
		l.hits++
	}
	if !onTime {
		l.Fatalf("clients do not go on; the host said\n%s", l.host.diagnostics.String())
	}
	l.cut.count(l.T, l.dir, l.keyed)
	l.archive.addAll(l.T, l.dir)
	l.books.recorded(l.archive.decisions(l.T, len(l.books.lines)+1))
	quern("", "journal", "verify", l.dir).want(l.T, cli.Succeeded, "undamaged", "")
}

func (l *life) restart() { l.host = startHost(l.T, l.dir, l.settings...) }

// check holds what the host has against what everybody was told. Nobody else speaks with it meanwhile.
func (l *life) check() {
	l.Helper()
	if _, err := postOnce(l.host.address, "", `{"type":"tick"}`); err != nil { // whose answer comes when all that was open is decided
		l.Fatal(err)
	}
	l.watched = l.watcher.check(l.T, l.books, l.watched)
	for _, c := range l.loads() {
		if m, ok := c.(*manager); !ok {
			c.report(l.books)
		} else {
			defer m.report(l.books) // which asks what was decided
		}
	}
	l.books.look(l.T, l.host.address)
	for _, c := range l.clients {
		if l.keyed {
			c.repeat(l.T, l.host.address)
		}
	}
}
