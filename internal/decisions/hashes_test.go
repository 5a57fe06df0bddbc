package decisions

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// partSize is the number of decisions after which a new part begins, where a run does not divide itself.
const partSize = 100

// decisions collects the decisions of a run, encoded, in parts.
type decisions struct {
	parts [][]byte
	size  int // of the last part
	total int
}

func (d *decisions) add(t *testing.T, list []core.Decision) {
	t.Helper()
	encoder := journal.NewEncoder(d, journal.Relative)
	for i := range list {
		if len(d.parts) == 0 || d.size == partSize {
			d.begin()
		}
		d.size++
		d.total++
		if err := errors.Join(encoder.Decision(&list[i]), encoder.Flush()); err != nil {
			t.Fatal(err)
		}
	}
}

// Write implements io.Writer for the encoder: it appends to the last part.
func (d *decisions) Write(text []byte) (int, error) {
	last := &d.parts[len(d.parts)-1]
	*last = append(*last, text...)
	return len(text), nil
}

// begin starts a new part.
func (d *decisions) begin() {
	d.parts = append(d.parts, nil)
	d.size = 0
}

func (d *decisions) text() []byte { return bytes.Join(d.parts, nil) }

// hashes are what is recorded of a run.
type hashes struct {
	total int    // decisions
	whole string // SHA-256 of all decisions, in hexadecimal digits
	parts string // the first partDigits digits of the SHA-256 of each part
}

// partDigits is short, since parts are only for messages.
const partDigits = 4

func (d *decisions) hashes() hashes {
	h := hashes{total: d.total, whole: hexHash(d.text())}
	for _, part := range d.parts {
		h.parts += hexHash(part)[:partDigits]
	}
	return h
}

func hexHash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// shown is the number of lines of a differing part that a message prints.
const shown = 30

// compare reports the first part that differs from the recorded hashes.
func (d *decisions) compare(t *testing.T, before hashes) {
	t.Helper()
	now := d.hashes()
	if now == before {
		return
	}
	if before.whole == "" {
		t.Fatal("nothing is recorded; run with -update")
	}
	t.Errorf("%d decisions, recorded were %d; to compare them, write those of both commits with -write", now.total, before.total)
	at := 0
	for i, part := range d.parts {
		if end := (i + 1) * partDigits; len(before.parts) < end || before.parts[:end] != now.parts[:end] {
			lines := bytes.SplitAfterN(part, []byte("\n"), shown+1)
			t.Fatalf("part %d of %d differs, which begins after %d decisions:\n%s", i+1, len(d.parts), at, bytes.Join(lines[:min(len(lines), shown)], nil))
		}
		at += bytes.Count(part, []byte("\n"))
	}
	t.Fatalf("all %d parts are as recorded; there were %d", len(d.parts), len(before.parts)/partDigits)
}

const heading = `# What the scheduler decides in each run: number of decisions, their SHA-256, and the beginnings of the SHA-256 of each part.
# Written by: go test ./internal/decisions -update
`

func readHashes(t *testing.T) map[string]hashes {
	t.Helper()
	text, err := os.ReadFile(recorded)
	if err != nil {
		t.Fatal(err)
	}
	before := map[string]hashes{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var name string
		var h hashes
		if _, err := fmt.Sscan(line, &name, &h.total, &h.whole, &h.parts); err != nil {
			t.Fatalf("%s: %v in %q", recorded, err, line)
		}
		before[name] = h
	}
	return before
}

func writeHashes(t *testing.T, now map[string]hashes) {
	t.Helper()
	var lines []string
	for name, h := range now {
		lines = append(lines, fmt.Sprintf("%s %d %s %s\n", name, h.total, h.whole, h.parts))
	}
	slices.Sort(lines)
	if err := os.WriteFile(recorded, []byte(heading+strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}
