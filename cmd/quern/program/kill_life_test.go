package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
	grpcclient "github.com/quern-project/quern/sdk/client"
)

// Batches from one snapshot to the next, which are about as many as come between two kills.
const killSnapshots = 30

// newLife starts a host with an empty folder, and makes those who speak with it.
func newLife(t *testing.T, n, kills int) *life {
	t.Helper()
	l := &life{T: t, random: rand.New(rand.NewPCG(uint64(n), 7)), kills: kills, dir: filepath.Join(t.TempDir(), "data"), keyed: n%2 == 0, relay: newRelay(t), archive: archive(t.TempDir())}
	l.books = newBooks(t, l.keyed, map[string]int{"n1": 1000 * nodeCapacity, managerNode: managerCapacity})
	l.settings = []string{fmt.Sprint("QUERN_SNAPSHOT_BATCHES=", killSnapshots), fmt.Sprintf("QUERN_SEGMENT_SIZE=%dKiB", killSegment>>10)}
	l.restart()
	l.relay.point(l.host.grpc)
	setUp := &client{name: "set-up", key: "set-up", keyless: !l.keyed, told: map[int]string{}, body: fmt.Sprintf(`{"type":"node.add","id":"n1","capacity":{"vcore":%d}}`, nodeCapacity)}
	if err := setUp.once(l.host.address); err != nil {
		t.Fatal(err)
	}
	setUp.report(l.books)
	for _, name := range []string{"a", "b", reloader} {
		c := &client{name: name, random: l.newRandom(), n: -1, keyless: !l.keyed, told: map[int]string{}}
		c.next()
		l.clients = append(l.clients, c)
	}
	ctx, cancel := context.WithCancel(context.Background())
	native, err := grpcclient.New(l.relay.Addr().String(), grpcclient.Options{})
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := grpc.NewClient(l.relay.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	l.ended = func() {
		cancel()
		_, _ = native.Close(), foreign.Close() // they have been used
	}
	l.stream = &streamer{caller: caller{name: "s", random: l.newRandom(), client: native, keyless: !l.keyed}}
	if l.keyed { // the client gives each request a key
		l.patient = &patient{caller: caller{name: "p", random: l.newRandom(), client: native}, life: ctx}
	}
	l.manager = newManager(foreign, l.newRandom())
	l.watcher = watch(ctx, native)
	return l
}

func (l *life) newRandom() *rand.Rand { return rand.New(rand.NewPCG(l.random.Uint64(), 3)) }

// archive is a folder that keeps all segments of a record, also those that the host removes.
type archive string

// add keeps a segment.
func (a archive) add(segment string) error {
	kept := filepath.Join(string(a), filepath.Base(segment))
	if err := os.Remove(kept); err != nil && !errors.Is(err, fs.ErrNotExist) { // a segment that has nothing durable is replaced by another of that name
		return err
	}
	return os.Link(segment, kept)
}

// addAll keeps all segments of a folder.
func (a archive) addAll(t *testing.T, dir string) {
	t.Helper()
	for _, name := range numbered(t, dir, ".log") {
		if err := a.add(filepath.Join(dir, name+".log")); err != nil {
			t.Fatal(err)
		}
	}
}

// decisions reads the decisions from a number on.
func (a archive) decisions(t *testing.T, from int) (lines []string) {
	t.Helper()
	disk, err := store.OpenFolder(string(a), false)
	if err != nil {
		t.Fatal(err)
	}
	record, _, err := store.Open(disk, store.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.ReadDecisions(uint64(from))
	for err == nil {
		var batch []byte
		if _, batch, err = r.Next(); err == nil {
			for line := range strings.Lines(string(batch)) {
				if server.SeqOf([]byte(line)) >= uint64(from) {
					lines = append(lines, strings.TrimSuffix(line, "\n"))
				}
			}
		}
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	if err := errors.Join(r.Close(), record.Close()); err != nil {
		t.Fatal(err)
	}
	return lines
}

// replays checks that a replay of the whole record decides as the host did.
func (a archive) replays(t *testing.T, decisions []string) {
	t.Helper()
	export := quern("", "journal", "export", string(a))
	export.want(t, cli.Succeeded, `"type":"node.add"`, "")
	name := filepath.Join(t.TempDir(), "exported.jsonl")
	if err := os.WriteFile(name, []byte(export.out), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := quern("", "replay", "--out", "-", name); !strings.HasPrefix(r.out, strings.Join(decisions, "\n")) {
		t.Errorf("the exported journal decides differently: %s", r.err)
	}
	a.replaysFrom(t, decisions, len(decisions)*3/4)
}

// replaysFrom checks that a replay of a part of the record decides as the host did. Its decisions count from its beginning.
func (a archive) replaysFrom(t *testing.T, decisions []string, from int) {
	t.Helper()
	if from < 1 {
		return
	}
	export := quern("", "journal", "export", "--since", strconv.Itoa(from), string(a))
	export.want(t, cli.Succeeded, `"type":"state.set"`, "note: the journal begins with the state of ")
	replay := quern(export.out, "replay", "--out", "-", "-")
	if strings.Contains(replay.err, "warning: the state") {
		t.Errorf("the state of the export is not taken over: %s", replay.err)
	}
	unnumbered := func(line string) string { _, rest, _ := strings.Cut(line, ","); return rest }
	again := map[string]int{}
	for line := range strings.Lines(replay.out) {
		again[unnumbered(strings.TrimSuffix(line, "\n"))]++
	}
	for _, line := range decisions[from:] {
		if text := unnumbered(line); again[text] == 0 {
			t.Fatalf("a replay from decision %d does not decide %s", from, line)
		} else {
			again[text]--
		}
	}
}

// recoversFromAny recovers copies of a record: from its newest snapshot; from the one before, where the newest is damaged; and from none,
// where all segments are there that ever were. All of them lead to the same state.
func (a archive) recoversFromAny(t *testing.T, dir string) {
	t.Helper()
	list := numbered(t, dir, ".snap")
	newest := a.recovered(t, dir, 0)
	if len(list) > 1 {
		if earlier := a.recovered(t, dir, 1); earlier != newest {
			t.Errorf("from the newest snapshot the state is\n%s\nand from the one before\n%s", newest, earlier)
		}
	}
	if all := a.recovered(t, dir, len(list)); all != newest {
		t.Errorf("from the newest snapshot the state is\n%s\nand from the first input on\n%s", newest, all)
	}
}

// recovered is the state that a copy of a record leads to whose newest snapshots are damaged. Without any, its segments are those of the
// archive.
func (a archive) recovered(t *testing.T, dir string, damaged int) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(folder, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	list := numbered(t, folder, ".snap")
	for _, name := range list[len(list)-damaged:] {
		damage(t, filepath.Join(folder, name+".snap"))
	}
	if damaged == len(list) {
		for _, name := range numbered(t, string(a), ".log") {
			if err := os.Link(filepath.Join(string(a), name+".log"), filepath.Join(folder, name+".log")); err != nil && !errors.Is(err, fs.ErrExist) {
				t.Fatal(err)
			}
		}
	}
	return stateOf(t, folder, damaged)
}

// damage changes a byte of a file, or cuts the file short.
func damage(t *testing.T, name string) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if middle := len(content) / 2; len(content)%2 == 0 {
		content = content[:middle]
	} else {
		content[middle] ^= 1
	}
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// stateOf is the state that a folder leads to, of whose snapshots so many cannot be read.
func stateOf(t *testing.T, folder string, damaged int) string {
	t.Helper()
	disk, err := store.OpenFolder(folder, false)
	if err != nil {
		t.Fatal(err)
	}
	record, found, err := store.Open(disk, store.Options{SegmentSize: killSegment})
	if err != nil || len(found.Skipped) != damaged {
		t.Fatalf("%d snapshots are damaged, and these are passed over: %v (%v)", damaged, found.Skipped, err)
	}
	s, err := server.New(server.Options{Store: record, Found: found, Clock: server.NewSystemClock(0), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatalf("without %d snapshots: %v", damaged, err)
	}
	var out strings.Builder
	if err := errors.Join(s.View().Present(&out), record.Close(), os.RemoveAll(folder)); err != nil {
		t.Fatal(err)
	}
	return presentTime.ReplaceAllString(out.String(), "")
}

// presentTime is the time of the present, which is a little later where a snapshot knows that nothing was decided since the last batch.
var presentTime = regexp.MustCompile(`"at":"[^"]*",`)
