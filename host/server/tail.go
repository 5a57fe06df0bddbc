package server

import (
	"bytes"
	"strings"
	"sync"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/store"
)

// tailBytes is how much of the newest decisions is kept for those who follow them.
const tailBytes = 4 << 20

// tail has the decisions of the newest batches that the view has followed. Those who follow decisions share it, so that each batch is read,
// split and taken apart once, however many they are.
type tail struct {
	mu      sync.Mutex
	base    store.Position // of the batch before the first one that is kept
	list    []*batchLines
	bytes   int
	changed chan struct{} // closed when there is one more
}

func newTail(at store.Position) *tail { return &tail{base: at, changed: make(chan struct{})} }

// add appends the decisions of the next batch: their lines and their values, which belong to the tail from now on.
func (t *tail) add(at store.Position, text []byte, values []core.Decision) {
	b := &batchLines{at: at}
	b.split(bytes.Clone(text))
	b.values = values
	b.decode.Do(b.decodeLines) // before readers share it
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = append(t.list, b)
	for t.bytes += len(text); t.bytes > tailBytes && len(t.list) > 1; {
		t.base, t.bytes = t.list[0].at, t.bytes-t.list[0].bytes
		t.list[0] = nil
		t.list = t.list[1:]
	}
	close(t.changed)
	t.changed = make(chan struct{})
}

// tailEnd is where a tail ends at present.
type tailEnd struct {
	at      int64           // the time of the last batch
	changed <-chan struct{} // closed when there is one more
}

// get returns a batch. It is nil where it is kept no longer, or still to come: then there is an end.
func (t *tail) get(batch uint64) (*batchLines, *tailEnd) {
	t.mu.Lock()
	defer t.mu.Unlock()
	next := t.base.Batch + 1
	switch {
	case batch < next:
		return nil, nil
	case batch-next < uint64(len(t.list)):
		return t.list[batch-next], nil
	}
	last := t.base
	if n := len(t.list); n > 0 {
		last = t.list[n-1].at
	}
	return nil, &tailEnd{last.At, t.changed}
}

// before returns the number of the batch before the one that has a decision, which may be still to come; false: the decision is kept no
// longer.
func (t *tail) before(seq uint64) (batch uint64, kept bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if seq <= t.base.Decision {
		return 0, false
	}
	batch = t.base.Batch
	for _, b := range t.list {
		if b.at.Decision >= seq {
			break
		}
		batch = b.at.Batch
	}
	return batch, true
}

// batchLines are the decisions in one batch.
type batchLines struct {
	at    store.Position
	first uint64   // seq
	bytes int      // of the lines
	lines [][]byte // without their ends; their seqs have no gaps

	decode sync.Once
	values []core.Decision // of the lines; empty if they come from the disk and were not decoded
	broken error           // why they cannot be decoded
}

// split takes in the lines of a batch that are decisions.
func (b *batchLines) split(text []byte) {
	b.bytes = len(text)
	for line := range bytes.Lines(text) {
		if seq := SeqOf(line); seq != 0 {
			if len(b.lines) == 0 {
				b.first = seq
				b.lines = make([][]byte, 0, bytes.Count(text, []byte{'\n'}))
			}
			b.lines = append(b.lines, bytes.TrimSuffix(line, []byte{'\n'}))
		}
	}
}

// find returns the index of the first line from one on that a filter wants; without any it is the number of lines.
func (b *batchLines) find(from int, f *Filter) (int, error) {
	if *f == (Filter{}) {
		return from, nil
	}
	b.decode.Do(b.decodeLines)
	for i := from; i < len(b.values); i++ {
		if f.wants(&b.values[i]) {
			return i, nil
		}
	}
	return len(b.lines), b.broken
}

func (b *batchLines) decodeLines() {
	if len(b.values) == len(b.lines) {
		return
	}
	values := make([]core.Decision, len(b.lines))
	for i, line := range b.lines {
		d, err := decodeDecision(line)
		if err != nil {
			b.broken = err
			return
		}
		values[i] = *d
	}
	b.values = values
}

// decision returns a decision by its index.
func (b *batchLines) decision(i int) *Decision {
	d := &Decision{Line: b.lines[i]}
	if len(b.values) == len(b.lines) {
		d.value = &b.values[i]
	}
	return d
}

// Filter says which decisions are wanted: every value that is given must be that of the decision. Of an application, its own decisions
// are wanted, too, and of a queue those of queues below it. Not all decisions that name a queue name its partition.
type Filter struct {
	ID    string
	App   string
	Queue string
	Node  string
	Type  string
}

func (f *Filter) wants(d *core.Decision) bool {
	return within(f.Queue, d.Queue) && is(f.ID, d.ID) && is(f.Node, d.Node) && is(f.Type, string(d.Type)) &&
		(is(f.App, d.App) || d.ID == f.App && strings.HasPrefix(string(d.Type), "app."))
}

func is(want, found string) bool { return want == "" || want == found }

// within reports whether a queue is the wanted one, or below it.
func within(want, queue string) bool {
	rest, found := strings.CutPrefix(queue, want)
	return want == "" || found && (rest == "" || rest[0] == '.')
}
