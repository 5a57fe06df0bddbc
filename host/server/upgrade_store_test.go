package server

import (
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
)

// newStore has the store that this program writes put into testdata under a new name, with what it answers beside it. Those of earlier
// releases stay as they are:
//
//	go test ./host/server -run AStoreOfThisReleaseOpens -new-store store-4
var newStore = flag.String("new-store", "", "write the `NAME` of a folder below testdata that is not there yet")

// written is when the stores below testdata were written, in their own time: no key, no timer and no remembered ending of theirs runs out.
var written = stillClock(time.Date(2026, time.November, 1, 8, 0, 0, 0, time.UTC).UnixNano())

var (
	ann = Actor{User: "ann", Groups: []string{"vision", "staff"}, From: "192.0.2.7"}
	bob = Actor{User: "bob", From: "192.0.2.8"}
)

// TestAStoreOfThisReleaseOpens opens what this program has written and, for the next releases, keeps it.
func TestAStoreOfThisReleaseOpens(t *testing.T) {
	folder, kept := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "data")
	writeStore(t, folder)
	if err := os.CopyFS(kept, os.DirFS(folder)); err != nil { // a host that starts from it goes on
		t.Fatal(err)
	}
	found := answers(t, kept)
	if *newStore == "" {
		return
	}
	kept = filepath.Join("testdata", *newStore)
	if _, err := os.Stat(kept); err == nil {
		t.Fatalf("%s is there already", kept)
	}
	if err := os.CopyFS(kept, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kept+".txt", []byte(found), 0o600); err != nil {
		t.Fatal(err)
	}
}

// store-2 has a snapshot with what a host knows beside its scheduler (users of resource managers, modules, keys, configurations and their
// authors), and behind it batches with names of users, with answers of a policy and a predicate, with keys, a registration, a gang and a
// preemption, that a process left which was killed.
func TestAStoreWithEverythingOpens(t *testing.T) {
	for _, name := range []string{"store-2", "store-3"} {
		kept, folder := filepath.Join("testdata", name), filepath.Join(t.TempDir(), "data")
		if err := os.CopyFS(folder, os.DirFS(kept)); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		expectAnswers(t, kept+".txt", answers(t, folder))
	}
}

func expectAnswers(t *testing.T, golden, found string) {
	t.Helper()
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if found != string(want) {
		t.Errorf("expected %s\nfound %s", want, found)
	}
}

// answers is what a host answers that starts from a folder.
func answers(t *testing.T, folder string) string {
	t.Helper()
	disk, s, closeRecord := openedFolder(t, folder, written+stillClock(2*time.Minute))
	defer closeRecord()
	var b strings.Builder
	fmt.Fprintf(&b, "snapshot of batch %d, record up to batch %d\n", disk.At.Batch, s.o.Store.End().Batch)
	s.View().Read(func(present *scheduler.Scheduler) {
		for _, k := range present.Asks(&core.Page{Limit: 100, Work: 10_000}).Items {
			fmt.Fprintf(&b, "ask %s of %s in %s: %s %s %s\n", k.ID, k.User, k.Queue, k.State(), k.Node, k.Predicate)
		}
		for _, u := range present.PolicyUses() {
			fmt.Fprintf(&b, "policy %s %s\n", u.Name, u.SHA256)
		}
		fmt.Fprintf(&b, "predicates %v\n", present.Predicates())
	})
	for _, id := range s.View().Managers() {
		fmt.Fprintf(&b, "resource manager %s of %s\n", id, s.View().ManagerUser(id))
	}
	for _, m := range s.View().Modules() {
		fmt.Fprintf(&b, "module %s %s since batch %d\n", m.Name, m.SHA256, m.Set)
	}
	for _, c := range s.View().Configurations() {
		fmt.Fprintf(&b, "configuration %s of %q\n", c.SHA256[:8], c.By)
	}
	source, end := running(t, s)
	for _, r := range withKeys() {
		given, err := source.Submit(t.Context(), r)
		if err != nil {
			t.Fatalf("key %s of %s: %v", r.Key, r.By.User, err)
		}
		fmt.Fprintf(&b, "key %s of %q: inputs %d to %d, batch %d, refused %v\n", r.Key, r.By.User, given.First, given.Last, given.Batch, given.Refused)
		for _, line := range given.Decisions {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	told, err := s.Decisions(1)
	if err != nil {
		t.Fatal(err)
	}
	b.WriteString("decisions\n")
	for {
		line, err := told.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "  %s\n", line)
	}
	if err := told.Close(); err != nil {
		t.Fatal(err)
	}
	end()
	return b.String()
}

// openedFolder makes a server on a folder, whose clock stands still and whose policies must not be asked before it has recovered.
func openedFolder(t *testing.T, folder string, clock Clock) (store.Opened, *Server, func()) {
	t.Helper()
	disk, err := store.OpenFolder(folder, true)
	if err != nil {
		t.Fatal(err)
	}
	record, found, err := store.Open(disk, store.Options{SegmentSize: 16 << 10})
	if err != nil {
		t.Fatal(err)
	}
	calls := &atomic.Int64{}
	s, err := New(Options{Store: record, Found: found, Clock: clock, Log: slog.New(slog.DiscardHandler), MostEnding: time.Minute,
		Policies: func(bool) Policies { return fickle{t, calls, &atomic.Bool{}} }})
	if err != nil {
		t.Fatal(err)
	}
	return found, s, func() {
		if err := record.Close(); err != nil {
			t.Error(err)
		}
	}
}

// writeStore writes a folder as a process leaves it that was ended once, and killed the second time.
func writeStore(t *testing.T, folder string) {
	t.Helper()
	before := filepath.Join(t.TempDir(), "data")
	_, s, closeRecord := openedFolder(t, before, written)
	source, end := running(t, s)
	sendAll(t, source, firstLife())
	end()
	closeRecord()

	_, s, closeRecord = openedFolder(t, before, written+stillClock(time.Minute))
	source, end = running(t, s)
	sendAll(t, source, secondLife())
	copyRunning(t, folder, before) // all of it is durable
	end()
	closeRecord()
}

// copyRunning copies the folder of a running server, without its lock, and without unfinished files, which may be renamed meanwhile.
func copyRunning(t *testing.T, to, from string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(from), ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(to, path), 0o700)
		case entry.Name() == "LOCK" || strings.HasSuffix(path, ".tmp"):
			return nil
		}
		content, err := os.ReadFile(filepath.Join(from, path))
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, path), content, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func sendAll(t *testing.T, source *Source, list []*Request) {
	t.Helper()
	for _, r := range list {
		if _, err := source.Submit(context.Background(), r); err != nil {
			t.Fatal(err)
		}
	}
}

// sentBy is a request of an actor, from lines.
func sentBy(by Actor, key, lines string) *Request {
	r := &Request{Key: key, By: by, announces: true}
	for d := journal.NewInputDecoder(strings.NewReader(lines), "store"); ; {
		e, err := d.Next()
		if err == io.EOF {
			return r
		}
		if err != nil {
			panic(err)
		}
		r.Inputs = append(r.Inputs, e.Input)
	}
}

// ofManager is a request that registers a resource manager.
func ofManager(r *Request, id string) *Request {
	r.Registers = []Registration{{Manager: id, User: r.By.User}}
	return r
}

const storedQueues = `
partitions:
  - name: default
    preemption: {enabled: true}
    nodesortpolicy: {type: %s}
    queues:
      - name: root
        queues:
          - name: prod
            resources: {guaranteed: {vcore: 4}}
            properties: {preemption.delay: 1s}
          - name: batch
            limits:
              - {limit: all, users: ["*"], maxapplications: 9}
  - name: gpu
    queues:
      - name: root
        queues: [{name: train}]
`

// firstLife is decided before the snapshot.
func firstLife() []*Request {
	module := core.Input{Event: &core.SetPolicy{PolicyModule: core.PolicyModule{Name: "fickle", SHA256: strings.Repeat("0a", 32), Manifest: fickleManifest}}}
	return append([]*Request{
		{By: ann, Inputs: []core.Input{{Event: &core.SetConfig{Config: fmt.Sprintf(storedQueues, "binpacking")}}}},
		{announces: true, Inputs: []core.Input{module}},
		{By: bob, Inputs: []core.Input{{Event: &core.SetConfig{Config: fmt.Sprintf(storedQueues, "fickle")}}}},
		ofManager(sentBy(ann, "", `{"type":"node.add","id":"n1","capacity":{"vcore":4,"memory":"8Gi"},"attributes":{"zone":"a"}}
{"type":"node.add","id":"n2","capacity":{"vcore":4,"memory":"8Gi"}}`), "rm-1"),
		ofManager(gpuNodes(), "rm-2"),
	}, withKeys()[0],
		sentBy(bob, "", `{"type":"app.add","id":"train","partition":"gpu","queue":"root.train","user":"bob"}
{"type":"ask.add","id":"t1","app":"train","resources":{"vcore":1,"nvidia.com/gpu":2}}
{"type":"ask.add","id":"t2","app":"train","resources":{"vcore":1},"predicate":"rm-2/fits"}`),
		sentBy(Actor{}, "", `{"type":"app.add","id":"done","queue":"root.batch","user":"eve"}
{"type":"app.remove","id":"done"}`))
}

// secondLife is behind the snapshot.
func secondLife() []*Request {
	return []*Request{
		sentBy(ann, "", `{"type":"app.add","id":"gang","queue":"root.batch","user":"ann","placeholder_ask":{"vcore":1}}
{"type":"ask.add","id":"p1","app":"gang","task_group":"g","placeholder":true,"resources":{"vcore":1}}
{"type":"ask.add","id":"m1","app":"gang","task_group":"g","resources":{"vcore":1}}`),
		withKeys()[1],
		ofManager(sentBy(bob, "", `{"type":"node.drain","id":"g1"}`), "rm-3"),
		sentBy(ann, "", `{"type":"app.add","id":"urgent","queue":"root.prod","user":"ann"}
{"type":"ask.add","id":"u1","app":"urgent","resources":{"vcore":4},"priority":9,"preempt_others":true}
{"type":"ask.add","id":"daemon","app":"urgent","resources":{"vcore":1},"priority":9,"node":"n1"}`),
		sentBy(bob, "", `{"type":"ask.add","id":"t3","app":"train","resources":{"vcore":1},"predicate":"rm-2/fits"}
{"type":"ask.add","id":"t4","app":"nobody's","resources":{"vcore":1}}`),
		{Inputs: []core.Input{{Event: &core.Tick{}}}, By: bob},
	}
}

// gpuNodes brings so many nodes that the predicate always lets an ask go to one of them.
func gpuNodes() *Request {
	r := &Request{By: bob}
	for i := range 5 {
		r.Inputs = append(r.Inputs, core.Input{Event: &core.AddNode{ID: fmt.Sprint("g", i), Partition: "gpu",
			Capacity: resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 8000}, resource.Quantity{Type: "nvidia.com/gpu", Value: 8})}})
	}
	return r
}

// withKeys are the requests with keys: before the snapshot and behind it. Two users may have one key.
func withKeys() []*Request {
	fill := sentBy(ann, "key", `{"type":"app.add","id":"batch","queue":"root.batch","user":"ann","groups":["vision"]}`)
	for i := range 6 {
		fill.Inputs = append(fill.Inputs, core.Input{Event: &core.AddAsk{ID: fmt.Sprint("b", i), App: "batch",
			Resources: resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000}, resource.Quantity{Type: "memory", Value: 1 << 30})}})
	}
	return slices.Clone([]*Request{fill, sentBy(bob, "key", `{"type":"ask.remove","id":"b5"}
{"type":"ask.update","id":"t1","priority":4}`)})
}
