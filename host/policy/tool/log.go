package tool

import (
	"fmt"
	"io"
	"sync"

	"github.com/quern-project/quern/host/format"
)

// mostLines is how many lines a Log keeps.
const mostLines = 10

// Log keeps the last lines that a policy wrote, those that repeat the one before as one. Any goroutine may use it; nil is an
// empty one.
type Log struct {
	mu    sync.Mutex
	lines []logLine
}

type logLine struct {
	text  string
	times int
}

// Add takes a line.
func (l *Log) Add(level, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text = level + ": " + text
	if n := len(l.lines); n > 0 && l.lines[n-1].text == text {
		l.lines[n-1].times++
		return
	}
	l.lines = append(l.lines, logLine{text, 1})
	if len(l.lines) > mostLines {
		l.lines = append(l.lines[:0], l.lines[1:]...)
	}
}

// Last are the last lines, each with its level before it.
func (l *Log) Last() []string {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []string
	for _, line := range l.lines {
		text := line.text
		if line.times > 1 {
			text += fmt.Sprintf(" (%s times)", format.Grouped(line.times))
		}
		list = append(list, text)
	}
	return list
}

// WriteLog writes lines of a Log for people; nothing where there are none.
func WriteLog(w io.Writer, lines []string) {
	if len(lines) > 0 {
		fmt.Fprintln(w, "\nlog (the last lines)")
	}
	for _, line := range lines {
		fmt.Fprintln(w, "  "+format.Line(line))
	}
}
