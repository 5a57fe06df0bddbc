package filewatch

import (
	"crypto/sha256"
	"io"
	"os"
	"time"
)

// young is the age until which a file may be written again without another time: file systems tell times by ticks, some of two seconds.
const young = 5 * time.Second

// mostHashed bounds how much of a young file is read to tell whether it has changed, in bytes.
const mostHashed = 64 << 20

// state tells a file from what it was: another file in its place, or other contents. The zero value is that of a file that is missing or
// cannot be looked at.
type state struct {
	info os.FileInfo
	sum  [sha256.Size]byte // of the contents of a young file; else zero
}

// stateOf looks at the file to which a path leads.
func stateOf(path string) state {
	info, err := os.Stat(path)
	if err != nil {
		return state{}
	}
	s := state{info: info}
	if info.Mode().IsRegular() && time.Since(info.ModTime()) < young {
		s.sum = sumOf(path)
	}
	return s
}

// sumOf is zero if a file cannot be read: its reader will say why.
func sumOf(path string) (sum [sha256.Size]byte) {
	f, err := os.Open(path)
	if err != nil {
		return sum
	}
	defer func() { _ = f.Close() }() // it was only read
	h := sha256.New()
	if _, err := io.CopyN(h, f, mostHashed); err != nil && err != io.EOF {
		return sum
	}
	h.Sum(sum[:0])
	return sum
}

// same reports whether a file is as it was. A sum counts if both states have one.
func (s state) same(o state) bool {
	if s.info == nil || o.info == nil {
		return s.info == nil && o.info == nil
	}
	var none [sha256.Size]byte
	return os.SameFile(s.info, o.info) && s.info.Size() == o.info.Size() && s.info.ModTime().Equal(o.info.ModTime()) && s.info.Mode() == o.info.Mode() &&
		(s.sum == o.sum || s.sum == none || o.sum == none)
}
