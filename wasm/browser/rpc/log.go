package rpc

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"sort"
)

// logChunk is how many bytes of the log stand together, about.
const logChunk = 256 << 10

// decisionLog holds the lines of all decisions that were ever made, and how far of them is the present: after going
// back, those behind it stay until the journal changes, since they will come again.
type decisionLog struct {
	chunks []logPart
	known  uint64 // decisions in it
	size   int    // bytes in it

	seq    uint64 // the last decision of the present
	offset int    // bytes up to there

	sum    hash.Hash // of the first hashed bytes
	hashed int
}

// logPart is some lines in one piece.
type logPart struct {
	first uint64 // seq of the first
	start int    // bytes before it
	text  []byte
}

// knows reports whether the log holds a decision already.
func (l *decisionLog) knows(seq uint64) bool { return seq <= l.known }

// add takes the lines of the next decisions of the present.
func (l *decisionLog) add(text []byte, n int) {
	known := min(n, int(l.known-l.seq))
	l.seq += uint64(n)
	l.offset += len(text)
	for range known {
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	if len(text) == 0 {
		return
	}
	last := len(l.chunks) - 1
	if last < 0 || len(l.chunks[last].text)+len(text) > logChunk {
		l.chunks = append(l.chunks, logPart{l.known + 1, l.size, make([]byte, 0, max(logChunk, len(text)))})
		last++
	}
	l.chunks[last].text = append(l.chunks[last].text, text...)
	l.known, l.size = l.seq, l.offset
}

// skip moves the present over decisions that are known.
func (l *decisionLog) skip(n int) {
	i := l.partOf(l.seq + 1)
	for ; n > 0; n-- {
		for l.offset >= l.chunks[i].start+len(l.chunks[i].text) {
			i++
		}
		l.offset += bytes.IndexByte(l.chunks[i].text[l.offset-l.chunks[i].start:], '\n') + 1
		l.seq++
	}
}

// back moves the present to a decision and its place in bytes.
func (l *decisionLog) back(seq uint64, offset int) { l.seq, l.offset = seq, offset }

// cut forgets what is behind the present: it may come otherwise.
func (l *decisionLog) cut() {
	for last := len(l.chunks) - 1; last >= 0 && l.chunks[last].start >= l.offset; last-- {
		l.chunks[last] = logPart{}
		l.chunks = l.chunks[:last]
	}
	if last := len(l.chunks) - 1; last >= 0 {
		l.chunks[last].text = l.chunks[last].text[:l.offset-l.chunks[last].start]
	}
	l.known, l.size = l.seq, l.offset
	if l.hashed > l.offset {
		l.sum, l.hashed = nil, 0
	}
}

// partOf is the index of the part that holds a decision, or would.
func (l *decisionLog) partOf(seq uint64) int {
	return max(0, sort.Search(len(l.chunks), func(i int) bool { return l.chunks[i].first > seq })-1)
}

// read returns the lines of at most n decisions from a seq on, and how many they are: at least one, if there is one,
// and then no more than fit into most bytes.
func (l *decisionLog) read(from uint64, n, most int) ([]byte, int) {
	var out []byte
	made := 0
	for i := l.partOf(from); i < len(l.chunks); i++ {
		text, seq := l.chunks[i].text, l.chunks[i].first
		for len(text) > 0 && made < n && seq <= l.seq {
			size := bytes.IndexByte(text, '\n') + 1
			if seq >= from {
				if made > 0 && len(out)+size > most {
					return out, made
				}
				out = append(out, text[:size]...)
				made++
			}
			text = text[size:]
			seq++
		}
	}
	return out, made
}

// hash is the sha256 of the lines up to the present, in hexadecimal.
func (l *decisionLog) hash() string {
	if l.sum == nil || l.hashed > l.offset {
		l.sum, l.hashed = sha256.New(), 0
	}
	for _, c := range l.chunks {
		from, to := max(0, l.hashed-c.start), min(len(c.text), l.offset-c.start)
		if from < to {
			_, _ = l.sum.Write(c.text[from:to]) // never fails
		}
	}
	l.hashed = l.offset
	return hex.EncodeToString(l.sum.Sum(nil))
}
