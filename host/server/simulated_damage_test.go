package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"strings"

	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// acknowledgments are what a simulation knows of batches that clients were told of.
type acknowledgments struct {
	marked  uint64   // the last batch when the mark was last synced
	failed  bool     // a write of the mark failed since
	batches []uint64 // with inputs that were acknowledged
	lasts   []uint64 // the last input of each
	earlier *simdisk.Disk
	random  *rand.Rand // of damages: how many there are leaves the rest of a run as it is
}

// add notes that inputs up to one were acknowledged with a batch.
func (a *acknowledgments) add(batch, last uint64) {
	a.batches, a.lasts = append(a.batches, batch), append(a.lasts, last)
}

// upTo is the last input that was acknowledged with a batch up to one.
func (a *acknowledgments) upTo(batch uint64) (last uint64) {
	for i, b := range a.batches {
		if b <= batch {
			last = max(last, a.lasts[i])
		}
	}
	return last
}

// The ways in which a process ends.
const (
	afterKill  = "a kill"
	afterCrash = "a crash"
	afterEnd   = "an end in good order"
)

// damageSome damages copies of the disk of a process that has ended in some way, in some of all ways. Each copy is refused, with file and
// offset, or has everything that was acknowledged: of a crash, all that was marked so in time.
func (s *simulatedServer) damageSome(how string) {
	bound := s.record.End().Batch
	if how == afterCrash || s.acknowledged.failed {
		bound = s.acknowledged.marked
	}
	own := *s
	own.random, own.count = s.acknowledged.random, map[string]int{}
	own.policy.simulatedServer = &own
	for range 2 {
		t := &damageTrial{simulatedServer: &own, disk: s.disk.Copy(own.random.Uint64()), bound: bound, first: firstSegment(s.disk)}
		t.what = damages[own.random.IntN(len(damages))](t) + " after " + how
		t.run()
	}
	if own.chance(3) {
		s.acknowledged.earlier = s.disk.Copy(1)
	}
	for what, n := range own.count {
		if strings.HasPrefix(what, "damages") {
			s.count[what] += n
		}
	}
}

// damageTrial is a damaged disk, and what has to be on it.
type damageTrial struct {
	*simulatedServer
	disk  *simdisk.Disk
	what  string
	bound uint64 // batch
	first string // segment before the damage
}

// names are those of the files that count, or of those with a suffix.
func (t *damageTrial) names(suffix string) (list []string) {
	names, _ := t.disk.List()
	for _, name := range names {
		if strings.HasSuffix(name, suffix) && !strings.HasSuffix(name, ".tmp") {
			list = append(list, name)
		}
	}
	return list
}

func (t *damageTrial) pick(list []string) string { return list[t.random.IntN(len(list))] }

// place is an offset in a file, more often in the part that is written.
func (t *damageTrial) place(name string) int64 {
	content := t.disk.Content(name)
	if used := len(bytes.TrimRight(content, "\x00")); used > 0 && !t.chance(5) {
		return t.random.Int64N(int64(used))
	}
	return t.random.Int64N(int64(len(content)) + 1)
}

func firstSegment(d *simdisk.Disk) string {
	names, _ := d.List()
	for _, name := range names {
		if strings.HasSuffix(name, ".log") {
			return name
		}
	}
	return ""
}

// damages are ways to damage a disk; each says what it did.
var damages = []func(*damageTrial) string{
	func(t *damageTrial) string {
		name := t.pick(t.names(""))
		bit := 8*t.place(name) + t.random.Int64N(8)
		t.disk.Flip(name, bit)
		return fmt.Sprintf("bit %d of %s flipped", bit, name)
	},
	func(t *damageTrial) string { return t.zero(t.pick(t.names("")), 4096) },
	func(t *damageTrial) string { return t.zero(t.pick(t.names(".log")), 512) },
	func(t *damageTrial) string { return t.zero(t.lastSegment(), 4096) },
	func(t *damageTrial) string { return t.zero(t.lastSegment(), 1) },
	func(t *damageTrial) string {
		name := t.lastSegment()
		offset := t.place(name)
		t.disk.Zero(name, offset, 1<<30)
		return fmt.Sprintf("the tail of %s lost from %d on", name, offset)
	},
	func(t *damageTrial) string {
		name := t.pick(t.names(""))
		size := t.place(name)
		t.disk.Truncate(name, size)
		return fmt.Sprintf("%s cut to %d bytes", name, size)
	},
	func(t *damageTrial) string {
		name := t.pick(t.names(""))
		t.disk.Lose(name)
		return name + " lost"
	},
	func(t *damageTrial) string { // what a snapshot contains is gone from the record
		list := t.names(".log")
		for _, name := range list[t.random.IntN(len(list)):] {
			t.disk.Lose(name)
		}
		return "the last segments lost"
	},
	func(t *damageTrial) string {
		one, other := t.pick(t.names("")), t.pick(t.names(""))
		content := t.disk.Content(one)
		t.disk.Replace(one, t.disk.Content(other))
		t.disk.Replace(other, content)
		return one + " swapped with " + other
	},
	func(t *damageTrial) string {
		if t.acknowledged.earlier == nil {
			return "nothing"
		}
		name := t.pick(t.names(""))
		if content := t.acknowledged.earlier.Content(name); content != nil {
			t.disk.Replace(name, content)
		}
		return name + " of an earlier time"
	},
	func(t *damageTrial) string { // all segments of an earlier time, beside the snapshots of now
		if t.acknowledged.earlier == nil {
			return "nothing"
		}
		for _, name := range t.names(".log") {
			if content := t.acknowledged.earlier.Content(name); content != nil {
				t.disk.Replace(name, content)
			} else {
				t.disk.Lose(name)
			}
		}
		return "segments of an earlier time"
	},
}

func (t *damageTrial) lastSegment() string { return t.names(".log")[len(t.names(".log"))-1] }

// zero makes a block of a file zero that an offset lies in.
func (t *damageTrial) zero(name string, size int64) string {
	offset := t.place(name) / size * size
	t.disk.Zero(name, offset, size)
	return fmt.Sprintf("%d bytes of %s zero at %d", size, name, offset)
}

// run starts from the damaged disk.
func (t *damageTrial) run() {
	t.count["damages"]++
	record, found, err := store.Open(t.disk, store.Options{SegmentSize: 16 << 10})
	if err != nil {
		t.refused(err)
		if _, _, again := store.Open(t.disk, store.Options{SegmentSize: 16 << 10}); again == nil || again.Error() != err.Error() {
			t.Fatalf("%s: refused for %v, and the next time for %v", t.what, err, again)
		}
		if _, _, err := Salvage(t.disk, io.Discard); err != nil {
			t.refused(err)
		}
		return
	}
	if end := record.End().Batch; end < t.bound {
		t.Fatalf("%s: batch %d was acknowledged, and the record ends with %d (%v)", t.what, t.bound, end, found.Torn)
	}
	older := record.CheckOlder()
	if older != nil || found.Unmarked != nil || len(found.Skipped) > 0 {
		t.count["damages said at the start"]++
	}
	if begins := firstSegment(t.disk); begins > t.first && older == nil {
		t.Fatalf("%s: the record begins with %s instead of %s, and nothing was said", t.what, begins, t.first)
	}
	t.read(record, older)
	t.recovers(record, found)
	t.goesOn(record)
}

// refused checks that an error names what is damaged.
func (t *damageTrial) refused(err error) {
	var damage *store.DamageError
	var version *store.VersionError
	if errors.As(err, &damage) && damage.File != "" || errors.As(err, &version) && version.File != "" {
		t.count["damages refused"]++
		return
	}
	t.Fatalf("%s: refused without a file: %v", t.what, err)
}

// read reads all that is kept, and compares it with what was told. Only what a start has said of the past may be met.
func (t *damageTrial) read(record *store.Log, older error) {
	r, err := record.ReadFrom(record.First())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }() // it was read
	for {
		_, payload, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			if older == nil {
				t.Fatalf("%s: a reader met %v, and the start said nothing", t.what, err)
			}
			return
		}
		for line := range bytes.Lines(payload) {
			seq := SeqOf(line)
			if told, ok := t.told[seq]; ok && seq > 0 && strings.TrimSuffix(told, "\n") != string(bytes.TrimSuffix(line, []byte("\n"))) {
				t.Fatalf("%s: decision %d was told as\n%s\nand is\n%s", t.what, seq, told, line)
			}
		}
	}
}

// recovers checks that the inputs that were acknowledged are there.
func (t *damageTrial) recovers(record *store.Log, found store.Opened) {
	s, err := New(Options{Store: record, Found: found, Clock: &t.clock, Log: slog.New(slog.DiscardHandler), Policies: t.policy.of})
	if err != nil {
		t.refused(err)
		return
	}
	if has, want := s.view.memory.numbers, t.acknowledged.upTo(t.bound); has < want {
		t.Fatalf("%s: input %d was acknowledged, and the state has %d", t.what, want, has)
	}
	t.count["damages that nothing was lost by"]++
}

// goesOn checks that what is acknowledged now is there at the next start.
func (t *damageTrial) goesOn(record *store.Log) {
	p, err := record.Append(record.End().Decision, record.End().At+1, []byte("more"))
	if err == nil {
		err = record.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := store.Open(t.disk, store.Options{SegmentSize: 16 << 10})
	if err != nil || again.End() != p {
		t.Fatalf("%s: after one more batch the next start finds %v", t.what, err)
	}
}
