package process

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"
)

// Bounds of what a program may write to the log.
const (
	maxLine = 1 << 10 // bytes; the rest of a line is dropped
	burst   = 200     // lines at once
	rate    = 20      // lines a second after that
)

// lines takes what a program writes, apart in lines, and bounds it.
type lines struct {
	log   func(level, text string) // nil: lines are dropped
	clock clock

	mu      sync.Mutex
	tokens  float64 // lines that may be logged now; at most burst
	at      time.Time
	dropped int
	latest  string
}

func newLines(log func(level, text string), c clock) *lines {
	return &lines{log: log, clock: c, tokens: burst, at: c.Now()}
}

// writer is for one stream.
func (l *lines) writer(level string) io.Writer { return &stream{lines: l, level: level} }

// tell logs a message of the host; these are not bounded here.
func (l *lines) tell(level, text string) {
	if l.log != nil {
		l.log(level, text)
	}
}

// say logs a line of the program, if it is not one too many.
func (l *lines) say(level, text string) {
	l.mu.Lock()
	now := l.clock.Now()
	l.tokens = min(burst, l.tokens+rate*now.Sub(l.at).Seconds())
	l.at = now
	if l.tokens < 1 {
		l.dropped++
		l.mu.Unlock()
		return
	}
	l.tokens--
	dropped := l.dropped
	l.dropped = 0
	l.mu.Unlock()
	if dropped > 0 {
		l.tell("warning", fmt.Sprintf("%d lines before this one were dropped", dropped))
	}
	l.tell(level, text)
}

// note keeps the last line of an instance, "" when another begins, and says what it was: an error often needs it.
func (l *lines) note(text string) (before string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before, l.latest = l.latest, text
	return before
}

// stream is a writer that makes lines. It keeps at most maxLine bytes.
type stream struct {
	lines *lines
	level string
	line  []byte
	cut   bool
}

// Write never fails.
func (s *stream) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		part, rest, whole := bytes.Cut(p, []byte{'\n'})
		room := min(len(part), maxLine-len(s.line))
		s.line, s.cut = append(s.line, part[:room]...), s.cut || room < len(part)
		if whole {
			s.flush()
		}
		p = rest
	}
	return n, nil
}

func (s *stream) flush() {
	text := string(bytes.ToValidUTF8(s.line, []byte("?")))
	if s.cut {
		text += "…"
	}
	s.line, s.cut = s.line[:0], false
	if text != "" {
		s.lines.note(text)
		s.lines.say(s.level, text)
	}
}

// handshakeOnly passes a first line on, at most maxHandshake bytes, and swallows what follows: a program that goes on
// writing there is neither read into memory nor held up.
type handshakeOnly struct {
	io.ReadCloser
	passed int
	over   bool
}

const maxHandshake = 16 << 10

// Read gives the first line.
func (h *handshakeOnly) Read(p []byte) (int, error) {
	for h.over {
		if _, err := h.ReadCloser.Read(p); err != nil {
			return 0, err
		}
	}
	n, err := h.ReadCloser.Read(p[:min(len(p), maxHandshake-h.passed)])
	h.passed += n
	if end := bytes.IndexByte(p[:n], '\n'); end >= 0 {
		h.over, n = true, end+1
	}
	if h.passed == maxHandshake && !h.over {
		return n, io.EOF
	}
	return n, err
}
