package registry

import (
	"crypto/sha256"
	"io"
	"os"
	"time"

	"github.com/quern-project/quern/host/files/safefile"
)

// young is for how long the time of a file may stay the same although it is written again: systems tell times by ticks,
// of milliseconds or of whole seconds.
const youngAge = 3 * time.Second

// maxHashed bounds what is read of a file to tell whether it changed. No module is that large.
const maxHashed = 64 << 20

// stamp is a file as the system describes it; zero: there is none.
type stamp struct {
	size int64
	time time.Time
	mode os.FileMode
	sum  [sha256.Size]byte // of what is in it, while it is young, and once more after that; else zero
}

// stampOf looks at a file that looked like before when it was last read.
func stampOf(path string, before stamp) stamp {
	if path == "" {
		return stamp{}
	}
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	s := stamp{size: info.Size(), time: info.ModTime(), mode: info.Mode()}
	if s.young() || before.aged() == s && before != s {
		s.sum = sumOf(path)
	}
	return s
}

// young reports whether a file may change without another time.
func (s stamp) young() bool { return time.Since(s.time) < youngAge }

// aged is the stamp without the sum, where the time is enough.
func (s stamp) aged() stamp {
	if !s.young() {
		s.sum = [sha256.Size]byte{}
	}
	return s
}

// sumOf is zero where a file cannot be read: its reader will say why.
func sumOf(path string) (sum [sha256.Size]byte) {
	f, _, err := safefile.Open(path)
	if err != nil {
		return sum
	}
	defer func() { _ = f.Close() }() // it was only read
	h := sha256.New()
	if _, err := io.CopyN(h, f, maxHashed); err != nil && err != io.EOF {
		return sum
	}
	h.Sum(sum[:0])
	return sum
}
